package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// streamingCluster records which logs it has to follow.
type streamingCluster struct {
	fakeCluster
	plans []*streams.Plan
}

func (c *streamingCluster) Stream(plan *streams.Plan) { c.plans = append(c.plans, plan) }

func TestTheLogsOnTheScreenAreFollowed(t *testing.T) {
	cluster := &streamingCluster{fakeCluster: fakeCluster{t: t}}
	d := drive(t, Options{Cluster: cluster}, 120, 40).command("jobs /clip").keys("l")
	d.shows("Logs clip")
	if len(cluster.plans) == 0 || len(cluster.plans[len(cluster.plans)-1].Chosen) == 0 {
		t.Fatalf("the logs are on the screen and %d plans were made", len(cluster.plans))
	}
	before := len(cluster.plans)
	d.keys("?", "esc")
	d.send(snapshotTaken{d.m.session.Store, d.m.snapshot})
	if len(cluster.plans) != before {
		t.Errorf("help in front of the logs changed the plan %d times", len(cluster.plans)-before)
	}
	d.command("nodes").command("contexts")
	if last := cluster.plans[len(cluster.plans)-1]; len(last.Chosen) != 0 && len(d.m.reading.wants) == 0 {
		t.Errorf("nobody reads logs and %d are followed", len(last.Chosen))
	}
}

// working is a screen that asks for one piece of work after another.
type workingView struct {
	views.View
	left   int
	done   []int
	broken bool
}

func (v *workingView) Name() string                  { return "working" }
func (v *workingView) Scope() keymap.Scope           { return keymap.Global }
func (v *workingView) Title(views.Frame) views.Title { return views.Title{Text: "working"} }
func (v *workingView) Render(views.Frame) []string   { return []string{fmt.Sprint("done ", v.done)} }
func (v *workingView) Work(views.Frame) func(context.Context) any {
	if v.left == 0 {
		return nil
	}
	v.left--
	n := v.left
	return func(ctx context.Context) any {
		if v.broken {
			panic("out of order")
		}
		return n
	}
}

func (v *workingView) Worked(result any, _ views.Frame) views.Effect {
	v.done = append(v.done, result.(int))
	return views.Notice{Text: "one more is done"}
}

func TestAScreenWorksOffTheLoop(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	v := &workingView{left: 3}
	d.m.nav.push(v)
	d.keys("ctrl+g")
	d.shows("done [2 1 0]", "one more is done")

	late := &workingView{left: 1}
	d.m.nav.push(late)
	_, cmd := d.m.Update(keyPress("ctrl+g"))
	d.m.nav.back() // the screen is left before the work is done
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.drain(cmd)
	if len(late.done) != 0 {
		t.Errorf("a screen that was left was told %v", late.done)
	}

	d.m.nav.push(&workingView{left: 5, broken: true})
	d.keys("ctrl+g")
	d.shows("this is a bug: the screen working broke: out of order")
}

func TestSeveralFilesAreSavedAndNothingIsOverwritten(t *testing.T) {
	folder := t.TempDir()
	d := drive(t, Options{SaveIn: folder}, 120, 24)
	files := []views.File{{Name: "a.log", Text: "one\n"}, {Name: "b.log", Text: "two\n"}}
	for range 2 {
		d.drain(d.m.nav.apply(views.SaveFiles{Files: files, Note: "one is missing"}))
		d.send(tea.WindowSizeMsg{Width: 160, Height: 24})
		d.shows("saved 2 of 2 files in " + folder + "; one is missing")
	}
	saved, err := os.ReadDir(folder)
	if err != nil || len(saved) != 4 {
		t.Fatalf("%d files: %v", len(saved), err)
	}
	d = drive(t, Options{SaveIn: filepath.Join(folder, saved[0].Name())}, 120, 24)
	d.drain(d.m.nav.apply(views.SaveFiles{Files: files}))
	d.send(tea.WindowSizeMsg{Width: 120, Height: 24})
	d.shows("saved 0 of 2 files")
}

// logFiles is a store with one run of two log files and nothing else.
func logFiles() *store.Store {
	s := store.New(func() time.Time { return nine })
	for rank := range 2 {
		id := train.StreamID{File: fmt.Sprintf("/run/rank%d.log", rank)}
		s.Apply(store.StreamChanged{Stream: id, Rank: rank, Job: "run", Status: train.StreamStatus{State: train.StreamLive}})
		for i := range 50 {
			s.Apply(store.Logged{Stream: id, Lines: []train.LogLine{{Number: int64(i + 1), Time: nine.Add(time.Duration(i-60) * time.Second), Text: fmt.Sprintf("rank %d says %d", rank, i)}}})
		}
	}
	s.Apply(store.HealthChanged{Health: train.Health{Source: "file", State: train.SourceRead}})
	return s
}

func TestLogFilesAloneOpenAtOnce(t *testing.T) {
	d := drive(t, Options{Session: Session{Store: logFiles()}}, 120, 40)
	if d.m.top().Name() != "charts" {
		t.Fatalf("a run of log files begins with %s", d.m.top().Name())
	}
	d.command("logs")
	d.shows("Logs run", "rank 1 says 49")
	d.keys("esc").command("logs run").shows("Logs run")
	d.command("logs nobody").shows("there is no job nobody here")
	d = drive(t, Options{}, 120, 40)
	if d.m.top().Name() != "jobs" {
		t.Errorf("a cluster begins with %s", d.m.top().Name())
	}
}

func TestTheScreenAsksAtThePrompt(t *testing.T) {
	d := drive(t, Options{Session: Session{Store: logFiles()}}, 120, 40)
	d.command("logs run").keys("&").types("says 17")
	d.shows("&says 17", "regex", "rank 0 says 17")
	d.hides("rank 0 says 18")
	d.keys("esc").shows("rank 0 says 49")
	d.keys("&").types("says (").shows("says (")
	d.keys("backspace", "enter").shows("&says", "rank 0 says 49")
	d.keys("esc")
	d.keys("T").types("line 3").keys("enter").shows("▌rank 0 says 2")
	d.keys("T").types("nonsense").shows("neither a time")
	d.keys("enter").shows("neither a time")
	d.keys("/").types("SAYS 31").keys("enter").shows("▌rank 0 says 31", "hit 1 of 2")
	d.keys("n").shows("▌rank 1 says 31", "hit 2 of 2")
	d.keys("n").shows("no further match: on from the first one", "▌rank 0 says 31")
	d.keys("N", "esc").hides("of 2,")
	d.keys("c")
	if !strings.HasSuffix(d.copied, "rank 1 says 49\n") {
		t.Errorf("copied %q", d.copied)
	}
}
