package logfindings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

const keyError = "Traceback (most recent call last):\n  File \"/app/train.py\", line 88, in <module>\n    main()\n  File \"/app/data.py\", line 9, in get\n    return d[k]\nKeyError: 'tokens'\n"

// A cleanup behind the end of training is not the cause of the end; an error that has a
// traceback of its own, or came before, may be.
func TestNoiseBehindTheEnd(t *testing.T) {
	steps := ""
	for i := range 40 {
		steps += fmt.Sprintf("step %d loss %.2f\n", i, 3-0.01*float64(i))
	}
	const full = "OSError: [Errno 28] No space left on device: '/ckpt/step.pt'\n"
	for text, want := range map[string]train.Cause{
		keyError + "rm: cannot remove '/tmp/cache': Permission denied\ncurl: (6) Could not resolve host: notifier\n":                                         "python-exception",
		keyError + "wandb: ERROR Error while calling W&B API: context deadline exceeded (<Response [500]>)\n":                                                "python-exception",
		keyError + "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: driver shutting down\nFatal Python error: Aborted\n": "python-exception",
		keyError + "RuntimeError: DataLoader worker (pid(s) 4121, 4122) exited unexpectedly\n":                                                               "python-exception",
		keyError + "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.\n":                                                "python-exception",
		keyError + "/entrypoint.sh: line 12:    41 Killed                  python train.py\n":                                                                "python-exception",
		"/entrypoint.sh: line 12:    41 Killed                  python train.py\n":                                                                           "sigkill-received",
		keyError + full: "python-exception",
		keyError + "Traceback (most recent call last):\n  File \"save.py\", line 3, in save\n    torch.save(x, p)\n" + full: "no-space-left",
		full + keyError: "no-space-left",
		keyError + strings.Repeat("waiting for the next allocation\n", 300) + full:                  "no-space-left",
		keyError + "[123.4] Out of memory: Killed process 17 (python) total-vm:9kB, anon-rss:9kB\n": "host-oom",
	} {
		found := diagnosed(steps + text)
		if len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s\nwant %s, found %+v", text, want, found)
		}
	}
}

func TestNoiseOfAnotherRank(t *testing.T) {
	at := func(second int, text string) string {
		stamp := time.Date(2026, 11, 20, 10, 3, second, 0, time.UTC).Format("2006-01-02T15:04:05Z ")
		return stamp + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+stamp) + "\n"
	}
	for second, want := range map[int]train.Cause{49: "python-exception", 3: "permission-denied"} {
		found := diagnosedRanks(map[int]string{
			3: at(1, "step 1 loss 2.1") + at(21, keyError),
			0: at(1, "step 1 loss 2.1") + at(second, "rm: cannot remove '/tmp/cache': Permission denied"),
		})
		if len(found) == 0 || found[0].Cause != want {
			t.Errorf("at second %d: %+v", second, found)
		}
	}
}

// An error that a rank reports after it lost another follows from that one's error, if it
// came first.
func TestErrorsAfterALostPeer(t *testing.T) {
	at := func(second int, text string) string {
		return time.Date(2026, 11, 20, 10, 4, second, 0, time.UTC).Format("2006-01-02T15:04:05Z ") + text + "\n"
	}
	const lost = "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:2251, remote process exited or there was a network error"
	const absent = "FileNotFoundError: [Errno 2] No such file or directory: '/data/a.bin'"
	for name, test := range map[string]struct {
		first, second string
		rank          int
	}{
		"the peer's storage failed":      {at(3, "OSError: [Errno 5] Input/output error: '/data/x'"), at(30, lost) + at(31, absent), 2},
		"the peer's storage failed last": {at(40, "OSError: [Errno 5] Input/output error: '/data/x'"), at(30, lost) + at(31, absent), 0},
		"nothing was lost":               {at(3, "OSError: [Errno 5] Input/output error: '/data/x'"), at(31, absent), 0},
	} {
		found := diagnosedRanks(map[int]string{0: at(1, "step 1 loss 2.1") + test.second, 2: at(1, "step 1 loss 2.1") + test.first})
		if len(found) == 0 || found[0].RootRank != test.rank && (len(found[0].Ranks) != 1 || found[0].Ranks[0] != test.rank) {
			t.Errorf("%s: want rank %d, found %+v", name, test.rank, found)
		}
	}
}

// How the loss or the speed went is shown beside the error that ended the run, never over
// it.
func TestTheCourseStandsBesideTheEnd(t *testing.T) {
	run := ""
	for step := range 300 {
		loss := 2 - 0.0005*float64(step)
		if step >= 200 {
			loss += 5.4
		}
		run += fmt.Sprintf("step %d loss %.4f\n", step, loss)
	}
	if found := diagnosed(run); len(found) != 1 || found[0].Cause != "loss-spike" {
		t.Errorf("without an error: %+v", found)
	}
	found := diagnosed(run + keyError)
	if len(found) != 2 || found[0].Cause != "python-exception" || found[1].Cause != "loss-spike" || found[1].Severity != train.SeverityWarning || len(found[0].Hides) > 0 {
		t.Errorf("with an error: %+v", found)
	}
}

// A rank that the others lost is not silent where its last line is no step: that line is
// quoted, as its own, and why it ended is not certain.
func TestTheLastLineOfTheRankThatWasLost(t *testing.T) {
	steps := "step 1 loss 2.1\nstep 2 loss 2.0\n"
	const lost = "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:2251, remote process exited or there was a network error\n"
	for last, sure := range map[string]train.Confidence{"FATAL: bad batch 12, exiting\n": train.Possible, "": train.Likely} {
		found := diagnosedRanks(map[int]string{0: steps + lost, 1: steps + lost, 2: steps + lost, 3: steps + last})
		if len(found) == 0 || found[0].RootRank != 3 || found[0].Confidence != sure || len(found[0].Evidence) < 2 {
			t.Fatalf("%q: %+v", last, found)
		}
		text := strings.TrimSpace(last)
		if text == "" {
			text = "step 2 loss 2.0"
		} else if !strings.Contains(found[0].Title, text) {
			t.Errorf("%q: the title is %q", last, found[0].Title)
		}
		if e := found[0].Evidence; e[0].Text != text || e[0].Rank != 3 || e[1].Rank == 3 {
			t.Errorf("%q: %+v", last, e)
		}
	}
}
