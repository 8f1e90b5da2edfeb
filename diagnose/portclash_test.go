package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// meets makes a pod wait for its ranks on a port, of the node or its own.
func meets(port string, host bool) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.HostNetwork = host
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MASTER_PORT", Value: port}}
	}
}

func began(minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { at := before(minutes); p.Status.StartTime = &at }
}

// Two first ranks on one node with hostNetwork; the scenario's job is bert,
// the other is in another namespace.
func TestPortsOfANodeClash(t *testing.T) {
	other := func(port string, host bool, minutes float64) func(*cluster) {
		return func(c *cluster) {
			yes := true
			c.object(kinds.Jobs()[0].GroupKind, `{apiVersion: batch/v1, kind: Job, metadata: {name: other, namespace: other, uid: job-2, creationTimestamp: "2026-11-20T11:30:00Z"}, spec: {completions: 1, parallelism: 1, completionMode: Indexed, template: {spec: {containers: [{name: c, image: i}]}}}, status: {active: 1, ready: 1, startTime: "2026-11-20T11:30:00Z"}}`)
			p := podOf("other-0", 0)
			p.Namespace, p.OwnerReferences = "other", []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "other", UID: "job-2", Controller: &yes}}
			p.Labels = map[string]string{"batch.kubernetes.io/job-name": "other", "batch.kubernetes.io/job-completion-index": "0"}
			for _, f := range []func(*corev1.Pod){running("gpu-0", minutes), began(minutes), meets(port, host)} {
				f(p)
			}
			c.add(kinds.PodKind, p)
		}
	}
	for _, sc := range []struct {
		name  string
		other func(*cluster)
		found bool
	}{
		{"the same port of the node", other("29500", true, 20), true},
		{"near miss: another port", other("29501", true, 20), false},
		{"near miss: a network of its own", other("29500", false, 20), false},
		{"near miss: the other came later", other("29500", true, 1), false},
	} {
		t.Run(sc.name, func(t *testing.T) {
			c := newCluster(t)
			c.job(1, runs)
			c.node("gpu-0", 16)
			c.worker(0, crashing("gpu-0", 1, "Error", "", 3), began(9), meets("29500", true))
			sc.other(c)
			s := c.snapshot()
			for _, job := range s.Jobs() {
				worst := Run(s, Options{}, nil).Worst(job.ID)
				clash := worst != nil && worst.Cause == "port-in-use"
				if job.Ref.Name == "bert" && clash != sc.found || job.Ref.Name == "other" && clash {
					t.Errorf("%s: clash %v: %+v", job.Ref, clash, worst)
				}
				if clash {
					checkWords(t, worst)
				}
			}
		})
	}
	runScenarios(t, []scenario{{name: "near miss: alone on its node", want: "application-error", never: []train.Cause{"port-in-use"}, build: func(c *cluster) {
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, crashing("gpu-0", 1, "Error", "", 3), meets("29500", true))
	}}})
}
