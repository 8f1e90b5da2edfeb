package diagnose

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A job that runs is not called well while a warning that no rule knows, or a
// rank that is not ready, says otherwise.
func TestTroubleThatNoRuleNames(t *testing.T) {
	crashing := func(p *corev1.Pod) {
		unreadyFor(2)(p)
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "sync"})
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: "sync", RestartCount: 5, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "RunContainerError"}}})
	}
	about := func(reason, message string, minutes float64) func(*cluster) {
		return runningFor(60, func(c *cluster) { c.eventOf("gpu-watcher", "Pod", "bert-worker-1", reason, message, minutes) })
	}
	for name, c := range map[string]struct {
		build func(*cluster)
		want  Verdict
		says  string
	}{
		"a warning of a watcher":    {about("GPUHealthCheckFailed", "GPU 3 failed health check: uncorrectable ECC errors", 5), NotEnoughRead, "GPUHealthCheckFailed: GPU 3 failed health check: uncorrectable ECC errors (4 times)"},
		"long ago":                  {about("GPUHealthCheckFailed", "GPU 3 failed health check", 180), NothingWrong, ""},
		"of a policy":               {about("PolicyViolation", "validation error: rule requests failed", 5), NothingWrong, ""},
		"without trouble":           {about("Checkpointed", "step 100 is saved", 5), NothingWrong, ""},
		"of the kubelet, healed":    {about("FailedMount", "MountVolume.SetUp failed: timed out", 59), NothingWrong, ""},
		"a rank is not ready":       {runningFor(60, nil, unreadyFor(40)), NotEnoughRead, "worker-1 runs and is not ready for 40m"},
		"a rank became ready late":  {runningFor(60, nil, unreadyFor(5)), NothingWrong, ""},
		"a container beside starts": {runningFor(60, nil, crashing), NotEnoughRead, "container sync waits: RunContainerError (5 restarts)"},
	} {
		answer := answerOf(t, c.build)
		text := ""
		for _, m := range answer.Conclusion.Missing {
			text += m.Why + "\n"
		}
		if answer.Conclusion.Verdict != c.want || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s %q, want %s %q", name, answer.Conclusion.Verdict, text, c.want, c.says)
		}
	}
}
