package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
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

// Parts that are named by their time are one log with the file that is written:
// those of logrotate's dateext, of Python's TimedRotatingFileHandler and of the
// kubelet, which cleans up the file itself when a container is gone.
func TestPartsNamedByTheirTimeAreOneLog(t *testing.T) {
	const pod = "ml_a-master-0_0f3c7e1a-1b2c-4d5e-8f90-123456789abc/pytorch/"
	cri := func(second, text string) string {
		return "2026-11-29T08:00:" + second + ".000000001Z stdout F " + text + "\n"
	}
	root := folderOf(t, map[string]string{
		"a/train.log": "step: 3 loss: 2.3\n", "a/train.log-20261128": "step: 2 loss: 2.4\n", "a/train.log-20261127.gz": gzipped(t, "step: 1 loss: 2.5\n"),
		"b/train.log": "step: 3 loss: 2.3\n", "b/train.log.2026-11-28_23-00": "step: 2 loss: 2.4\n", "b/train.log.2026-11-27_23-00": "step: 1 loss: 2.5\n",
		"c/train.log": "step: 2 loss: 2.4\n", "c/train.log.old": "step: 1 loss: 2.5\n",
		"d/train.log": "", "d/train.log.1": "step: 2 loss: 2.4\n", "d/train.log.2": "step: 1 loss: 2.5\n", // just rotated
		"e/train.log": "it ended\n", "e/train.log-20261128": "it began\n", // whose names alone show that they are logs
		pod + "0.log": cri("03", "step: 3 loss: 2.3"), pod + "0.log.20261129-080640": cri("02", "step: 2 loss: 2.4"),
		pod + "0.log.20261129-080320.gz": gzipped(t, cri("01", "step: 1 loss: 2.5")), pod + "1.log": cri("04", "step: 4 loss: 2.2"),
		pod + "2.log.20261129-080650": cri("06", "step: 6 loss: 2.0"), pod + "2.log.20261129-080645": cri("05", "step: 5 loss: 2.1"),
	})
	three := []string{"ended", "1 step: 1 loss: 2.5", "2 step: 2 loss: 2.4", "3 step: 3 loss: 2.3"}
	want := map[string][]string{
		"a/train.log": three, "b/train.log": three, "c/train.log": {"ended", "1 step: 1 loss: 2.5", "2 step: 2 loss: 2.4"},
		"d/train.log": {"ended", "1 step: 1 loss: 2.5", "2 step: 2 loss: 2.4"}, "e/train.log": {"ended", "1 it began", "2 it ended"},
		"ml/a-master-0/pytorch": three, "ml/a-master-0/pytorch#1": {"ended", "1 step: 4 loss: 2.2"},
		"ml/a-master-0/pytorch#2": {"ended", "1 step: 5 loss: 2.1", "2 step: 6 loss: 2.0"},
	}
	if diff := cmp.Diff(want, logged(snapshotOf(t, Options{}, root), root)); diff != "" {
		t.Error(diff)
	}
}

// The parts before a file that is followed are read once, before it.
func TestFollowingAFileWithRotatedParts(t *testing.T) {
	path := write(t, "train.log", "three\n")
	for name, text := range map[string]string{".1": "two\n", ".2": "one\n"} {
		if err := os.WriteFile(path+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	followIn(t, filepath.Dir(path), path, func(f *follower) {
		f.is("at first", train.StreamLive, "1 one", "2 two", "3 three")
		f.write(os.O_APPEND, "four\n")
		f.is("it grew", train.StreamLive, "1 one", "2 two", "3 three", "4 four")
	})
}

// The log of W&B about itself is not the log of a rank.
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

// A must-gather has a previous.log for every container, empty where there was no instance
// before, and what the kubelet rotated in a folder of its own: current.log is the newest log,
// with the rotated parts in front, and the file timestamp is no log.
func TestLogsOfAMustGather(t *testing.T) {
	const logs = "must-gather/namespaces/ml/pods/bert-0/pytorch/pytorch/logs/"
	const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "bert-0", "namespace": "ml", "uid": "u"}, "spec": {"containers": [{"name": "pytorch"}]},
"status": {"phase": "Running", "containerStatuses": [{"name": "pytorch", "restartCount": 0, "state": {"running": {"startedAt": "2026-11-20T09:00:00Z"}}}]}}`
	steps := func(from, to int) string {
		var b strings.Builder
		for step := from; step < to; step++ {
			fmt.Fprintf(&b, "2026-11-20T09:%02d:00.000000001Z step %d loss 2.5\n", step, step)
		}
		return b.String()
	}
	for name, files := range map[string]map[string]string{
		"an empty one before": {logs + "previous.log": "", logs + "previous.insecure.log": ""},
		"rotated parts":       {logs + "rotated/0.log.20261120-090900": steps(5, 9), logs + "rotated/0.log.20261120-090500.gz": gzipped(t, steps(1, 5))},
		"neither":             {},
	} {
		files["must-gather/namespaces/ml/core/pods.json"], files["must-gather/timestamp"] = pod, "2026-11-20 09:59:00.1 +0000 UTC m=+0.1\n2026-11-20 09:59:01.1 +0000 UTC m=+1.1\n"
		files[logs+"current.log"] = steps(9, 40)
		found := 0
		for log := range snapshotOf(t, Options{}, folderOf(t, files)).Logs {
			found++
			if want := map[bool]int64{true: 39, false: 31}[name == "rotated parts"]; log.ID.Pod != "bert-0" || log.LinesRead() != want || !strings.HasSuffix(log.ID.File, "current.log") {
				t.Errorf("%s: %v has %d lines, want %d of current.log", name, log.ID, log.LinesRead(), want)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d logs", name, found)
		}
	}
}
