package dump

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rotated parts of a log are one stream in the order in which they were
// written.
func TestRotatedPartsAreOneLog(t *testing.T) {
	root := folderOf(t, map[string]string{
		"train.log": "step: 5 loss: 2.1\n", "train.log.1": "step: 3 loss: 2.3\nstep: 4 loss: 2.2\n", "train.log.2.gz": gzipped(t, "step: 1 loss: 2.5\nstep: 2 loss: 2.4\n"),
		"alone.log.1": "step: 7 loss: 1.5\n",
	})
	want := map[string][]string{
		"train.log":   {"ended", "1 step: 1 loss: 2.5", "2 step: 2 loss: 2.4", "3 step: 3 loss: 2.3", "4 step: 4 loss: 2.2", "5 step: 5 loss: 2.1"},
		"alone.log.1": {"ended", "1 step: 7 loss: 1.5"},
	}
	if diff := cmp.Diff(want, logged(snapshotOf(t, Options{}, root), root)); diff != "" {
		t.Error(diff)
	}
}

// What W&B logs about itself is not the log of a rank.
func TestLogsOfTrackersAreLeftOut(t *testing.T) {
	root := folderOf(t, map[string]string{
		"train.log": "step: 5 loss: 2.1\n", "wandb/debug.log": "2026-11-20 10:00:00,000 INFO MainThread:1 [wandb_init.py:init():1] starting\n",
		"wandb/run-20261120_100000-abc/logs/debug-internal.log": "2026-11-20 10:00:00,000 INFO MainThread:1 [a.py:b():1] starting\n",
	})
	want := map[string][]string{"train.log": {"ended", "1 step: 5 loss: 2.1"}}
	if diff := cmp.Diff(want, logged(snapshotOf(t, Options{}, root), root)); diff != "" {
		t.Error(diff)
	}
}
