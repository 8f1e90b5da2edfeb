package diagnose

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// Conditions of the Job controller, 1.26 to 1.36 (pkg/controller/job).
func TestPodFailurePolicyIsNoBackoffLimit(t *testing.T) {
	by := func(reason, message string) func(*cluster) {
		return func(c *cluster) {
			c.job(1, `conditions: [{type: Failed, status: "True", reason: `+reason+`, message: "`+message+`", lastTransitionTime: "2026-11-20T11:59:00Z"}]`)
		}
	}
	runScenarios(t, []scenario{
		{name: "a rule", want: "pod-failure-policy", title: "podFailurePolicy: Container main for pod ml/x failed with exit code 42 matching FailJob rule at index 0", never: []train.Cause{"backoff-limit-exceeded"},
			build: by("PodFailurePolicy", "Container main for pod ml/x failed with exit code 42 matching FailJob rule at index 0")},
		{name: "indexes", want: "backoff-limit-exceeded", title: "ended with failed indexes", build: by("FailedIndexes", "Job has failed indexes")},
		{name: "too many indexes", want: "backoff-limit-exceeded", title: "too many failures", build: by("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes")},
	})
}

func TestNativeSidecarIsRestartedAlways(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, running("gpu-0", 9), sidecarEnds("Error", 1, false), func(p *corev1.Pod) { p.Spec.RestartPolicy = corev1.RestartPolicyNever })
	})
	if len(answer.Findings) == 0 || !strings.Contains(answer.Findings[0].Explanation, "policy is Always") {
		t.Errorf("%+v", answer.Findings)
	}
}

// Only the errors of torch name a rank; the steps of rank 0 are without a name. That a log
// of no rank is not known to have failed is no success of the rank that an error names.
func TestAnErrorOfARankThatNoLogIsOf(t *testing.T) {
	job := &train.Job{Phase: train.Running, LogsOnly: true, Ranks: []train.Rank{{Index: 0, State: train.RankSucceeded}}}
	for _, c := range []struct {
		ranks []int
		want  bool
	}{{[]int{1}, false}, {[]int{0}, true}, {[]int{0, 1}, true}, {nil, false}} {
		if got := allSucceeded(job, c.ranks); got != c.want {
			t.Errorf("ranks %v succeeded: %v", c.ranks, got)
		}
	}
	if !allSucceeded(&train.Job{Phase: train.Succeeded}, []int{1}) {
		t.Error("the job succeeded, and so did its ranks")
	}
}
