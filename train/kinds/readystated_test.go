package kinds

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// The status of an operator that is down still counts pods that are gone:
// where all pods are listed only they are ready, elsewhere the count is marked
// as the status's.
func TestReadyComesFromPods(t *testing.T) {
	const top = `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml}, spec: {MANAGED pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 2}}},
	  status: {replicaStatuses: {Master: {active: 1}, Worker: {active: 2}}, conditions: [{type: Running, status: 'True'}]}}`
	master := []*corev1.Pod{pod("master", "0", corev1.PodRunning)}
	for name, f := range map[string]struct {
		listed  bool
		managed string
		pods    []*corev1.Pod
		phase   train.Phase
		ready   int
		stated  bool
	}{
		"listed, one pod":               {true, "", master, train.Pending, 1, false},
		"listed, no pod":                {true, "", nil, train.Running, 0, false},
		"not listed, one pod":           {false, "", master, train.Running, 3, true},
		"not listed, no pod":            {false, "", nil, train.Running, 3, true},
		"listed, pods in other cluster": {true, "runPolicy: {managedBy: kueue.x-k8s.io/multikueue},", nil, train.Running, 3, true},
	} {
		family := familyOf(t, strings.Replace(top, "MANAGED", f.managed, 1))
		family.PodsListed, family.Pods = f.listed, f.pods
		job := Assemble(family)
		if job.Phase != f.phase || job.Ready != f.ready || job.ReadyStated != f.stated || f.stated != (job.Reason != "") {
			t.Errorf("%s: %s, %d ready, stated %v, reason %q", name, job.Phase, job.Ready, job.ReadyStated, job.Reason)
		}
	}
}

// A status that counts more pods than the spec wants is not taken: the count ends
// at the spec's, and the job reports it.
func TestReadyIsAtMostWhatTheSpecWants(t *testing.T) {
	const top = `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml}, spec: {pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 2}}},
	  status: {replicaStatuses: {Master: {active: 1}, Worker: {active: 7}}, conditions: [{type: Running, status: 'True'}]}}`
	const says = "its status counts 7 running pods of role Worker, and its spec wants 2: more than that are not counted"
	all := []*corev1.Pod{pod("master", "0", corev1.PodRunning), pod("worker", "0", corev1.PodRunning), pod("worker", "1", corev1.PodRunning)}
	for name, f := range map[string]struct {
		listed bool
		pods   []*corev1.Pod
		ready  int
		says   string
	}{
		"not listed, all pods": {false, all, 3, says},
		"not listed, one pod":  {false, all[:1], 3, says},
		"listed":               {true, all[:2], 2, ""},
	} {
		family := familyOf(t, top)
		family.PodsListed, family.Pods = f.listed, f.pods
		if job := Assemble(family); job.Ready != f.ready || job.CountsCut != f.says || job.ReadyStated != (len(f.pods) == 1) {
			t.Errorf("%s: %d ready, stated %v, says %q", name, job.Ready, job.ReadyStated, job.CountsCut)
		}
	}
}
