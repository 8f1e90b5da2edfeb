package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// instance is when a container instance ran, in minutes before now, and how it ended.
type instance struct {
	started, ended float64
	code           int32
	reason         string
}

func (i instance) terminated() *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{ExitCode: i.code, Reason: i.reason, StartedAt: before(i.started), FinishedAt: before(i.ended)}
}

// betweenInstances is a rank that crash-loops, with its last end.
func betweenInstances(node string, last instance, restarts int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		crashing(node, last.code, last.reason, "", restarts)(p)
		p.Status.ContainerStatuses[0].LastTerminationState.Terminated = last.terminated()
	}
}

// runsAfter is a rank that runs again after an end.
func runsAfter(node string, last instance) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		running(node, last.ended-0.1)(p)
		p.Status.ContainerStatuses[0].RestartCount = 1
		p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: last.terminated()}
	}
}

// TestTheKillOfAPeerExplainsItsFirstEnd checks that a rank which ran when a peer was
// killed, and ended after it without words of its own, ended because of that, whenever
// the peer began to run again; and that an instance which began later did not.
func TestTheKillOfAPeerExplainsItsFirstEnd(t *testing.T) {
	killed := instance{9, 3, 137, "OOMKilled"}
	peers := func(peer instance, restarts int32, said func(*cluster)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, betweenInstances("gpu-0", peer, restarts))
			c.worker(1, runsAfter("gpu-1", killed))
			if said != nil {
				said(c)
			}
		}
	}
	const own = train.Cause("application-error")
	none := []train.Cause{own}
	runScenarios(t, []scenario{
		{name: "in the same second", want: "oom-killed", severity: train.SeverityError, rank: 1, never: none, build: peers(instance{9, 3, 1, "Error"}, 1, nil)},
		{name: "half a minute later", want: "oom-killed", severity: train.SeverityError, rank: 1, never: none, build: peers(instance{9, 2.5, 1, "Error"}, 1, nil)},
		{name: "it had crashed more often before", want: own, build: peers(instance{7, 2.5, 1, "Error"}, 6, nil)},
		{name: "an instance that began after the kill", want: own, build: peers(instance{2.5, 1, 1, "Error"}, 6, nil)},
		{name: "it ended before the kill", want: own, build: peers(instance{9, 4, 1, "Error"}, 1, nil)},
		{name: "an error of its own", want: "file-not-found", build: peers(instance{9, 2.5, 1, "Error"}, 1, func(c *cluster) {
			raised(c, 0, "file-not-found", "FileNotFoundError: [Errno 2] No such file or directory: '/data/x'", 2.5)
		})},
	})
}
