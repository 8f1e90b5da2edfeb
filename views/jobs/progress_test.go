package jobs

import (
	"context"
	"fmt"
	"github.com/traintop/traintop/views/screentest"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// cluster is a store with the jobs of ui's fixture.
func cluster(t testing.TB) *store.Store {
	t.Helper()
	s := store.New(func() time.Time { return nine })
	if err := dump.New([]string{"../../ui/testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	s.Apply(store.Clock{Now: nine})
	return s
}

// trains makes a job's first rank print a step every other second until some
// time before nine.
func trains(t *testing.T, s *store.Store, name string, ago time.Duration) {
	t.Helper()
	trainsOn(t, s, name, ago, train.MetricLoss)
}

// trainsOn is trains with a metric that is not the loss.
func trainsOn(t *testing.T, s *store.Store, name string, ago time.Duration, metric string) {
	t.Helper()
	for _, j := range s.Snapshot().Jobs() {
		if j.Ref.Name != name {
			continue
		}
		r := &j.Ranks[0]
		logged := store.Logged{
			Stream: train.StreamID{Namespace: r.Namespace, Pod: r.Pod, UID: r.PodUID, Container: r.Container, Restart: r.Restarts},
			Hints:  &train.ProgressHints{TotalSteps: 400},
		}
		for i := range 200 {
			logged.Samples = append(logged.Samples, train.Sample{
				Line: int64(i + 1), Time: nine.Add(-ago - time.Duration(199-i)*2*time.Second), Rank: -1, Step: float64(i + 1), HasStep: true,
				Metrics: []train.Metric{{Name: metric, Value: 4 - float64(i)/100}},
			})
		}
		s.Apply(store.StreamChanged{Stream: logged.Stream, Status: train.StreamStatus{State: train.StreamLive}}, logged)
		return
	}
	t.Fatalf("there is no job %s", name)
}

func rows(t testing.TB, v *View, s *store.Store, width, height int) (lines []string, f views.Frame) {
	t.Helper()
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	f = views.Frame{Snapshot: snapshot, Width: width, Height: height, Theme: theme, Ages: &draw.Ages{Now: snapshot.Now}}
	for _, line := range v.Render(f) {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return lines, f
}

func rowOf(lines []string, name string) string {
	for _, line := range lines {
		if strings.Contains(line, name) {
			return line
		}
	}
	return ""
}

func TestRunningJobsSayHowFarTheyAre(t *testing.T) {
	s := cluster(t)
	before, _ := rows(t, New(views.JobsRoute{}), s, 160, 30)
	if strings.Contains(before[0], "LOSS") {
		t.Error("columns of logs show where no log is known")
	}
	trains(t, s, "qwen-sft", time.Second)
	trains(t, s, "grpo", 4*time.Minute)
	v := New(views.JobsRoute{})
	lines, f := rows(t, v, s, 160, 30)
	row := rowOf(lines, "qwen-sft")
	for _, want := range []string{"2.010 █", "200/400 ███", "2 s", "6m40s"} {
		if !strings.Contains(row, want) {
			t.Errorf("%q is not in %q", want, row)
		}
	}
	if row := rowOf(lines, " grpo "); !strings.Contains(row, "stalled 4m") {
		t.Errorf("a job without a step for long does not say so: %q", row)
	} else if strings.Contains(row, "6m40s") || strings.Contains(row, "2 s") {
		t.Errorf("a job without a step for long has a rate and an end: %q", row)
	}
	if narrow, _ := rows(t, New(views.JobsRoute{}), s, 80, 24); !strings.Contains(strings.Join(narrow, "\n"), "CrashLoopBackOff") || !strings.Contains(narrow[0], "LOSS") {
		t.Errorf("on 80 columns the reason or the loss is gone:\n%s", strings.Join(narrow, "\n"))
	}
	for _, want := range v.Streams(f) {
		if j := f.Snapshot.Job(want.Job); j.Phase != train.Running || want.Whole || !want.Shown {
			t.Errorf("wanted: %+v of a job that is %s", want, j.Phase)
		}
	}
	if n := len(v.Streams(f)); n != 6 {
		t.Errorf("%d logs are wanted for 6 running jobs", n)
	}
	v.Do(keymap.SortChosen, f)
	v.SortBy(jobrows.TitleStep, true)
	if lines, _ := rows(t, v, s, 160, 30); !strings.Contains(lines[1]+lines[2], "qwen-sft") {
		t.Errorf("sorted by step:\n%s", strings.Join(lines, "\n"))
	}
}

// A substitute of the loss is shown by its own name.
func TestARewardIsNoLoss(t *testing.T) {
	s := cluster(t)
	trainsOn(t, s, "grpo", time.Second, "reward")
	lines, _ := rows(t, New(views.JobsRoute{}), s, 160, 30)
	if row := rowOf(lines, " grpo "); !strings.Contains(row, "2.010 reward") {
		t.Errorf("the row says nothing of a reward: %q", row)
	}
}

func TestLogFilesAreListed(t *testing.T) {
	s := cluster(t)
	id := train.StreamID{File: "train.log"}
	s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Rank: -1},
		store.Logged{Stream: id, Samples: []train.Sample{{Line: 1, Rank: -1, Step: 7, HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 3}}}}})
	v := New(views.JobsRoute{})
	lines, f := rows(t, v, s, 160, 30)
	if row := rowOf(lines, "train.log"); !strings.Contains(row, "log") || !strings.Contains(row, "3.000") || strings.Contains(row, "failed") {
		t.Errorf("%q", row)
	}
	if title := v.Title(f); !strings.Contains(fmt.Sprint(title.Parts), "1 log") {
		t.Errorf("%v", title.Parts)
	}
	v.Select(string(f.Snapshot.LogJobs()[0].ID))
	effect, _ := v.Do(keymap.Open, f)
	if _, is := screentest.RouteOf[views.ChartsRoute](effect); !is {
		t.Errorf("enter on a log opens %+v", effect)
	}
}
