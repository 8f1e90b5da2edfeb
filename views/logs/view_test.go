package logs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

func TestPanesFollowAndPause(t *testing.T) {
	w := run(t, 4).steps(4, 100)
	w.shows("4 of 4 ranks", "follow", "[rank0]: step 99 done", "[rank3]: step 99 done")
	w.does(keymap.LogFollow)
	for i := range 12 {
		w.says(0, 101+float64(i), fmt.Sprint("late ", i))
	}
	w.shows("paused", "+12 new", "[rank0]: step 99 done")
	w.hides("late 11")
	w.does(keymap.LogFollow)
	w.shows("late 11", "follow")
}

func TestAllThatIsKeptScrolls(t *testing.T) {
	w := run(t, 1).steps(1, 5000)
	w.does(keymap.TextTop)
	w.shows("step 0 done", "paused")
	w.does(keymap.TextPageDn, keymap.LineDown, keymap.LineUp)
	w.shows("step 38 done")
	w.does(keymap.TextBottom)
	w.shows("step 4999 done", "follow")
	w.does(keymap.LineUp)
	w.shows("step 4998 done", "paused")
	w.hides("step 4999 done")
	w.does(keymap.LineDown)
	w.shows("step 4999 done", "follow")
}

func TestLinesThatGoAwayLeaveThePlace(t *testing.T) {
	w := run(t, 1)
	w.store.SetLimits(store.Limits{LogBytes: 40_000})
	w.steps(1, 500)
	w.does(keymap.LogFollow, keymap.TextPageUp)
	w.shows("step 459 done")
	w.says(0, 501, "more")
	w.shows("step 459 done", "+1 new")
	w.steps(1, 5000)
	w.does(keymap.TextTop)
	w.shows("older lines dropped, R loads them again")
	effect := w.does(keymap.LogReload)
	if screentest.In[views.SetLogLimit](effect).Stream != file(0) || screentest.In[views.SetLogLimit](effect).Bytes < 100_000 {
		t.Errorf("loading again asks for %+v", screentest.In[views.SetLogLimit](effect))
	}
}

func TestPanesScrollInStepByTime(t *testing.T) {
	w := run(t, 2)
	w.height = 20
	for s := range 200 {
		w.says(0, float64(s), fmt.Sprint("a at ", s))
		if s%10 == 0 {
			w.says(1, float64(s)+0.5, fmt.Sprint("b at ", s))
		}
	}
	w.does(keymap.LogFollow, keymap.TextPageUp, keymap.TextPageUp, keymap.TextPageUp, keymap.TextPageUp)
	at := w.view.moment()
	if at.IsZero() {
		t.Fatal("the panes are not in step")
	}
	second := int(at.Sub(ten).Seconds())
	w.shows(fmt.Sprint("a at ", second), "in step ")
	last := (second - 1) / 10 * 10
	w.shows(fmt.Sprint("b at ", last))
	w.hides(fmt.Sprint("b at ", last+10))
	w.does(keymap.LogInStep, keymap.LogNextPane, keymap.TextBottom)
	w.shows("b at 190")
}

func TestTheGridTakesWhatHasRoom(t *testing.T) {
	f := func(ranks, width, height, panes, want int) {
		t.Helper()
		w := run(t, ranks).steps(ranks, 3)
		w.width, w.height, w.view.panes = width, height, panes
		w.look()
		if got := len(w.view.grid.boxes); got != want {
			t.Errorf("%d ranks on %dx%d, %d asked for: %d panes, want %d", ranks, width, height, panes, got, want)
		}
		covered := 0
		for _, b := range w.view.grid.boxes {
			covered += b.width * b.height
			if b.width < min(leastWide, width) || b.height < min(leastHigh, height) {
				t.Errorf("%d ranks on %dx%d: a pane of %dx%d", ranks, width, height, b.width, b.height)
			}
		}
		if dividers := width*height - covered; dividers < 0 || dividers > 3*height {
			t.Errorf("%d ranks on %dx%d: %d cells are no pane's", ranks, width, height, dividers)
		}
	}
	f(1, 160, 40, 0, 1)
	f(2, 160, 40, 0, 2)
	f(3, 160, 40, 0, 3)
	f(64, 160, 40, 0, 6)
	f(64, 200, 55, 0, 6)
	f(64, 240, 55, 0, 12)
	f(64, 80, 19, 0, 2)
	f(64, 160, 40, 16, 16)
	f(64, 80, 19, 16, 6)
	f(64, 24, 3, 0, 1)
	f(64, 40, 8, 9, 2)
}

func TestPagesAndZoom(t *testing.T) {
	w := run(t, 16).steps(16, 5)
	w.shows("6 of 16 ranks, page 1 of 3")
	w.does(keymap.LogNextPage)
	w.shows("page 2 of 3")
	w.does(keymap.LogPrevPage, keymap.LogPrevPage)
	w.shows("6 of 16 ranks, page 3 of 3")
	w.does(keymap.LogZoom)
	w.shows("1 of 16 ranks")
	if len(w.view.grid.boxes) != 1 {
		t.Errorf("%d panes in full size", len(w.view.grid.boxes))
	}
	if !w.view.StepBack() || w.view.StepBack() {
		t.Error("one step back leads from full size to the grid, and the next out")
	}
}

func TestRanksArePicked(t *testing.T) {
	w := run(t, 16).steps(16, 5)
	w.does(keymap.LogRankList)
	w.shows("which ranks", "16 ranks", "LAST LINE")
	w.does(keymap.Down, keymap.Down, keymap.Down, keymap.Mark, keymap.Mark, keymap.LogShowRanks)
	w.shows("2 of 16 ranks", "[rank3]", "[rank4]")
	w.hides("[rank5]")
	w.does(keymap.LogRankList, keymap.LogAllRanks)
	w.shows("of 16 ranks, page 1")
}

func TestStampsMarkersAndClearing(t *testing.T) {
	w := run(t, 1).steps(1, 30)
	w.does(keymap.LogStamps, keymap.LogStamps)
	w.shows("10:00:29.000 [rank0]", "UTC")
	w.does(keymap.LogStamps)
	w.shows("+00:00:29")
	w.does(keymap.LogMarker)
	w.says(0, 31, "after the marker")
	w.look()
	at := strings.Index(w.screen(), "────────")
	if after := strings.Index(w.screen(), "after the marker"); at < 0 || after < at {
		t.Errorf("no marker before the new line:\n%s", w.screen())
	}
	w.does(keymap.LogClear)
	w.shows("cleared", "31 lines hidden")
	w.says(0, 32, "anew")
	w.shows("anew")
	w.hides("after the marker")
	w.does(keymap.LogMinute)
	w.shows("anew", "last 60s")
	for _, want := range []string{"lines of all times", ""} {
		if notice := screentest.In[views.Notice](w.does(keymap.LogTail)); notice.Text != want {
			t.Errorf("the end without a limit says %q, want %q", notice.Text, want)
		}
	}
	w.now = w.now.Add(5e11)
	w.does(keymap.LogMinute)
	w.shows("no line in the last 60s")
}

func TestWrapShowsAllOfALine(t *testing.T) {
	w := run(t, 1)
	w.width = 40
	w.says(0, 1, strings.Repeat("abcdefghi ", 20)+"the end")
	w.hides("the end")
	w.does(keymap.Wrap)
	w.shows("the end", "wrap")
	w.does(keymap.Wrap, keymap.ScrollRight, keymap.ScrollRight)
	w.shows(" ghi abcdefghi")
}

func TestWhyAPaneIsEmpty(t *testing.T) {
	f := func(status train.StreamStatus, want ...string) {
		t.Helper()
		w := run(t, 1)
		w.store.Apply(store.StreamChanged{Stream: file(0), Rank: 0, Job: "run", Status: status})
		w.shows(want...)
	}
	f(train.StreamStatus{State: train.StreamLive, Since: ten}, "no output yet")
	f(train.StreamStatus{State: train.StreamOpening}, "opening the log")
	f(train.StreamStatus{State: train.StreamForbidden, Text: `pods "x" is forbidden: user "me" cannot get resource "pods/log"`}, "not allowed", "cannot get resource")
	f(train.StreamStatus{State: train.StreamGone, Text: "the node gpu-3 is gone"}, "gone", "gpu-3")
	f(train.StreamStatus{State: train.StreamFailed}, "cannot be read")
	f(train.StreamStatus{State: train.StreamRetrying, Text: "connection refused", Retry: ten.Add(4e9)}, "connection refused", "next try in 4s")
	f(train.StreamStatus{State: train.StreamEnded}, "ended without a line")
	f(train.StreamStatus{State: train.StreamStopped}, "not followed now")
}

func TestNoSizeBreaksAnyScreen(t *testing.T) {
	w := run(t, 5).steps(5, 50)
	w.says(2, 51, "\x1b[31m日本語 "+strings.Repeat("wide 語 ", 40))
	for _, mode := range []struct {
		name    string
		actions []keymap.Action
	}{
		{"grid", nil}, {"wrapped", []keymap.Action{keymap.Wrap}}, {"stamped", []keymap.Action{keymap.LogStamps}},
		{"merged", []keymap.Action{keymap.LogMerge}}, {"ranks", []keymap.Action{keymap.LogRankList}},
		{"paused", []keymap.Action{keymap.LogMerge, keymap.LogFollow}},
	} {
		w.does(mode.actions...)
		for _, width := range []int{1, 2, 5, 20, 24, 39, 40, 81, 130, 200} {
			for _, height := range []int{1, 2, 3, 4, 5, 8, 21, 60} {
				w.width, w.height = width, height
				w.look()
				if len(w.shown) != height {
					t.Fatalf("%s: %d lines on %dx%d", mode.name, len(w.shown), width, height)
				}
				for _, line := range w.shown {
					if n := ansi.StringWidth(line); n > width {
						t.Fatalf("%s: %d cells on %dx%d: %q", mode.name, n, width, height, line)
					}
				}
				w.view.Do(keymap.LineUp, w.frame())
			}
		}
		w.view.layer = layerNone
	}
}

func TestASCIIHasNothingElse(t *testing.T) {
	w := run(t, 6).steps(6, 50)
	w.ascii = true
	for _, a := range []keymap.Action{keymap.LogFollow, keymap.LogMerge, keymap.LogMerge, keymap.Wrap, keymap.LogRankList} {
		w.does(a)
		for _, r := range w.screen() {
			if r > 0x7e {
				t.Fatalf("%s: %q is not ASCII:\n%s", a, r, w.screen())
			}
		}
	}
}

func TestWhatIsWanted(t *testing.T) {
	w := run(t, 2).steps(2, 3)
	w.look()
	wants := w.view.Streams(w.frame())
	if len(wants) != 1 || wants[0].Job != w.view.id || wants[0].Ranks != nil {
		t.Errorf("files want %+v", wants)
	}
}

func TestItBeginsAtALine(t *testing.T) {
	w := run(t, 8).steps(8, 500)
	w.view = New(views.LogsRoute{Job: w.view.id, Stream: file(5), Line: 251})
	w.shows("[rank5]: step 250 done", "paused", "▌rank 5")
	w.view = New(views.LogsRoute{Job: w.view.id, Ranks: []int{3, 4}})
	w.shows("2 of 8 ranks", "rank 3", "rank 4")
	w.view = New(views.LogsRoute{Job: w.view.id, Ranks: []int{6}})
	w.shows("1 of 8 ranks", "[rank6]")
	if w.view.StepBack() {
		t.Error("the way back from a rank's log leads to other ranks")
	}
}

func TestTheChartsOpenAtTheLine(t *testing.T) {
	w := run(t, 2).steps(2, 100)
	e := w.does(keymap.LogCharts)
	if charts, is := screentest.RouteOf[views.ChartsRoute](e); !is || charts.Stream != file(0) || charts.Line != 100 {
		t.Errorf("x opens %+v", e)
	}
	w.does(keymap.LogMerge)
	e = w.does(keymap.LogCharts)
	if charts, _ := screentest.RouteOf[views.ChartsRoute](e); charts.Line != 100 {
		t.Errorf("x in the merged lines opens %+v", e)
	}
}

// Panes are in rank order, also where the last rank or one in the middle
// prints most; the focus begins there.
func TestPanesAreInRankOrder(t *testing.T) {
	w := run(t, 4).steps(4, 30)
	w.store.Apply(store.Logged{Stream: file(2), Samples: []train.Sample{{Line: 1, Step: 1, HasStep: true, Rank: -1, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2}}}}})
	w.look()
	screen, last := w.screen(), -1
	for rank := range 4 {
		at := strings.Index(screen, fmt.Sprintf("rank %d ", rank))
		if at < last {
			t.Fatalf("rank %d is before the one below it:\n%s", rank, screen)
		}
		last = at
	}
	w.shows("▌rank 2")
}

// A job that grows keeps the focus at its rank.
func TestFocusStaysWhenRanksJoin(t *testing.T) {
	w := run(t, 3).steps(3, 30)
	w.does(keymap.LogNextPane)
	w.shows("▌rank 1")
	w.store.Apply(store.StreamChanged{Stream: file(3), Rank: 3, Job: "run", Status: train.StreamStatus{State: train.StreamLive}})
	w.shows("▌rank 1", "rank 3")
}

// The last page shows as many panes as the others do.
func TestTheLastPageIsFilled(t *testing.T) {
	w := run(t, 5).steps(5, 30)
	w.does(keymap.LogFewerPanes, keymap.LogNextPage)
	w.shows("page 2 of 2", "rank 1 ", "▌rank 4 ")
}

// Every rank of the list shows why it has no line, on the page or not, and ranks
// of several roles have their place in the role.
func TestEachRankSaysWhyItHasNoLine(t *testing.T) {
	w := &world{t: t, now: ten, width: 160, height: 40}
	w.store = store.New(func() time.Time { return w.now })
	replicas := func(n int64) map[string]any { return map[string]any{"replicas": n} }
	w.store.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "TFJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "TFJob",
		"metadata": map[string]any{"name": "bert", "namespace": "ml", "uid": "bert", "creationTimestamp": ten.Format(time.RFC3339)},
		"spec":     map[string]any{"tfReplicaSpecs": map[string]any{"Chief": replicas(1), "Worker": replicas(8)}},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": "Created", "status": "True"}}},
	}}})
	w.view = New(views.LogsRoute{Job: "bert"})
	w.look()
	w.shows("its pod was not read")
	w.store.Apply(store.Listed{Kind: kinds.PodKind})
	w.look()
	w.shows("no pod yet", "rank 1", "Worker 0")
	w.does(keymap.LogRankList)
	w.shows("9 ranks", "Worker 7")
	if got := strings.Count(w.screen(), "no pod yet"); got < 9 {
		t.Errorf("%d of 9 ranks say why they have no line:\n%s", got, w.screen())
	}
}
