package diagnose

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// printed returns a log of a container of a worker, with the hits of its
// lines.
func printed(pod, container string, restart int, status train.StreamStatus, lines int, causes ...train.Cause) []store.Event {
	id := train.StreamID{Namespace: ns, Pod: pod, UID: "uid-" + pod, Container: container, Restart: restart}
	came := store.Logged{Stream: id}
	for n := range lines {
		came.Lines = append(came.Lines, train.LogLine{Number: int64(n + 1), Text: "line"})
	}
	for i, cause := range causes {
		came.Hits = append(came.Hits, train.LogHit{Signature: string(cause), Cause: cause, Line: int64(i + 1), Text: "line", Rank: -1})
	}
	return []store.Event{store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}}, came, store.StreamChanged{Stream: id, Rank: -1, Status: status}}
}

// lastSaid returns events of a log with another last line.
func lastSaid(events []store.Event, text string) []store.Event {
	for _, e := range events {
		if lines, is := e.(store.Logged); is && len(lines.Lines) > 0 {
			lines.Lines[len(lines.Lines)-1].Text = text
		}
	}
	return events
}

// If logs of ranks in trouble were not read, the cause is unknown, unless a
// line that was read names it.
func TestVerdictsOnLogsOfRanksInTrouble(t *testing.T) {
	ended0 := func(c *cluster) { c.node("gpu-0", 8); c.job(1, failed); c.worker(0, ended("gpu-0", 1, "Error", "", 1)) }
	restarted := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.job(1, runs)
			c.worker(0, running("gpu-0", minutes), func(p *corev1.Pod) {
				s := &p.Status.ContainerStatuses[0]
				s.RestartCount = 1
				s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(minutes + 2), FinishedAt: before(minutes + 0.5)}
			})
		}
	}
	three := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(3, failed)
		for i := range 3 {
			c.worker(i, ended("gpu-0", 1, "Error", "", float64(1+i)))
		}
	}
	whole := train.StreamStatus{State: train.StreamEnded}
	tail := train.StreamStatus{State: train.StreamEnded, Partial: true}
	refused := train.StreamStatus{State: train.StreamForbidden, Text: "no right"}
	const w0, w1, w2, lost = "bert-worker-0", "bert-worker-1", "bert-worker-2", train.Cause("nccl-connection-lost")
	logs := func(all ...[]store.Event) (events []store.Event) {
		for _, l := range all {
			events = append(events, l...)
		}
		return events
	}
	for name, f := range map[string]struct {
		build  func(*cluster)
		events []store.Event
		want   Verdict
		says   string
	}{
		"whole, nothing known in it":   {ended0, printed(w0, "pytorch", 0, whole, 9), NotEnoughRead, "because the log of rank 0 says nothing about it"},
		"whole, with a last word":      {ended0, lastSaid(printed(w0, "pytorch", 0, whole, 9), "trainer: FATAL: the shard index is missing"), CauseFound, "its log with: trainer: FATAL: the shard index is missing"},
		"whole, ends with progress":    {ended0, lastSaid(printed(w0, "pytorch", 0, whole, 9), "step 900 loss 2.31 validation error 0.12"), NotEnoughRead, "because the log of rank 0 says nothing about it"},
		"whole, ends as one does":      {ended0, lastSaid(printed(w0, "pytorch", 0, whole, 9), "worker pool is shutting down"), NotEnoughRead, "because the log of rank 0 says nothing about it"},
		"whole, of another container":  {ended0, printed(w0, "sidecar", 0, whole, 9), NotEnoughRead, "because the log of rank 0 was not read"},
		"empty":                        {ended0, printed(w0, "pytorch", 0, whole, 0), NotEnoughRead, "because the log of rank 0 is empty"},
		"its end, nothing known in it": {ended0, printed(w0, "pytorch", 0, tail, 5), NotEnoughRead, "because only the last 5 lines of the log of rank 0 were read"},
		"its end, with the cause":      {ended0, printed(w0, "pytorch", 0, tail, 5, "cuda-out-of-memory"), CauseFound, ""},
		"symptoms, all logs read":      {three, logs(printed(w0, "pytorch", 0, whole, 5, lost), printed(w1, "pytorch", 0, whole, 5, lost), printed(w2, "pytorch", 0, whole, 5, lost)), CauseFound, ""},
		"symptoms, one log refused":    {three, logs(printed(w0, "pytorch", 0, refused, 0), printed(w1, "pytorch", 0, whole, 5, lost), printed(w2, "pytorch", 0, whole, 5, lost)), NotEnoughRead, "because the log of rank 0 was refused: no right"},
		"symptoms, one log not read":   {three, logs(printed(w1, "pytorch", 0, whole, 5, lost), printed(w2, "pytorch", 0, whole, 5, lost)), NotEnoughRead, "because the log of rank 0 was not read"},
		"symptoms, one log is empty":   {three, logs(printed(w0, "pytorch", 0, whole, 0), printed(w1, "pytorch", 0, whole, 5, lost), printed(w2, "pytorch", 0, whole, 5, lost)), NotEnoughRead, "because the log of rank 0 is empty"},
		"own error, one log refused":   {three, logs(printed(w0, "pytorch", 0, whole, 5, "cuda-out-of-memory"), printed(w1, "pytorch", 0, refused, 0), printed(w2, "pytorch", 0, whole, 5, lost)), CauseFound, ""},
		"restarted, before is refused": {restarted(1), logs(printed(w0, "pytorch", 0, refused, 0), printed(w0, "pytorch", 1, train.StreamStatus{State: train.StreamStopped}, 5)), NotEnoughRead, "the log of rank 0 from before its restart was refused: no right"},
		"restarted, before is unasked": {restarted(1), printed(w0, "pytorch", 1, train.StreamStatus{State: train.StreamStopped}, 5), NotEnoughRead, "the log of rank 0 was read only since the restart"},
		"restarted, before is read":    {restarted(1), logs(printed(w0, "pytorch", 0, whole, 5, "cuda-out-of-memory"), printed(w0, "pytorch", 1, train.StreamStatus{State: train.StreamStopped}, 5)), CauseFound, ""},
		"restarted long ago, now well": {func(c *cluster) { c.now = noon.Add(time.Hour); restarted(1)(c) }, logs(printed(w0, "pytorch", 0, train.StreamStatus{State: train.StreamGone}, 0), printed(w0, "pytorch", 1, train.StreamStatus{State: train.StreamStopped}, 5)), NothingWrong, "it is running"},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdictOf(t, f.build, f.events...)
			if got.Verdict != f.want || !strings.Contains(got.Sentence, f.says) {
				t.Errorf("%s: %s\nlooked at %q, missing %+v", got.Verdict, got.Sentence, got.LookedAt, got.Missing)
			}
		})
	}
}

// Only the end of a long log is read, and the list of what was looked at reports
// it.
func TestLookedAtTheEndOfALog(t *testing.T) {
	runs := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(2, created)
		for i := range 2 {
			c.worker(i, running("gpu-0", 5))
		}
	}
	live := train.StreamStatus{State: train.StreamLive}
	end := train.StreamStatus{State: train.StreamLive, Partial: true}
	both := verdictOf(t, runs, append(printed("bert-worker-0", "pytorch", 0, end, 9), printed("bert-worker-1", "pytorch", 0, end, 9)...)...)
	if !slices.Contains(both.LookedAt, "the ends of the logs of ranks 0-1") {
		t.Errorf("of both: %q", both.LookedAt)
	}
	one := verdictOf(t, runs, append(printed("bert-worker-0", "pytorch", 0, live, 9), printed("bert-worker-1", "pytorch", 0, end, 9)...)...)
	if !slices.Contains(one.LookedAt, "logs of ranks 0-1 (only the end of rank 1)") {
		t.Errorf("of one: %q", one.LookedAt)
	}
}

// The log of a failing init container contains the reason, under its name;
// where it was refused or is empty, it is reported as missing.
func TestTheLogOfAFailedInitContainer(t *testing.T) {
	build := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, created)
		c.worker(0, on("gpu-0"), func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Name: "fetch"}}
			p.Status.InitContainerStatuses = []corev1.ContainerStatus{{
				Name: "fetch", RestartCount: 2, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", FinishedAt: before(1)}},
			}}
		})
	}
	for name, f := range map[string]struct {
		events []store.Event
		want   Verdict
		says   string
	}{
		"read":    {printed("bert-worker-0", "fetch", 2, train.StreamStatus{State: train.StreamEnded}, 5, "hf-hub-auth"), CauseFound, "init container fetch of worker-0"},
		"refused": {printed("bert-worker-0", "fetch", 2, train.StreamStatus{State: train.StreamForbidden, Text: "no right"}, 0), NotEnoughRead, "because the log of init container fetch of rank 0 was refused: no right"},
		"empty":   {printed("bert-worker-0", "fetch", 2, train.StreamStatus{State: train.StreamEnded}, 0), NotEnoughRead, "because the log of init container fetch of rank 0 is empty"},
	} {
		got := verdictOf(t, build, f.events...)
		if got.Verdict != f.want || !strings.Contains(got.Sentence, f.says) {
			t.Errorf("%s: %s: %s\nmissing %+v", name, got.Verdict, got.Sentence, got.Missing)
		}
	}
}
