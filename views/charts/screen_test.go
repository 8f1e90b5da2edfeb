package charts

import (
	"encoding/csv"
	"fmt"
	"github.com/traintop/traintop/views/screentest"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

func TestScreens(t *testing.T) {
	s := fileStore(t, runLog(1600))
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {200, 54}, {38, 7}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			sc := open(t, s, views.ChartsRoute{}, size.width, size.height)
			t.Run("live", func(t *testing.T) { golden.RequireEqual(t, sc.draw()) })
			t.Run("trouble", func(t *testing.T) {
				sc.do(keymap.ChartTrouble)
				golden.RequireEqual(t, sc.draw())
			})
			t.Run("zoomed", func(t *testing.T) {
				sc.do(keymap.ChartZoomIn, keymap.ChartZoomIn, keymap.ChartSmooth, keymap.ChartY)
				golden.RequireEqual(t, sc.draw())
			})
			t.Run("time", func(t *testing.T) {
				sc.do(keymap.ChartWhole, keymap.ChartX, keymap.ChartLive)
				golden.RequireEqual(t, sc.draw())
			})
			t.Run("metrics", func(t *testing.T) {
				sc.do(keymap.ChartMetrics)
				golden.RequireEqual(t, sc.draw())
			})
		})
	}
}

func TestASCII(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 100, 30)
	sc.size(100, 30, themes.Plain, true)
	picture := sc.draw()
	_, body, _ := strings.Cut(picture, "\n")
	for _, r := range body {
		if r > 0x7e && r != '±' {
			t.Fatalf("%q is not ASCII in\n%s", r, picture)
		}
	}
	golden.RequireEqual(t, picture)
}

// Every size must work, at every stage.
func TestAnySize(t *testing.T) {
	s := fileStore(t, runLog(400))
	sc := open(t, s, views.ChartsRoute{}, 160, 45)
	for _, action := range []keymap.Action{
		keymap.ChartRight, keymap.ChartTrouble, keymap.ChartZoomIn, keymap.ChartLog, keymap.ChartX, keymap.ChartX, keymap.ChartX, keymap.ChartDown, keymap.ChartMetrics,
	} {
		sc.do(action)
		for _, width := range []int{1, 2, 10, 24, 39, 40, 59, 61, 129, 300} {
			for _, height := range []int{1, 2, 7, 8, 9, 17, 21, 90} {
				sc.size(width, height, "light", false)
			}
		}
	}
}

func TestTheCrosshairMovesByColumnsAndOpensTheLine(t *testing.T) {
	sc := open(t, fileStore(t, runLog(1600)), views.ChartsRoute{}, 120, 40)
	sc.shows("● live", "newest step 1,600")
	sc.do(keymap.ChartLeft)
	sc.shows("paused at 11:00:00", "crosshair step 1,5")
	c, i := sc.v.point()
	before := c.row(i).X
	sc.do(keymap.ChartFarLeft)
	c, i = sc.v.point()
	columns := 10 * 1600 / float64(sc.v.laid.frame.plot)
	if moved := before - c.row(i).X; math.Abs(moved-columns) > columns/5 {
		t.Errorf("ten columns are %.0f steps, want some %.0f", moved, columns)
	}
	effect := sc.do(keymap.ChartLine)
	logs, is := screentest.RouteOf[views.LogsRoute](effect)
	if !is || logs.Stream.File != "train.log" || logs.Line != c.row(i).Line {
		t.Errorf("enter opens %+v", effect)
	}
	again := open(t, sc.store, views.ChartsRoute{Stream: logs.Stream, Line: logs.Line}, 120, 40)
	if c2, i2 := again.v.point(); c2.row(i2).Line != logs.Line || again.v.tail.live {
		t.Errorf("opened at line %d the crosshair is at %d", logs.Line, c2.row(i2).Line)
	}
	sc.do(keymap.ChartLive)
	sc.shows("● live", "newest step 1,600")
}

func TestEveryColumnCanBeReached(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 120, 40)
	sc.do(keymap.ChartFirst)
	last := -1.0
	for range 500 {
		c, i := sc.v.point()
		if c.xs[i] <= last {
			break
		}
		last = c.xs[i]
		sc.do(keymap.ChartRight)
	}
	if last != 400 {
		t.Errorf("going right ends at step %g", last)
	}
}

func TestTroubleIsJumpedTo(t *testing.T) {
	sc := open(t, fileStore(t, runLog(1600)), views.ChartsRoute{}, 120, 40)
	sc.shows("NaN at step 1,280")
	steps := map[float64]bool{}
	for range 6 {
		sc.do(keymap.ChartTrouble)
		c, i := sc.v.point()
		steps[c.row(i).X] = true
	}
	if !steps[533] || !steps[1280] {
		t.Errorf("the spike at 533 and NaN at 1280 are to be reached: %v", steps)
	}
	for step := range steps {
		if step != 533 && step != 1280 {
			t.Errorf("step %g is no trouble", step)
		}
	}
	if effect := sc.do(keymap.ChartNextMark); screentest.In[views.Notice](effect).Failed || !strings.Contains(screentest.In[views.Notice](effect).Text, "checkpoint") {
		t.Errorf("the mark after the trouble is a checkpoint: %q", screentest.In[views.Notice](effect).Text)
	}
}

func TestLostStepsAndCheckpointsAreReported(t *testing.T) {
	sc := open(t, fileStore(t, runLog(1600)), views.ChartsRoute{}, 160, 40)
	sc.shows("lost steps: 159", "0 steps since the last checkpoint", "resumed")
	sc.v.put(sc.v.lines("loss", sc.v.rank)[0], 900)
	sc.shows("attempt 1/2", "done again later")
}

func TestZoomIsUndone(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 120, 40)
	sc.do(keymap.ChartFirst)
	whole := sc.v.view()
	sc.do(keymap.ChartZoomIn)
	half := sc.v.view()
	sc.do(keymap.ChartPanRight, keymap.ChartPanRight, keymap.ChartUndo)
	if sc.v.view() != half {
		t.Errorf("undoing two pans shows %v, want %v", sc.v.view(), half)
	}
	sc.do(keymap.ChartUndo)
	if sc.v.view() != whole {
		t.Errorf("undoing all shows %v, want %v", sc.v.view(), whole)
	}
	sc.do(keymap.ChartZoomTo, keymap.ChartFarRight, keymap.ChartZoomTo)
	if v := sc.v.view(); v.low != 1 || v.high >= 100 || v.high < 10 {
		t.Errorf("zooming to ten columns shows %v", v)
	}
	sc.v.Wheel(3, sc.f)
	sc.v.Drag(-5, sc.f)
	sc.do(keymap.ChartWhole)
	if sc.v.view() != whole {
		t.Errorf("the whole run is %v, want %v", sc.v.view(), whole)
	}
}

func TestLiveFollowsAndPausedCountsWhatIsNew(t *testing.T) {
	text := runLog(400)
	s := store.New(func() time.Time { return eight.Add(time.Hour) })
	id := train.StreamID{File: "train.log"}
	lines := strings.SplitAfter(text, "\n")
	read(s, id, strings.Join(lines[:200], ""))
	sc := open(t, s, views.ChartsRoute{}, 120, 40)
	before := sc.v.view()
	sc.do(keymap.ChartPause)
	s.Apply(store.Logged{Stream: id, Samples: samples(201, 230)})
	sc.shows("+30 new")
	if sc.v.view() != before {
		t.Error("a paused picture moved")
	}
	sc.do(keymap.ChartPause)
	if v := sc.v.view(); v.high != 230 {
		t.Errorf("live shows up to %g", v.high)
	}
}

// samples are steps from one to another, with a loss.
func samples(from, to int) []train.Sample {
	var all []train.Sample
	for i := from; i <= to; i++ {
		all = append(all, train.Sample{
			Line: int64(i * 2), Time: eight.Add(time.Duration(i) * time.Second), Rank: -1, Step: float64(i), HasStep: true,
			Metrics: []train.Metric{{Name: train.MetricLoss, Value: 5 / math.Sqrt(float64(i))}},
		})
	}
	return all
}

func TestRanksAreGreyAndTheOddOneIsNamed(t *testing.T) {
	s := store.New(func() time.Time { return eight.Add(time.Hour) })
	for rank := range 12 {
		id := train.StreamID{File: fmt.Sprintf("rank%d.log", rank)}
		s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Rank: rank, Job: "run"})
		all := samples(1, 300)
		for i := range all {
			all[i].Metrics[0].Value += float64(rank) / 1000
			all[i].Metrics = append(all[i].Metrics, train.Metric{Name: train.MetricStepTime, Value: 1 + float64(rank%3)/100})
			if rank == 7 {
				all[i].Metrics[1].Value = 1.9
			}
		}
		s.Apply(store.Logged{Stream: id, Samples: all})
	}
	sc := open(t, s, views.ChartsRoute{}, 140, 40)
	sc.shows("rank 0 of 12", "rank 7 1.900")
	sc.do(keymap.ChartRank)
	sc.shows("rank 1 of 12")
}

func TestLogsOpenAtTheRankThatIsShown(t *testing.T) {
	s := store.New(func() time.Time { return eight.Add(time.Hour) })
	for rank := range 3 {
		id := train.StreamID{File: fmt.Sprintf("rank%d.log", rank)}
		s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Rank: rank, Job: "run"})
		all := samples(1, 100)
		for i := range all {
			all[i].Metrics[0].Value += float64(rank)
		}
		s.Apply(store.Logged{Stream: id, Samples: all})
	}
	sc := open(t, s, views.ChartsRoute{}, 140, 40)
	sc.do(keymap.ChartRank, keymap.ChartRank)
	logs, is := screentest.RouteOf[views.LogsRoute](sc.do(keymap.ChartLogs))
	if !is || !slices.Equal(logs.Ranks, []int{2}) {
		t.Errorf("the logs open with ranks %v, want 2, which is shown", logs.Ranks)
	}
}

func TestMetricsAreChosen(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 160, 50)
	sc.do(keymap.ChartMetrics)
	if err := sc.v.SetFilter("memo"); err != nil {
		t.Fatal(err)
	}
	sc.do(keymap.Pick, keymap.PickDone)
	sc.shows("memory")
	sc.do(keymap.ChartDown)
	if sc.v.focused() != sc.v.shown[1] {
		t.Errorf("down draws %s large", sc.v.focused())
	}
	if err := sc.v.SetFilter("x"); err == nil {
		t.Error("charts took a filter")
	}
}

func TestCSV(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 160, 50)
	text := screentest.In[views.SaveFiles](sc.do(keymap.ChartSave)).Files[0].Text
	rows := strings.Split(strings.TrimSpace(text), "\n")
	if want := 1 + 240 + 200 + 8; len(rows) != want { // a header, two attempts, evaluations on lines of their own
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	if rows[0] != "rank,attempt,line,time,step,epoch,loss,lr,grad_norm,tokens_per_second,mfu,eval_loss" {
		t.Error(rows[0])
	}
	if !strings.HasPrefix(rows[1], "0,0,2,2026-11-20T08:00:02.") || !strings.Contains(text, ",NaN,") {
		t.Error(rows[1])
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] { // the log names steps and no epochs; a loss that is no number is one that it prints
		if record[4] == "" || record[4] == "NaN" || record[5] != "" {
			t.Fatalf("step %q, epoch %q", record[4], record[5])
		}
	}
	if copied := screentest.In[views.CopyText](sc.do(keymap.ChartCopy)).Text; !strings.HasPrefix(copied, "400 ") {
		t.Errorf("copied %q", copied)
	}
	if effect := sc.do(keymap.ChartCopyCSV); screentest.In[views.CopyText](effect).Text == "" && !screentest.In[views.Notice](effect).Failed {
		t.Errorf("%+v", effect)
	}
}

// Of a log whose curves were thinned, the file and the copy are reported to be a
// part.
func TestAPartOfTheCurvesIsSaidToBeOne(t *testing.T) {
	for limit, part := range map[int]bool{store.DefaultLimits.Values: false, 3_000: true} {
		s := store.New(func() time.Time { return eight.Add(3 * time.Hour) })
		limits := store.DefaultLimits
		limits.Values = limit
		s.SetLimits(limits)
		read(s, train.StreamID{File: "train.log"}, runLog(2_000))
		note := screentest.In[views.SaveFiles](open(t, s, views.ChartsRoute{}, 160, 50).do(keymap.ChartSave)).Note
		if strings.Contains(note, "curves -o csv has all") != part {
			t.Errorf("of %d values, a part: %t, it says %q", limit, part, note)
		}
	}
}

func TestGoTo(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 160, 50)
	f := func(text string, want float64) {
		t.Helper()
		sc.v.Answered(views.Question{}, text, sc.f)
		if c, i := sc.v.point(); c.row(i).X != want {
			t.Errorf("go to %s leads to step %g, want %g", text, c.row(i).X, want)
		}
	}
	f("120", 120)
	f("0.1k", 100)
	f("08:01", 26)
	f("08:01:30", 39)
	if effect := sc.v.Answered(views.Question{}, "nowhere", sc.f); !screentest.In[views.Notice](effect).Failed {
		t.Error("nowhere is a place")
	}
	if err := sc.v.Typed(views.Question{}, "x"); err == nil {
		t.Error("x is a place")
	}
}

func TestNothingToDrawSaysWhy(t *testing.T) {
	s := fileStore(t, "")
	sc := open(t, s, views.ChartsRoute{}, 100, 20)
	sc.shows("no line of a log has been read yet", "train.log: live")
	if got := sc.v.Scope(); got != keymap.NoLog {
		t.Errorf("the keys of %s are offered before a line was read", got)
	}
	read(s, train.StreamID{File: "train.log"}, "hello\nworld\n")
	sc.shows("nothing in 2 lines of the log reads as a training metric yet", "no line has numbers that come again")
	if got := sc.v.Scope(); got != keymap.NoCurves {
		t.Errorf("the keys of %s are offered, which do nothing without curves", got)
	}
	effect := sc.do(keymap.ChartZoomIn)
	if screentest.In[views.Notice](effect).Text == "" {
		t.Error("zooming into nothing says nothing")
	}
	gone := open(t, clusterStore(t), views.ChartsRoute{Job: "no such job"}, 100, 20)
	gone.shows("this job is there no more")
}

func TestClicks(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 120, 40)
	st := sc.v.laid.strips[1]
	sc.v.Click(sc.v.laid.frame.gutter+sc.v.laid.frame.plot/2, st.top, false, sc.f)
	if c, i := sc.v.point(); math.Abs(c.row(i).X-200) > 5 {
		t.Errorf("a click in the middle leads to step %g", c.row(i).X)
	}
	sc.v.Click(2, st.top, false, sc.f)
	if sc.v.focused() != st.metric {
		t.Errorf("a click on the name of %s draws %s large", st.metric, sc.v.focused())
	}
	effect := sc.v.Click(sc.v.laid.frame.gutter+5, sc.v.laid.strips[0].top, true, sc.f)
	if _, is := screentest.RouteOf[views.LogsRoute](effect); !is {
		t.Error("two clicks do not open the log")
	}
}

func TestProgressForTheTerminal(t *testing.T) {
	sc := open(t, fileStore(t, runLog(400)), views.ChartsRoute{}, 120, 40)
	if share, known := sc.v.Progress(sc.f); !known || share != 0.5 {
		t.Errorf("%g %v", share, known)
	}
}

func TestText(t *testing.T) {
	s := fileStore(t, runLog(400)).Snapshot()
	plain, err := themes.Named(themes.Plain, themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := Text(s.Run(s.LogJobs()[0]), s.LogJobs()[0], "train.log", 100, 24, plain)
	if strings.Contains(text, "\x1b") || strings.Count(text, "\n") != 24 {
		t.Errorf("%d lines:\n%q", strings.Count(text, "\n"), text)
	}
	golden.RequireEqual(t, text)
	if Text(nil, nil, "x", 80, 24, plain) != "" {
		t.Error("nothing has a chart")
	}
}

// A job that ended before the last step that its log counts to, as by early
// stopping, has no time left.
func TestNoTimeIsLeftOfAJobThatIsOver(t *testing.T) {
	run := fileStore(t, runLog(400)).Snapshot()
	plain, err := themes.Named(themes.Plain, themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for phase, left := range map[train.Phase]bool{train.Running: true, train.Succeeded: false, train.Failed: false, train.Suspended: false} {
		text := Text(run.Run(run.LogJobs()[0]), &train.Job{Phase: phase}, "x", 100, 24, plain)
		if strings.Contains(text, "ETA") != left || !strings.Contains(text, "step 400 of 800") {
			t.Errorf("%s:\n%s", phase, text)
		}
	}
}

func TestAFileStallsOnlyAfterItGrew(t *testing.T) {
	now := eight.Add(30 * 24 * time.Hour)
	s := store.New(func() time.Time { return now })
	id := train.StreamID{File: "train.log"}
	read(s, id, "")
	s.Apply(store.Logged{Stream: id, Samples: samples(1, 100)})
	sc := open(t, s, views.ChartsRoute{}, 120, 40)
	sc.shows("last step 29d ago")
	s.Apply(store.Logged{Stream: id, Samples: samples(101, 102)})
	if picture := sc.draw(); strings.Contains(picture, "stalled") {
		t.Errorf("a file that grows has stalled:\n%s", picture)
	}
	now = now.Add(3 * time.Minute)
	sc.shows("stalled: no step for 3m, median step 1 s")
	if picture := sc.draw(); strings.Contains(picture, "1 s/step") {
		t.Errorf("a run that has stalled has a rate:\n%s", picture)
	}
}
