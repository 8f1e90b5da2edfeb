package charts

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// sweep is a store with three runs of a sweep and a log without metrics. The
// second run is longer and its loss is higher; the third is short and has no
// learning rate.
func sweep(t testing.TB) *store.Store {
	t.Helper()
	s := store.New(func() time.Time { return eight.Add(time.Hour) })
	run := func(name string, steps int, level float64, lr bool) {
		id := train.StreamID{File: name}
		read(s, id, "")
		var all []train.Sample
		for i := 1; i <= steps; i++ {
			one := train.Sample{
				Line: int64(i * 2), Time: eight.Add(time.Duration(i) * time.Second), Rank: -1, Step: float64(i), HasStep: true,
				Metrics: []train.Metric{{Name: train.MetricLoss, Value: level + 5/math.Sqrt(float64(i))}, {Name: train.MetricGradNorm, Value: level}},
			}
			if lr {
				one.Metrics = append(one.Metrics, train.Metric{Name: train.MetricLR, Value: 3e-4 * level})
			}
			all = append(all, one)
		}
		s.Apply(store.Logged{Stream: id, Samples: all})
	}
	run("llama-3-8b-sft-lr3e-4.log", 400, 1, true)
	run("llama-3-8b-sft-lr3e-3.log", 900, 30, true)
	run("llama-3-8b-sft-lr1e-5.log", 20, 2, false)
	read(s, train.StreamID{File: "notes.log"}, "hello\nworld\n")
	return s
}

// overlaid opens the charts of the first run of a sweep.
func overlaid(t testing.TB, s *store.Store, width, height int) *screen {
	t.Helper()
	for _, j := range s.Snapshot().LogJobs() {
		if j.Ref.Name == "llama-3-8b-sft-lr3e-4.log" {
			return open(t, s, views.ChartsRoute{Job: j.ID}, width, height)
		}
	}
	t.Fatal("no such run")
	return nil
}

// The axes hold all of every run that is laid over, each strip shows all of
// them, and their names are written in full.
func TestOtherRunsAreLaidOver(t *testing.T) {
	sc := overlaid(t, sweep(t), 140, 40)
	sc.do(keymap.ChartOthers)
	sc.shows("lr1e-5.log", "lr3e-3.log", "[ ]", "(1 without curves)")
	if strings.Contains(sc.draw(), "notes.log") {
		t.Error("a log without curves is offered")
	}
	sc.do(keymap.Pick, keymap.PickDown, keymap.Pick, keymap.PickDone)
	sc.shows("a llama-3-8b-sft-lr1e-5.log", "b llama-3-8b-sft-lr3e-3.log")
	if w := sc.v.view(); w.high != 900 {
		t.Errorf("the x axis ends at %g, the longest run at 900", w.high)
	}
	for _, metric := range []string{train.MetricLoss, train.MetricGradNorm, train.MetricLR} {
		if r := sc.v.drawn[metric].yRange; r.high < sc.v.others[1].curves(metric)[0].track.Values[800] {
			t.Errorf("the y axis of %s ends at %g", metric, r.high)
		}
	}
	if strings.Contains(sc.draw(), "outside") {
		t.Error("all is in sight, and something is said to be outside")
	}
	if wants := sc.v.Streams(sc.f); len(wants) != 3 || !wants[1].Whole {
		t.Errorf("streams wanted: %+v", wants)
	}
	t.Run("140x40", func(t *testing.T) { golden.RequireEqual(t, sc.draw()) })
	sc.size(60, 24, "dark", false)
	t.Run("60x24", func(t *testing.T) { golden.RequireEqual(t, sc.draw()) })
}

// A point that a zoom or a fixed axis leaves out is reported, and 0 shows it.
func TestWhatIsOutsideIsSaid(t *testing.T) {
	sc := overlaid(t, sweep(t), 140, 40)
	sc.do(keymap.ChartY, keymap.ChartY) // fixed
	sc.do(keymap.ChartOthers, keymap.PickDown, keymap.Pick, keymap.PickDone)
	sc.shows("a llama-3-8b-sft-lr3e-3.log (outside the range)", "0 shows all")
	sc.do(keymap.ChartWhole)
	if strings.Contains(sc.draw(), "outside the range") {
		t.Error("0 does not show all")
	}
	sc.do(keymap.ChartOthers, keymap.Pick, keymap.PickDone, keymap.ChartFirst, keymap.ChartFarRight, keymap.ChartFarRight, keymap.ChartZoomIn, keymap.ChartZoomIn)
	sc.shows("llama-3-8b-sft-lr1e-5.log (outside the range)")
}

// Enter takes the row under the cursor where none was marked, esc nothing.
func TestListsAreTakenOrLeft(t *testing.T) {
	sc := overlaid(t, sweep(t), 140, 40)
	sc.do(keymap.ChartOthers, keymap.PickDone)
	sc.shows("a llama-3-8b-sft-lr1e-5.log")
	sc.do(keymap.ChartOthers, keymap.Pick, keymap.PickDown, keymap.Pick)
	if !sc.v.StepBack() {
		t.Error("esc does not close the list")
	}
	sc.shows("a llama-3-8b-sft-lr1e-5.log")
	if len(sc.v.others) != 1 {
		t.Errorf("esc took %d runs", len(sc.v.others))
	}
	sc.do(keymap.ChartOthers, keymap.Pick, keymap.PickDone)
	if len(sc.v.others) != 0 {
		t.Error("a mark that was taken back stays")
	}
}

// A job that was laid over another one is there when its charts are opened again.
func TestOverlaysAreKept(t *testing.T) {
	s := sweep(t)
	sc := overlaid(t, s, 140, 40)
	sc.do(keymap.ChartOthers, keymap.PickDone)
	state := sc.v.State()
	again := overlaid(t, s, 140, 40)
	again.v.Restore(state)
	again.shows("a llama-3-8b-sft-lr1e-5.log")
	other := open(t, s, views.ChartsRoute{Job: sc.v.others[0].id}, 140, 40)
	other.v.Restore(state)
	if strings.Contains(other.draw(), "a llama") {
		t.Error("it is laid over another job as well")
	}
	if both := other.v.State().After(state); len(both.Overlays) != 1 {
		t.Errorf("%d overlays are kept, want that of the first job", len(both.Overlays))
	}
}

// On a live cluster jobs whose logs were not read are offered, too.
func TestJobsNotReadYetAreOffered(t *testing.T) {
	s := clusterStore(t)
	read(s, train.StreamID{File: "train.log"}, "")
	s.Apply(store.Logged{Stream: train.StreamID{File: "train.log"}, Samples: samples(1, 100)})
	sc := open(t, s, views.ChartsRoute{}, 140, 40)
	notice, is := sc.do(keymap.ChartOthers).(views.Notice)
	if !is || !strings.Contains(notice.Text, "has curves") {
		t.Errorf("without a cluster %+v", notice)
	}
	sc.f.FollowsLogs = true
	if notice := screentest.In[views.Notice](sc.do(keymap.ChartOthers)); notice.Text != "" {
		t.Error(notice.Text)
	}
	sc.shows("log not read yet")
}
