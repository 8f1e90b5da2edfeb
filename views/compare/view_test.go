package compare

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// sweep are the logs of some runs of a sweep, of which one ends in NaN.
func sweep(t testing.TB, runs int) (*store.Store, *View) {
	t.Helper()
	s := store.New(func() time.Time { return nine })
	for r := range runs {
		id := train.StreamID{File: fmt.Sprintf("llama-3-8b-sft-lr%de-4-bs256.log", r+1)}
		logged := store.Logged{Stream: id}
		for i := 1; i <= 100*(r+1); i++ {
			loss := 5/math.Sqrt(float64(i)) + float64(r)/10
			if r == 1 && i == 200 {
				loss = math.NaN()
			}
			logged.Samples = append(logged.Samples, train.Sample{
				Line: int64(i), Time: nine.Add(time.Duration(i-1000) * time.Second), Rank: -1, Step: float64(i), HasStep: true,
				Metrics: []train.Metric{{Name: train.MetricLoss, Value: loss}, {Name: train.MetricLR, Value: float64(r+1) * 1e-4}},
			})
		}
		s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
	}
	var ids []train.JobID
	for _, j := range s.Snapshot().LogJobs() {
		ids = append(ids, j.ID)
	}
	return s, New(views.CompareRoute{Jobs: ids})
}

// look draws the screen once its work is done.
func look(t testing.TB, s *store.Snapshot, v *View, width, height int) (string, views.Frame) {
	t.Helper()
	f := screentest.Frame(t, s, width, height, themes.Options{})
	v.Render(f)
	for do := v.Work(f); do != nil; do = v.Work(f) {
		v.Worked(do(context.Background()), f)
	}
	return screentest.Plain(v, f), f
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 20}, {160, 40}, {40, 7}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			s, v := sweep(t, 3)
			screen, _ := look(t, s.Snapshot(), v, size.width, size.height)
			golden.RequireEqual(t, screen)
		})
	}
}

func TestAnySize(t *testing.T) {
	s, v := sweep(t, 9)
	for _, width := range []int{1, 3, 20, 39, 61, 300} {
		for _, height := range []int{1, 2, 5, 13, 60} {
			look(t, s.Snapshot(), v, width, height)
		}
	}
}

// Runs that do not fit are reached by keys, and the title reports it.
func TestRunsAreScrolled(t *testing.T) {
	s, v := sweep(t, 9)
	screen, f := look(t, s.Snapshot(), v, 100, 30)
	if !strings.Contains(screen, "a lr1e-4") || strings.Contains(screen, "lr9e-4-bs256.log  i") {
		t.Error(screen)
	}
	if note := v.Title(f).Note; !strings.Contains(note, "runs 1-4 of 9") {
		t.Errorf("note %q", note)
	}
	for range 20 {
		v.Do(keymap.CompareRight, f)
	}
	if screen, f = look(t, s.Snapshot(), v, 100, 30); !strings.Contains(screen, "i lr9") || !strings.Contains(v.Title(f).Note, "runs 6-9 of 9") {
		t.Errorf("%s\n%s", v.Title(f).Note, screen)
	}
}

// Enter opens the curves of the first run in sight, with the others laid over,
// at the metric under the cursor.
func TestEnterOpensTheCharts(t *testing.T) {
	s, v := sweep(t, 3)
	_, f := look(t, s.Snapshot(), v, 160, 40)
	v.Select("metrics/lr last")
	effect, _ := v.Do(keymap.Open, f)
	route, is := screentest.RouteOf[views.ChartsRoute](effect)
	if !is || route.Job != v.ids[0] || len(route.Others) != 2 || route.Metric != train.MetricLR {
		t.Errorf("enter opens %+v", route)
	}
	effect, _ = v.Do(keymap.CopyName, f)
	if text := screentest.In[views.CopyText](effect).Text; !strings.HasPrefix(text, "| run |") {
		t.Errorf("copied %q", text)
	}
	effect, _ = v.Do(keymap.Save, f)
	if files := screentest.In[views.SaveFiles](effect).Files; len(files) != 1 || !strings.HasPrefix(files[0].Text, "job,") {
		t.Errorf("saved %+v", files)
	}
	if wants := v.Streams(f); len(wants) != 3 || !wants[2].Whole {
		t.Errorf("streams %+v", wants)
	}
}

// New points make the comparison anew; a frame without any does not.
func TestItIsMadeAnewWhenPointsCome(t *testing.T) {
	s, v := sweep(t, 2)
	_, f := look(t, s.Snapshot(), v, 160, 40)
	if v.Work(f) != nil {
		t.Error("the same snapshot is compared again")
	}
	s.Apply(store.Logged{Stream: train.StreamID{File: "llama-3-8b-sft-lr1e-4-bs256.log"}, Samples: []train.Sample{{
		Line: 1000, Time: nine, Rank: -1, Step: 150, HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 0.25}},
	}}})
	if screen, _ := look(t, s.Snapshot(), v, 160, 40); !strings.Contains(screen, "0.250*") {
		t.Error(screen)
	}
}
