package logfindings

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// textOf is a pasted text as a job of one log.
func textOf(t *testing.T, text string) []train.Finding {
	t.Helper()
	st := store.New(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	id := train.StreamID{File: "pasted.txt"}
	st.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
	feed := logfeed.NewFeed(st, id, logfeed.Options{})
	_, _ = feed.Write([]byte(text))
	feed.End()
	s := st.Snapshot()
	return Find(s, s.LogJobs()[0], func(train.Cause) Words { return Words{Title: "a"} })
}

const podsHead = "NAME                READY   STATUS             RESTARTS   AGE\n"

// An event of one object of a text explains nothing of another one that
// neither owns it nor is owned by it.
func TestAnObjectExplainsOnlyItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []train.Cause // all findings
	}{
		"two pods of two jobs in a table": {podsHead + "gpt-7f9-aa          0/1     OOMKilled          3          5m\nbert-worker-0       0/1     ImagePullBackOff   0          5m\n", []train.Cause{"oom-killed", "image-not-found"}},
		"two pods of one job in a table":  {podsHead + "bert-worker-1       0/1     OOMKilled          3          5m\nbert-worker-0       0/1     ImagePullBackOff   0          5m\n", []train.Cause{"oom-killed", "image-not-found"}},
		"one pod and its job":             {"Name:         bert\nNamespace:    ml\nReason: ImagePullBackOff\nName:         bert-worker-1\nNamespace:    ml\n      Reason:       OOMKilled\n", []train.Cause{"oom-killed"}},
		"descriptions of two pods of one job": {"Name:         bert-worker-1\nNamespace:    ml\n      Reason:       OOMKilled\nName:         bert-worker-0\nNamespace:    ml\n      Reason:       ImagePullBackOff\n",
			[]train.Cause{"oom-killed", "image-not-found"}},
		"a pod without an image and one that crashes": {"Name:         bert-worker-1\nNamespace:    ml\n      Reason:       ImagePullBackOff\nName:         bert-worker-0\nNamespace:    ml\n      Exit Code:    1\n",
			[]train.Cause{"image-not-found", "application-error"}},
		"descriptions of pods of two jobs": {"Name:         gpt-worker-1\nNamespace:    ml\n      Reason:       OOMKilled\nName:         bert-worker-0\nNamespace:    ml\n      Reason:       ImagePullBackOff\n",
			[]train.Cause{"oom-killed", "image-not-found"}},
		"documents of two pods": {"apiVersion: v1\nkind: Pod\nmetadata: {name: gpt-0, namespace: ml\nstatus: {phase: Failed, reason: OOMKilled}\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: bert-0\nstatus:\n  reason: ImagePullBackOff\n",
			[]train.Cause{"oom-killed", "image-not-found"}},
		"six errors of one program": {"OSError: [Errno 28] No space left on device\nNVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\ntorch.OutOfMemoryError: CUDA out of memory.\n" +
			"Memory cgroup out of memory: Killed process 222 (python)\nModuleNotFoundError: No module named foo\nOSError: [Errno 24] Too many open files\n",
			[]train.Cause{"oom-killed", "gpu-fell-off-bus", "too-many-open-files", "no-space-left", "cuda-out-of-memory", "python-import-error"}},
		"one pod": {"apiVersion: v1\nkind: Pod\nmetadata:\n  name: bert-0\nstatus:\n  reason: OOMKilled\n  message: ImagePullBackOff\n", []train.Cause{"oom-killed"}},
	} {
		var got []train.Cause
		for _, f := range textOf(t, c.text) {
			got = append(got, f.Cause)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestXidsOfOneNode checks that a fault of the hardware comes before an error of a
// program on the same node, which may be days older.
func TestXidsOfOneNode(t *testing.T) {
	program := "[Mon Aug  5 03:54:13 2024] NVRM: Xid (PCI:0000:00:07): 31, pid=9, name=python3, Ch 00000008, intr 00000000. MMU Fault"
	memory := "[Fri Aug  9 13:32:56 2024] NVRM: Xid (PCI:0000:00:08): 94, pid='<unknown>', name=<unknown>, Contained: SM (0x1). RST: No, D-RST: No"
	for text, want := range map[string]train.Cause{
		program + "\n" + memory + "\n": "gpu-ecc-error",
		memory + "\n" + program + "\n": "gpu-ecc-error",
		program + "\n":                 "illegal-memory-access",
	} {
		if found := textOf(t, text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: %+v, want %s", text, found, want)
		}
	}
}

// The object that a line is about, in the forms in which kubectl prints it.
func TestSubjectsOfLines(t *testing.T) {
	st := store.New(func() time.Time { return time.Time{} })
	id := train.StreamID{File: "pasted.txt"}
	lines := []string{
		"ml   bert-worker-0   0/1   Pending   0   5m", "bert-worker-1   0/1   Error   2 (3m ago)   5m",
		"2m   Warning   Failed   pod/bert-worker-2   Failed to pull image", "ml   2m   Warning   Failed   job/bert   x",
		"a line of a log", "---", "apiVersion: v1", "kind: Event", "involvedObject:", "  kind: Pod", "  name: bert-worker-3", "message: x", "metadata:", "  name: event-1",
	}
	st.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
	feed := logfeed.NewFeed(st, id, logfeed.Options{})
	_, _ = feed.Write([]byte(strings.Join(lines, "\n") + "\n"))
	feed.End()
	log := st.Snapshot().Log(id)
	for line, want := range map[int64]string{1: "bert-worker-0", 2: "bert-worker-1", 3: "bert-worker-2", 4: "bert", 5: "", 12: "bert-worker-3"} {
		if got := subjectOf(log, line); got != want {
			t.Errorf("line %d %q is about %q, want %q", line, lines[line-1], got, want)
		}
	}
}
