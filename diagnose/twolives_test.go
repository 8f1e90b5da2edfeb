package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// life writes the log of one life of a rank: ten steps from so many minutes ago on, then
// its last lines. The life before the restart is 0, that of a pod before -1.
func life(c *cluster, rank, restart int, from float64, last ...string) {
	pod := fmt.Sprintf("bert-worker-%d", rank)
	stream := train.StreamID{Namespace: ns, Pod: pod, UID: "uid-" + pod, Container: "pytorch", Restart: restart, File: pod + map[int]string{-1: "-before.log", 0: "-previous.log", 1: ".log"}[restart]}
	if restart < 0 {
		stream.Pod, stream.UID, stream.Restart = pod+"-before", "uid-"+pod+"-before", 0
	}
	c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
	feed := logfeed.NewFeed(appendedEvents{c}, stream, logfeed.Options{})
	at := before(from).Time
	for step := range 10 {
		at = at.Add(time.Minute)
		fmt.Fprintf(feed, "%s step %d loss 2.5\n", at.UTC().Format("2006-01-02T15:04:05.000000001Z"), 10*restart+step)
	}
	for _, line := range last {
		fmt.Fprintf(feed, "%s %s\n", at.UTC().Format("2006-01-02T15:04:05.000000001Z"), line)
	}
	feed.End()
	c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
}

// raises is a traceback that ends in an exception.
func raises(exception string) []string {
	return []string{"Traceback (most recent call last):", `  File "/app/train.py", line 8, in main`, "    f()", exception}
}

// A job got over an end, made steps for an hour and failed for another reason: the later end
// is the cause, on the same rank and on another, and the first is past.
func TestAJobThatFailedAgainForAnotherReason(t *testing.T) {
	twice := func(first, second int) func(*cluster) {
		return func(c *cluster) {
			c.job(2, failed)
			for rank, node := range []string{"gpu-0", "gpu-1"} {
				c.node(node, 8)
				c.worker(rank, ended(node, 1, "Error", "", 2), func(p *corev1.Pod) {
					status := &p.Status.ContainerStatuses[0]
					status.RestartCount = 1
					status.State.Terminated.StartedAt = before(80)
					if rank == first {
						status.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(110), FinishedAt: before(89)}}
					}
				})
			}
			life(c, first, 0, 100, raises("KeyError: 'tokens'")...)
			life(c, second, 1, 13, raises("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.")...)
		}
	}
	replaced := func(c *cluster) { // the pod of the first failure is still there, beside its successor
		c.job(2, failed)
		for rank, node := range []string{"gpu-0", "gpu-1"} {
			c.node(node, 8)
			c.worker(rank, ended(node, 1, "Error", "", 89), func(p *corev1.Pod) {
				p.Name, p.UID, p.CreationTimestamp = p.Name+"-before", p.UID+"-before", before(111)
				p.Status.ContainerStatuses[0].State.Terminated.StartedAt = before(110)
			})
			c.worker(rank, ended(node, 1, "Error", "", 2), func(p *corev1.Pod) {
				p.CreationTimestamp = before(81)
				p.Status.ContainerStatuses[0].State.Terminated.StartedAt = before(80)
			})
		}
		life(c, 0, -1, 100, raises("KeyError: 'tokens'")...)
		life(c, 1, 1, 13, raises("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.")...)
	}
	for name, ranks := range map[string][2]int{"on the same rank": {1, 1}, "on another": {0, 1}, "in another pod": {0, 1}} {
		build := twice(ranks[0], ranks[1])
		if name == "in another pod" {
			build = replaced
		}
		found := answerOf(t, build).Findings
		if len(found) == 0 || found[0].Cause != "cuda-out-of-memory" || found[0].RootRank != ranks[1] {
			t.Errorf("%s: %+v", name, found)
			continue
		}
		for _, f := range found[1:] {
			if name == "in another pod" && f.Cause == "python-exception" && !strings.Contains(f.Next[0].Text, "rank 0, bert-worker-0-before, which ends in") {
				t.Errorf("%s: %s", name, f.Next[0].Text)
			}
			if f.Cause == "python-exception" && (f.Severity == train.SeverityError || !strings.Contains(f.Title, "training went on afterwards")) {
				t.Errorf("%s: %s, %s", name, f.Severity, f.Title)
			}
		}
	}
}

// In two lives the ranks lost one another, in the first because one of them raised an
// exception: what they lost in the second is of the second alone.
func TestLossesOfTwoLives(t *testing.T) {
	const lost = "[rank0]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error, NCCL version 2.21.5"
	answer := answerOf(t, func(c *cluster) {
		c.job(3, failed)
		for rank := range 3 {
			first := 89.0
			if rank == 1 {
				first = 90
			}
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			c.worker(rank, ended(node, 1, "Error", "", 2), func(p *corev1.Pod) {
				status := &p.Status.ContainerStatuses[0]
				status.RestartCount = 1
				status.State.Terminated.StartedAt = before(80)
				status.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(110), FinishedAt: before(first)}}
			})
			line := strings.Replace(lost, "rank0", fmt.Sprintf("rank%d", rank), 1)
			switch rank {
			case 1:
				life(c, rank, 0, 100, raises("KeyError: 'tokens'")...)
				life(c, rank, 1, 13)
			default:
				life(c, rank, 0, 99, line)
				life(c, rank, 1, 13, line)
			}
		}
	})
	f := answer.Findings[0]
	if f.Cause != "nccl-connection-lost" || f.RootRank != 1 || !strings.HasPrefix(f.Title, "Rank 1 says nothing") {
		t.Fatalf("%s of rank %d: %s", f.Cause, f.RootRank, f.Title)
	}
	for _, e := range append(f.Evidence, train.Evidence{Time: f.Since}) {
		if e.Time.Before(before(60).Time) {
			t.Errorf("of the first life: %v %s", e.Time, e.Text)
		}
	}
}
