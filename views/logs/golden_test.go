package logs

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// training is a run of eight ranks as torchtitan prints it (torchtitan
// v0.2.0, components/metrics.py and tools/logging.py): rank 0 prints metrics
// in colours, rank 5 dies, rank 6 has not printed anything.
func training(t *testing.T) *world {
	w := run(t, 8)
	for s := range 60 {
		at := float64(2 * s)
		for r := range 6 {
			if r == 5 && s > 50 {
				continue
			}
			w.says(r, at+float64(r)/100, fmt.Sprintf("[rank%d]:[titan] 2026-11-20 10:%02d:%02d,%03d - root - INFO - step %d: batch of %d sequences", r, int(at)/60, int(at)%60, r, s+1, 8))
		}
		w.says(0, at+0.2, fmt.Sprintf("[rank0]:\x1b[31mstep: %2d  \x1b[32mloss: %7.4f  \x1b[38;2;180;60;0mgrad_norm: %7.4f  \x1b[38;2;54;234;195mmemory: 21.33GiB(22.45%%)  \x1b[34mtps: 1,%d\x1b[39m", s+1, 8-float64(s)/20, 1.5-float64(s)/100, 200+s))
		if s%20 == 7 {
			w.says(3, at+0.3, "[rank3]:[titan] 2026-11-20 10:00:14,000 - root - WARNING - data loader: 1.4 s for one batch, 検証 shard 0417")
		}
	}
	w.says(5, 101, "[rank5]:Traceback (most recent call last):").
		says(5, 101, `[rank5]:  File "/app/train.py", line 412, in train_step`).
		says(5, 101, "[rank5]:torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 5 has a total capacity of 79.15 GiB of which 1.10 GiB is free")
	w.says(7, 118, "[rank7]:[titan] 2026-11-20 10:01:58,000 - root - INFO - step 60: batch of 8 sequences")
	w.store.Apply(store.StreamChanged{Stream: file(6), Rank: 6, Job: "run", Status: train.StreamStatus{
		State: train.StreamForbidden, Since: ten,
		Text: `get the log of pod "llama-worker-6": pods "llama-worker-6" is forbidden: User "me" cannot get resource "pods/log"; ask for the right`,
	}})
	return w
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 19}, {160, 40}, {200, 55}, {24, 3}, {40, 6}} {
		for _, screen := range []struct {
			name string
			lead func(w *world)
		}{
			{"grid", func(*world) {}},
			{"zoomed", func(w *world) { w.does(keymap.LogZoom, keymap.LogStamps, keymap.LogStamps) }},
			{"paused", func(w *world) {
				w.does(keymap.LogFollow, keymap.TextPageUp)
				w.says(0, 122, "[rank0]: one more")
			}},
			{"search", func(w *world) { w.searches("outofmemory") }},
			{"filter", func(w *world) { w.filters("loss|warning -C 1") }},
			{"merged", func(w *world) { w.does(keymap.LogMerge) }},
			{"wrapped", func(w *world) { w.does(keymap.Wrap) }},
			{"ranks", func(w *world) { w.does(keymap.LogRankList) }},
			{"different", func(w *world) { w.does(keymap.LogDifferent) }},
		} {
			t.Run(fmt.Sprintf("%dx%d/%s", size.width, size.height, screen.name), func(t *testing.T) {
				w := training(t)
				w.width, w.height = size.width, size.height
				w.look()
				screen.lead(w)
				w.look()
				golden.RequireEqual(t, w.screen())
			})
		}
	}
}
