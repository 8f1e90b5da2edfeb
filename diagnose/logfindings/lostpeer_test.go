package logfindings_test

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	feed "github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// diagnosedFiles diagnoses logs as the ranks of one run, in the order of their names.
func diagnosedFiles(ids []train.StreamID, ranks []int, texts []string) []train.Finding {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	for i, id := range ids {
		s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}, Rank: ranks[i], Job: "run"})
		f := feed.NewFeed(s, id, feed.Options{})
		_, _ = f.Write([]byte(texts[i]))
		f.End()
	}
	snapshot := s.Snapshot()
	var found []train.Finding
	for _, job := range snapshot.LogJobs() {
		found = append(found, logfindings.Find(snapshot, job, noWords)...)
	}
	return found
}

// The end of the peer that a rank names explains its lost connection, also
// where no clock orders the two.
func TestSignalOfTheNamedPeerComesFirst(t *testing.T) {
	const steps = "step 1 loss 2.5\nstep 2 loss 2.4\n"
	const lost = steps + "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:525] Connection closed by remote peer bert-worker-1\n"
	ids := []train.StreamID{{File: "bert-worker-0.log"}, {File: "bert-worker-1.log"}, {File: "bert-worker-2.log"}}
	for _, signal := range []string{"2026-11-20T08:00:07Z Received SIGTERM: 15, exiting\n", "torch.distributed.elastic.multiprocessing.api.SignalException: Process 12 got signal: 15\n"} {
		found := diagnosedFiles(ids[:2], []int{0, 1}, []string{lost, steps + signal})
		if len(found) == 0 || found[0].Cause != "sigterm-received" || found[0].RootRank != 1 {
			t.Errorf("%q: %+v", signal, found)
		}
		found = diagnosedFiles(ids, []int{0, 1, 2}, []string{lost, steps + signal, lost})
		if len(found) == 0 || found[0].Cause != "sigterm-received" || found[0].RootRank != 1 {
			t.Errorf("three ranks, %q: %+v", signal, found)
		}
	}
	found := diagnosedFiles(ids[:2], []int{0, 1}, []string{lost + "Received SIGTERM: 15\n", steps + "Received SIGTERM: 15\n"})
	if len(found) > 0 && found[0].Cause == "sigterm-received" {
		t.Errorf("both ranks were signalled: %+v", found)
	}
}

// The output of a helper does not fail a pod whose other container trains.
func TestHelperBesideATrainer(t *testing.T) {
	trainer := train.StreamID{Namespace: "ml", Pod: "bert-worker-0", Container: "pytorch", File: "all.log"}
	helper := trainer
	helper.Container = "istio-proxy"
	raised := "Traceback (most recent call last):\n  File \"/app/x.py\", line 9, in step\n    x[k]\nKeyError: 'lr'\n"
	found := diagnosedFiles([]train.StreamID{trainer, helper}, []int{0, 0}, []string{"step 1 loss 2.5\nstep 2 loss 2.4\n", raised})
	for _, f := range found {
		if f.Severity != train.SeverityInfo {
			t.Errorf("a helper's traceback: %+v", f)
		}
	}
	if found = diagnosedFiles([]train.StreamID{trainer}, []int{0}, []string{"step 1 loss 2.5\nstep 2 loss 2.4\n" + raised}); len(found) == 0 || found[0].Severity != train.SeverityError {
		t.Errorf("the trainer's traceback: %+v", found)
	}
}

// A loss that is no number is no failure where the program reports that it skips
// it and finite steps follow.
func TestSkippedLossesAreNoFailure(t *testing.T) {
	const skips = "step 1 loss 2.5\nloss is nan for this microbatch; skipping\n"
	if found := diagnosed(skips + "step 2 loss 2.4\nstep 3 loss 2.3\n"); len(found) > 0 {
		t.Errorf("steps follow: %+v", found)
	}
	if found := diagnosed(skips); len(found) == 0 || found[0].Severity != train.SeverityWarning {
		t.Errorf("nothing follows: %+v", found)
	}
}

// The module of an exception is not what went wrong.
func TestExceptionsAreNotNarrowedByTheirModule(t *testing.T) {
	for _, last := range []string{
		"hydra.errors.ConfigCompositionException: Could not override 'optimizer.lr'.",
		"RuntimeError: CUDA error: operation not permitted when stream is capturing",
		"mlflow.exceptions.MlflowException: Changing param values is not allowed",
	} {
		found := diagnosed("Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 12, in <module>\n    main()\n" + last + "\n")
		if len(found) == 0 || found[0].Cause != "python-exception" {
			t.Errorf("%s: %+v", last, found)
		}
	}
}

// A rank that ended at its start is why the others did not meet, whatever its error is; where
// its words are no rule's, they are quoted.
func TestTheRankThatDidNotComeExplainsTheRendezvous(t *testing.T) {
	const waited = `torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (a, 23456).`
	raised := func(last string) string {
		return "Traceback (most recent call last):\n  File \"/app/train.py\", line 3, in <module>\n    main()\n" + last + "\n"
	}
	ids := []train.StreamID{{File: "rank0.log"}, {File: "rank1.log"}, {File: "rank2.log"}, {File: "rank3.log"}}
	for name, c := range map[string]struct {
		own, cause, title string
		rank              int
		ownAt, othersAt   string
	}{
		"a KeyError, without times":         {raised("KeyError: 'tokens'"), "python-exception", "KeyError", 2, "", ""},
		"an error of any kind, long ago":    {raised("RuntimeError: no such split"), "python-exception", "no such split", 2, "10:10:00", "10:21:00"},
		"an error of a known cause":         {raised("ModuleNotFoundError: No module named 'flash_attn'"), "python-import-error", "", 2, "10:10:00", "10:21:00"},
		"a known cause, without times":      {raised("ModuleNotFoundError: No module named 'flash_attn'"), "python-import-error", "", 2, "", ""},
		"a full disk":                       {raised("OSError: [Errno 28] No space left on device"), "no-space-left", "", 2, "10:10:00", "10:21:00"},
		"near miss: it came afterwards":     {raised("KeyError: 'tokens'"), "rendezvous-timeout", "", 0, "10:31:00", "10:21:00"},
		"words of a shell":                  {"/entrypoint.sh: line 12: CUDA_HOME: unbound variable\n", "rendezvous-timeout", "its last line is: /entrypoint.sh: line 12: CUDA_HOME", 2, "10:10:00", "10:21:00"},
		"words of a shell, without times":   {"/entrypoint.sh: line 12: CUDA_HOME: unbound variable\n", "rendezvous-timeout", "its last line is: /entrypoint.sh: line 12: CUDA_HOME", 2, "", ""},
		"near miss: it waits like the rest": {raised(waited), "rendezvous-timeout", "", 0, "10:21:00", "10:21:00"},
	} {
		texts := make([]string, len(ids))
		for rank := range ids {
			text, at := raised(waited), c.othersAt
			if rank == 2 {
				text, at = c.own, c.ownAt
			}
			for line := range strings.Lines(text) {
				if at != "" {
					line = "2026-11-20T" + at + ".000000001Z " + line
				}
				texts[rank] += line
			}
		}
		found := diagnosedFiles(ids, []int{0, 1, 2, 3}, texts)
		if len(found) == 0 || string(found[0].Cause) != c.cause || found[0].RootRank != c.rank || !strings.Contains(found[0].Title, c.title) {
			t.Errorf("%s: %+v", name, found)
		}
		if len(found) > 1 && found[0].Cause != "rendezvous-timeout" {
			t.Errorf("%s: %s stands beside it", name, found[1].Cause)
		}
	}
}

// Whether two errors before the ranks met have to do with each other shows where one came
// long before.
func TestErrorsBesideARendezvous(t *testing.T) {
	const waited = "RuntimeError: Timed out initializing process group in store based barrier on rank: 0, for key: store_based_barrier_key:1 (world_size=2, worker_count=1, timeout=0:30:00)\n"
	for name, c := range map[string]struct {
		own, ownAt string
		beside     bool
	}{
		"long before":                 {"ModuleNotFoundError: No module named 'flash_attn'", "10:10:00", false},
		"near miss: at the same time": {"ModuleNotFoundError: No module named 'flash_attn'", "10:20:58", true},
		"near miss: of the network":   {"socket.gaierror: [Errno -2] Name or service not known", "10:10:00", true},
	} {
		stamped := func(at, text string) string { return "2026-11-20T" + at + ".000000001Z " + text }
		found := diagnosedFiles([]train.StreamID{{File: "rank0.log"}, {File: "rank1.log"}}, []int{0, 1}, []string{stamped("10:21:00", waited), stamped(c.ownAt, c.own+"\n")})
		beside := len(found) > 1
		if len(found) == 0 || beside != c.beside {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
