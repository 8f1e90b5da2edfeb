package diagnose

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Ranks run again for an hour, and their newest logs have nothing, a blank line or one
// without a time: that they trained before proves no progress.
func TestNewestLogsThatSayNothing(t *testing.T) {
	for text, want := range map[string]string{
		"": "their logs are empty", "\n": "their logs are empty",
		"waiting for all ranks to join\n":                        "their logs have next to nothing, and no step, since a restart",
		"step 21 loss 2.5\nstep 22 loss 2.4\nstep 23 loss 2.3\n": "",
	} {
		got := verdictOf(t, func(c *cluster) {
			c.job(2, runs)
			for rank := range 2 {
				node := fmt.Sprintf("gpu-%d", rank)
				c.node(node, 8)
				c.worker(rank, running(node, 59), func(p *corev1.Pod) {
					status := &p.Status.ContainerStatuses[0]
					status.RestartCount = 1
					status.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(110), FinishedAt: before(60)}}
				})
				pod := fmt.Sprintf("bert-worker-%d", rank)
				for restart, lines := range []string{"step 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss 2.3\n", text} {
					stream := train.StreamID{Namespace: ns, Pod: pod, UID: "uid-" + pod, Container: "pytorch", Restart: restart, File: fmt.Sprintf("%s/%d.log", pod, restart)}
					c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
					feed := logfeed.NewFeed(appendedEvents{c}, stream, logfeed.Options{})
					_, _ = feed.Write([]byte(lines))
					feed.End()
					c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
				}
			}
		})
		if (got.Verdict == NotEnoughRead) != (want != "") || !strings.Contains(got.Sentence, want) {
			t.Errorf("%q: %s, %s", text, got.Verdict, got.Sentence)
		}
	}
}
