package logs

import (
	"context"
	"fmt"
	"github.com/traintop/traintop/views/screentest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

func TestSearchLeadsThroughAllPanes(t *testing.T) {
	w := run(t, 8).steps(8, 300)
	w.says(6, 301, "\x1b[31mloss is NaN").says(6, 302, "x").says(2, 303, "also nan here")
	w.searches("NAN")
	w.shows("hit 2 of 2", "loss is NaN", "▌rank 6")
	w.does(keymap.NextMatch)
	w.shows("hit 1 of 2", "also nan here", "▌rank 2")
	w.does(keymap.NextMatch)
	w.shows("hit 2 of 2", "▌rank 6")
	w.does(keymap.PrevMatch)
	w.shows("hit 1 of 2", "▌rank 2")
	if !w.view.StepBack() || w.view.Filter() != "" {
		t.Error("one step back does not end the search")
	}
	w.searches("nowhere to be found")
	w.shows("0 hits")
	if e := w.does(keymap.NextMatch); screentest.In[views.Notice](e).Failed {
		t.Errorf("%+v", e)
	}
	if err := w.view.SetFilter("("); err == nil {
		t.Error("a broken expression was taken")
	}
}

// A search that reaches the last hit goes on at the first one and reports it, in
// panes and merged by time.
func TestSearchSaysWhenItWraps(t *testing.T) {
	for _, merged := range []bool{false, true} {
		w := run(t, 2).steps(2, 50)
		w.says(0, 60, "NaN one").says(1, 61, "NaN two").says(1, 62, "NaN three").steps(2, 5)
		if merged {
			w.does(keymap.LogMerge)
		}
		w.does(keymap.TextTop)
		w.searches("nan")
		w.shows("hit 1 of 3", "NaN one")
		w.does(keymap.NextMatch, keymap.NextMatch)
		w.shows("hit 3 of 3")
		w.hides("no further match")
		w.pressed(keymap.NextMatch, "no further match: on from the first one")
		w.shows("hit 1 of 3")
		w.pressed(keymap.PrevMatch, "no earlier match: on from the last one")
		w.shows("hit 3 of 3")
		w.searches("three")
		w.pressed(keymap.NextMatch, "there is no other match")
	}
}

// pressed carries out an action and expects a notice of the work that follows.
func (w *world) pressed(action keymap.Action, notice string) {
	w.t.Helper()
	w.look()
	if _, handled := w.view.Do(action, w.frame()); !handled {
		w.t.Fatalf("%s means nothing", action)
	}
	said := ""
	for f := w.frame(); ; f = w.frame() {
		w.view.Render(f)
		do := w.view.Work(f)
		if do == nil {
			break
		}
		if n, is := w.view.Worked(do(context.Background()), f).(views.Notice); is {
			said += n.Text
		}
	}
	if said != notice {
		w.t.Errorf("%s says %q, want %q", action, said, notice)
	}
}

func TestSearchCountsNewAndRedrawnLines(t *testing.T) {
	w := run(t, 1).says(0, 1, "match one").says(0, 2, "10%").searches("match|100%")
	w.shows("hit 1 of 1")
	w.store.Apply(store.Logged{Stream: file(0), Lines: []train.LogLine{{Number: 2, Text: "100%"}, {Number: 3, Text: "match"}}})
	w.shows("hit 1 of 3")
	w.store.Apply(store.StreamChanged{Stream: file(0), Rank: 0, Job: "run", Restart: true, Status: train.StreamStatus{State: train.StreamLive}})
	w.store.Apply(store.Logged{Stream: file(0), Lines: []train.LogLine{{Number: 1, Text: "match"}, {Number: 2, Text: "no"}}})
	w.shows("hit 1 of 1")
}

func TestFilter(t *testing.T) {
	w := run(t, 2)
	w.height = 60
	w.says(1, 0, "quiet")
	for i := range 100 {
		text := fmt.Sprint("debug ", i)
		if i%25 == 10 {
			text = fmt.Sprint("loss at ", i)
		}
		w.says(0, float64(i), text)
	}
	w.filters("loss")
	w.shows("loss at 10", "loss at 85", "no line matches &loss")
	w.hides("debug")
	w.filters("loss !85 -C 1")
	w.shows("loss at 60", "debug 59", "debug 61", "&loss !85 -C 1")
	w.hides("loss at 85", "debug 62")
	w.filters("!debug")
	w.shows("loss at 85", "quiet")
	w.hides("debug 1")
	w.says(0, 101, "loss is new").says(0, 102, "debug is not")
	w.shows("loss is new")
	w.hides("debug is not")
	if err := w.view.Typed(views.Question{Sign: askLineFilter}, "loss ("); err == nil {
		t.Error("a broken expression was taken")
	}
	w.shows("loss is new")
	if !w.view.StepBack() {
		t.Error("one step back does not take the filter away")
	}
	w.shows("debug is not")
}

func TestFilterGrammar(t *testing.T) {
	f := func(text string, want, not, context int) {
		t.Helper()
		n, err := parseLineFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(n.match.want) != want || len(n.match.not) != not || n.context != context {
			t.Errorf("%q: %d to stay, %d to go, context %d", text, len(n.match.want), len(n.match.not), n.context)
		}
	}
	f("", 0, 0, 0)
	f("loss", 1, 0, 0)
	f("!loss", 0, 1, 0)
	f("a b !c d !e", 1, 2, 0)
	f("a -C 3", 1, 0, 3)
	f("a -C3", 1, 0, 3)
	f("-C 3", 0, 0, 0)
	f("a!b", 1, 0, 0)
	f("a -C 99999999999999999999", 1, 0, maxContext)
}

func TestJumpsFromErrorToError(t *testing.T) {
	w := run(t, 3).steps(3, 100)
	w.says(1, 101, "ValueError: bad").steps(3, 50).says(1, 200, "E1120 10:03:20.000 1 x.go:1] worse")
	w.does(keymap.LogPrevError)
	w.shows("▌E1120", "▌rank 1")
	w.does(keymap.LogPrevError)
	w.shows("▌ValueError: bad")
	w.does(keymap.LogNextError)
	w.shows("▌E1120")
}

func TestGoTo(t *testing.T) {
	w := run(t, 1).steps(1, 2000)
	w.store.Apply(store.Logged{Stream: file(0), Samples: []train.Sample{
		{Line: 100, Step: 10, HasStep: true, Rank: -1}, {Line: 200, Step: 20, HasStep: true, Rank: -1}, {Line: 300, Step: 30, HasStep: true, Rank: -1},
		{Line: 1100, Step: 20, HasStep: true, Rank: -1}, {Line: 1200, Step: 30, HasStep: true, Rank: -1},
	}})
	w.does(keymap.LogStamps, keymap.LogStamps)
	f := func(text, want string) {
		t.Helper()
		w.look()
		if e := w.view.Answered(views.Question{Sign: askGoto}, text, w.frame()); screentest.In[views.Notice](e).Failed {
			t.Errorf("%q: %s", text, screentest.In[views.Notice](e).Text)
		}
		w.shows("▌" + want)
	}
	f("line 77", "10:01:16.000 [rank0]: step 76 done")
	f("10:05:30", "10:05:30.000")
	f("-2m", "10:31:20.000")
	f("2026-11-20 10:10", "10:10:00.000")
	f("step 20", "10:18:19.000 [rank0]: step 1099 done")
	f("25", "10:19:59.000 [rank0]: step 1199 done")
	f("step 10", "10:01:39.000 [rank0]: step 99 done")
	if err := w.view.Typed(views.Question{Sign: askGoto}, "nonsense"); err == nil {
		t.Error("nonsense is a place")
	}
	if e := w.view.Answered(views.Question{Sign: askGoto}, "step 99999", w.frame()); !screentest.In[views.Notice](e).Failed {
		t.Error("a step that no log tells of was found")
	}
}

func TestMergedByTime(t *testing.T) {
	w := run(t, 3)
	w.says(0, 1, "first").says(1, 2, "second").says(2, 3, "third").says(0, 4, "fourth").says(1, 4.5, "fifth")
	w.does(keymap.LogMerge)
	s := w.screen()
	at := -1
	for _, word := range []string{"first", "second", "third", "fourth", "fifth"} {
		if next := strings.Index(s, word); next < at {
			t.Errorf("%s is out of order:\n%s", word, s)
		} else {
			at = next
		}
	}
	w.shows("all 3 ranks by time")
	w.does(keymap.LogZoom)
	w.shows("rank 1", "fifth")
	w.hides("first")
}

// A jump stops once at a line that many ranks print, points to it, and
// continues from the beginning after the last.
func TestJumpsPassFoldedLinesOnce(t *testing.T) {
	w := run(t, 16)
	for r := range 16 {
		w.says(r, 1, "starting")
		w.says(r, 10+float64(r)/100, fmt.Sprintf("[rank%d]: ERROR connection reset", r))
	}
	w.says(3, 20, "ERROR out of memory")
	w.height = 10
	w.does(keymap.LogMerge)
	for range 2 {
		w.does(keymap.LogNextError)
		w.shows("▌×16│[rank0]: ERROR connection reset")
		w.does(keymap.LogNextError)
		w.shows("▌  3│ERROR out of memory")
	}
	w.does(keymap.LogPrevError)
	w.shows("▌×16│[rank0]: ERROR connection reset", "  3│ERROR out of memory")
}

// A line near the end is shown with as much above it as there is room for.
func TestMergedFillsTheScreen(t *testing.T) {
	w := run(t, 4).steps(4, 100)
	w.says(2, 99.5, "something else")
	w.height = 12
	w.does(keymap.LogMerge, keymap.LogHead)
	w.hides("something else")
	w.searches("something else")
	w.shows("step 89 done", "something else")
}

func TestEqualLinesFold(t *testing.T) {
	w := run(t, 64).steps(64, 20)
	w.says(7, 21, "something else")
	w.does(keymap.LogMerge)
	w.shows("×64│[rank0]: step 19 done", "  7│something else")
	if n := strings.Count(w.screen(), "×64"); n != 20 {
		t.Errorf("%d of 20 steps are folded:\n%s", n, w.screen())
	}
	w.does(keymap.LogFold)
	w.shows(" 63│[rank63]: step 19 done")
}

// Lines that are equal but for the rank they come from, and no others.
func TestFoldKey(t *testing.T) {
	f := func(a, b string, same bool) {
		t.Helper()
		if got := foldKey(a) == foldKey(b); got != same {
			t.Errorf("%q and %q: the same is %v", a, b, got)
		}
	}
	f("[rank0]: step 10 done", "[rank13]: step 10 done", true)
	f("[rank0]: step 10 done", "[rank0]: step 11 done", false)
	f("0: hello", "17: hello", true)
	f("[1,0]<stdout>: hello", "[1,23]<stdout>: hello", true)
	f("[3] hello", "[4] hello", true)
	f("2026-11-20 08:50:00,123 - INFO - global_rank=3 up", "2026-11-20 08:50:01,999 - INFO - global_rank=12 up", true)
	f("loss 2.31", "loss 2.32", false)
	f("\x1b[31mstep 1\x1b[0m", "step 1", true)
	f("GPU 3 has 5 GiB", "GPU 4 has 5 GiB", false)
	f("[Rank 3] Watchdog", "[Rank 4] Watchdog", true)
	f("", "x", false)
}

func TestMergedScrollsBackAndForth(t *testing.T) {
	w := run(t, 8).steps(8, 300)
	w.height = 10
	w.does(keymap.LogMerge, keymap.LineUp)
	w.shows("step 298 done", "paused")
	w.hides("step 299 done")
	for range 10 {
		w.does(keymap.TextPageUp)
	}
	up := w.screen()
	w.does(keymap.TextPageDn, keymap.TextPageUp)
	if again := w.screen(); again != up {
		t.Errorf("a page down and up leads elsewhere:\n%s\n%s", up, again)
	}
	if n := strings.Count(up, "×8│"); n != 10 {
		t.Errorf("%d of 10 lines are whole:\n%s", n, up)
	}
	w.does(keymap.TextTop)
	w.shows("step 0 done", "step 9 done")
	w.does(keymap.TextPageDn)
	w.shows("step 9 done", "step 18 done")
	w.does(keymap.LineDown)
	w.shows("step 19 done")
	w.does(keymap.TextBottom)
	w.shows("step 299 done", "follow")
	w.searches("step 150 done")
	w.shows("step 150 done")
}

// Whatever the times are, both directions return every line once, each log in
// its order, and one is the reverse of the other.
func TestTheWalkBackIsTheWalkOnTurnedRound(t *testing.T) {
	w := run(t, 5)
	times := []float64{0, 5, 5, 3, 9, 9, 12, 11, 11, 30, 31, 2, 40}
	for r := range 5 {
		for i, s := range times {
			w.says(r, s+float64(r%2), fmt.Sprint(r, " ", i))
		}
	}
	w.does(keymap.LogMerge)
	all := func(step int) []string {
		tracks := w.view.tracks()
		for _, tr := range tracks {
			if step < 0 {
				tr.At = tr.lines.Len()
			}
		}
		walk := walkFrom(tracks, step < 0, w.view.newSorts())
		var texts []string
		for {
			p, any := walk.take()
			if !any {
				return texts
			}
			texts = append(texts, p.line().Text)
		}
	}
	on, back := all(1), all(-1)
	if len(on) != 5*len(times) || len(back) != len(on) {
		t.Fatalf("%d lines on, %d back, of %d", len(on), len(back), 5*len(times))
	}
	slices.Reverse(back)
	if !slices.Equal(on, back) {
		t.Errorf("the order back is another one:\n%q\n%q", on, back)
	}
	for r := range 5 {
		var seen []string
		for _, text := range on {
			if strings.HasPrefix(text, fmt.Sprint(r, " ")) {
				seen = append(seen, text)
			}
		}
		for i := range seen {
			if seen[i] != fmt.Sprint(r, " ", i) {
				t.Errorf("rank %d: line %d is %q", r, i, seen[i])
			}
		}
	}
}

func TestWhoIsDifferent(t *testing.T) {
	w := run(t, 16).steps(16, 60)
	w.does(keymap.LogDifferent)
	w.shows("no rank differs")
	for r := range 16 {
		switch r {
		case 3:
			w.says(r, 61, "[rank3]: torch.OutOfMemoryError: CUDA out of memory")
		case 5: // stays silent
		case 9:
			w.says(r, 120, "[rank9]: retrying shard 17")
		default:
			w.says(r, 120, fmt.Sprintf("[rank%d]: step 60 done", r))
		}
	}
	w.shows("3 of 16 ranks", "tells of an error", "silent for", "reads like no recent one")
	s := w.screen()
	if e, q, d := strings.Index(s, "tells of"), strings.Index(s, "silent for"), strings.Index(s, "reads like"); e > q || q > d {
		t.Errorf("the gravest does not come first:\n%s", s)
	}
	w.does(keymap.Open)
	w.shows("1 of 16 ranks", "OutOfMemoryError")
}

func TestCopyIsBoundedAndSaysSo(t *testing.T) {
	w := run(t, 1).steps(1, 10)
	if e := w.does(keymap.CopyText); !strings.HasSuffix(screentest.In[views.CopyText](e).Text, "[rank0]: step 9 done\n") || strings.Count(screentest.In[views.CopyText](e).Text, "\n") != 10 {
		t.Errorf("copied %q", screentest.In[views.CopyText](e).Text)
	}
	w.steps(1, 20_000)
	e := w.does(keymap.CopyText)
	if len(screentest.In[views.CopyText](e).Text) > mostCopied || !strings.Contains(screentest.In[views.CopyText](e).Notice, "of 20,010 lines") || !strings.Contains(screentest.In[views.CopyText](e).Notice, "ctrl-s") {
		t.Errorf("copied %d bytes: %s", len(screentest.In[views.CopyText](e).Text), screentest.In[views.CopyText](e).Notice)
	}
	w.says(0, 99, strings.Repeat("é", mostCopied))
	if e := w.does(keymap.CopyText); len(screentest.In[views.CopyText](e).Text) > mostCopied {
		t.Errorf("copied %d bytes", len(screentest.In[views.CopyText](e).Text))
	}
}

func TestSavedFilesAreNamedByRankAndAttempt(t *testing.T) {
	w := run(t, 4).steps(3, 4)
	w.look()
	w.view.Do(keymap.SaveText, w.frame())
	f := w.frame()
	effect, is := w.view.Work(f)(context.Background()).(views.Effect)
	if !is || len(screentest.In[views.SaveFiles](effect).Files) != 3 {
		t.Fatalf("saving gives %+v", effect)
	}
	if !strings.Contains(screentest.In[views.SaveFiles](effect).Note, "nothing was read yet of 1 rank") {
		t.Errorf("nobody says that rank 3 is not saved: %q", screentest.In[views.SaveFiles](effect).Note)
	}
	for r, file := range screentest.In[views.SaveFiles](effect).Files {
		if want := fmt.Sprintf("run-rank%d-attempt1.log", []int{0, 1, 2}[r]); file.Name != want {
			t.Errorf("file %d is %s, want %s", r, file.Name, want)
		}
		if strings.Count(file.Text, "\n") != 4 {
			t.Errorf("%s holds %q", file.Name, file.Text)
		}
	}
}

// A search for a slow pattern without hits must stop when the next one starts.
func TestANewSearchEndsTheOneUnderWay(t *testing.T) {
	w := run(t, 1).steps(1, 200_000)
	w.look()
	if err := w.view.SetFilter(`(\d+x?){12}$`); err != nil {
		t.Fatal(err)
	}
	do := w.view.Work(w.frame())
	if err := w.view.SetFilter("step 199990 done"); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if l, is := do(context.Background()).(landed); !is || !l.cut {
		t.Errorf("the work went on: %+v", l)
	}
	if took := time.Since(begun); took > time.Second {
		t.Errorf("it took %s", took)
	}
	w.shows("step 199990 done", "hit 1 of 1")
}

// A stream that was just opened begins with old lines: they prove nothing.
func TestRanksStillBeingReadAreNotSilent(t *testing.T) {
	w := run(t, 4).steps(4, 10)
	for s := 10; s < 300; s++ {
		for r := range 3 {
			w.says(r, float64(s), fmt.Sprintf("[rank%d]: step %d done", r, s))
		}
	}
	opened := func(at time.Time) {
		w.store.Apply(store.StreamChanged{Stream: file(3), Rank: 3, Job: "run", Status: train.StreamStatus{State: train.StreamLive, Since: at}})
	}
	opened(w.now)
	w.does(keymap.LogDifferent)
	w.shows("0 of 4 ranks, still reading 1 of them")
	w.now = w.now.Add(time.Minute)
	w.look()
	w.shows("1 of 4 ranks", "silent for")
	w.hides("still reading")
}
