package logs

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// benchKept is how many lines are kept of each of 64 ranks; KEPT sets it, since
// a million of each take gigabytes.
func benchKept(b *testing.B) int {
	b.Helper()
	if n, err := strconv.Atoi(os.Getenv("KEPT")); err == nil {
		return n
	}
	return 20_000
}

// filled is a run of 64 ranks with so many lines each, ten a second.
func filled(tb testing.TB, ranks, lines int) *world {
	tb.Helper()
	w := run(tb, ranks)
	w.width, w.height = 160, 45 // the body of a terminal of 160x50
	w.store.SetLimits(store.Limits{LogBytes: 1 << 40, AllLogBytes: 1 << 40})
	for r := range ranks {
		batch := make([]train.LogLine, 0, 10_000)
		for i := range lines {
			batch = append(batch, train.LogLine{
				Number: int64(i + 1), Time: ten.Add(time.Duration(i)*100*time.Millisecond + time.Duration(r)*time.Millisecond),
				Text: "[rank" + strconv.Itoa(r) + "]: step " + strconv.Itoa(i) + " done",
			})
			if len(batch) == cap(batch) || i == lines-1 {
				w.store.Apply(store.Logged{Stream: file(r), Lines: batch})
				batch = batch[:0]
			}
		}
		w.next[r] = int64(lines)
	}
	w.now = ten.Add(time.Duration(lines) * 100 * time.Millisecond)
	return w
}

// BenchmarkScreen draws each of the screens for a body of 160x45.
func BenchmarkScreen(b *testing.B) {
	w := filled(b, 64, benchKept(b))
	for _, screen := range []struct {
		name    string
		panes   int
		actions []keymap.Action
	}{
		{"grid of 6", 0, nil},
		{"grid of 16", 16, nil},
		{"one", 1, nil},
		{"wrapped and stamped", 16, []keymap.Action{keymap.Wrap, keymap.LogStamps}},
		{"in step", 16, []keymap.Action{keymap.LogFollow, keymap.TextPageUp}},
		{"merged and folded", 0, []keymap.Action{keymap.LogMerge}},
		{"merged and paused", 0, []keymap.Action{keymap.LogMerge, keymap.LogFollow}},
		{"merged, unfolded", 0, []keymap.Action{keymap.LogMerge, keymap.LogFold}},
		{"ranks", 0, []keymap.Action{keymap.LogRankList}},
	} {
		b.Run(screen.name, func(b *testing.B) {
			w.view = New(views.LogsRoute{Job: w.view.id})
			w.view.panes = screen.panes
			w.does(screen.actions...)
			f := w.frame()
			b.ReportAllocs()
			for b.Loop() {
				w.view.Render(f)
				w.view.Title(f)
			}
		})
	}
}

// BenchmarkBatch is a redraw when every rank printed a line.
func BenchmarkBatch(b *testing.B) {
	w := filled(b, 64, benchKept(b))
	for _, merged := range []bool{false, true} {
		b.Run(fmt.Sprintf("merged=%v", merged), func(b *testing.B) {
			w.view = New(views.LogsRoute{Job: w.view.id})
			w.view.merged = merged
			w.look()
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				for r := range 64 {
					w.says(r, w.now.Sub(ten).Seconds(), "[rank"+strconv.Itoa(r)+"]: one more")
				}
				f := w.frame()
				b.StartTimer()
				w.view.Render(f)
				w.view.Title(f)
			}
		})
	}
}

// BenchmarkScroll is a page up and its redraw.
func BenchmarkScroll(b *testing.B) {
	w := filled(b, 64, benchKept(b))
	for _, merged := range []bool{false, true} {
		b.Run(fmt.Sprintf("merged=%v", merged), func(b *testing.B) {
			w.view = New(views.LogsRoute{Job: w.view.id})
			w.view.merged = merged
			w.look()
			f := w.frame()
			b.ReportAllocs()
			for b.Loop() {
				w.view.Do(keymap.TextPageUp, f)
				w.view.Render(f)
			}
		})
	}
}

// BenchmarkFirstHit is a search for the only hit, which is the oldest of a
// million lines of one log: from the key to the line on the screen.
func BenchmarkFirstHit(b *testing.B) {
	w := run(b, 1)
	w.width, w.height = 160, 45
	w.store.SetLimits(store.Limits{LogBytes: 1 << 40, AllLogBytes: 1 << 40})
	w.says(0, 0, "the needle that is looked for")
	w.next[0] = 1
	for range 100 {
		batch := make([]train.LogLine, 0, 10_000)
		for range 10_000 {
			w.next[0]++
			batch = append(batch, train.LogLine{Number: w.next[0], Time: ten, Text: "step " + strconv.Itoa(int(w.next[0])) + " | loss 2.3145 | lr 2.9e-05 | grad_norm 0.81 | tokens/s 12345.6 | mfu 41.2 % | memory 71.2"})
		}
		w.store.Apply(store.Logged{Stream: file(0), Lines: batch})
	}
	for _, pattern := range []string{"needle", "Needle that", `n.e+dle\s`, `[a-z]{6} (that|which)`} {
		b.Run(pattern, func(b *testing.B) {
			w.view.setSearch("")
			w.look()
			f := w.frame()
			b.ReportAllocs()
			for b.Loop() {
				w.view.followAll()
				if err := w.view.SetFilter(pattern); err != nil {
					b.Fatal(err)
				}
				l := w.view.Work(f)(context.Background())
				w.view.Worked(l, f)
				w.view.Render(f)
				if w.view.focused().pane.target != 1 {
					b.Fatalf("the hit is not on the screen: %+v", l)
				}
			}
		})
	}
}
