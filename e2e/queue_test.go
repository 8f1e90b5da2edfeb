package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/e2e/operator"
)

// A job that Kueue holds back is Queued, with the queue's own message and its
// place; once admitted it waits for its pods like any other.
func TestQueuedByKueue(t *testing.T) {
	t.Parallel()
	const namespace = "queued"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), kueueQueue))
	must(t, plays.ApplyOwned(t.Context(), kueueJob("first", true, waitsForQuota)))
	must(t, plays.ApplyOwned(t.Context(), kueueJob("second", true, waitsForQuota)))
	shows := func(name, phase, reason string) {
		t.Helper()
		eventually(t, cluster.Kubeconfig, []string{"-n", namespace}, func(a answer) error {
			row, err := a.job(name)
			if err == nil && (row.Phase != phase || row.Queue != "team-a" || !strings.Contains(row.Reason, reason)) {
				err = fmt.Errorf("%s shows as %+v, want %s in team-a because ...%s...", name, row, phase, reason)
			}
			return err
		})
	}
	shows("first", "Queued", "insufficient quota for nvidia.com/gpu")
	shows("second", "Queued", "insufficient quota for nvidia.com/gpu")

	must(t, plays.ApplyOwned(t.Context(), kueueJob("first", false, admitted)))
	shows("first", "Pending", "")
	shows("second", "Queued", "insufficient quota for nvidia.com/gpu")
}

const kueueQueue = `
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: e2e-queued}
spec: {queueingStrategy: BestEffortFIFO, resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: "8"}]}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-a}
spec: {clusterQueue: e2e-queued}
`

// Conditions of a Workload as Kueue 0.10.0 writes them.
const (
	waitsForQuota = `{type: QuotaReserved, status: "False", reason: Pending, message: "couldn't assign flavors to pod set worker: insufficient quota for nvidia.com/gpu in flavor h100, request > maximum capacity (16 > 8)", lastTransitionTime: "2026-01-01T00:00:00Z"}`
	admitted      = `{type: QuotaReserved, status: "True", reason: QuotaReserved, message: Quota reserved in ClusterQueue e2e-queued, lastTransitionTime: "2026-01-01T00:00:00Z"}, {type: Admitted, status: "True", reason: Admitted, message: The workload is admitted, lastTransitionTime: "2026-01-01T00:00:00Z"}`
)

func kueueJob(name string, suspended bool, conditions string) string {
	return strings.NewReplacer("NAME", name, "SUSPENDED", fmt.Sprint(suspended), "CONDITIONS", conditions).Replace(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: NAME, labels: {kueue.x-k8s.io/queue-name: team-a}}
spec:
  runPolicy: {suspend: SUSPENDED}
  pytorchReplicaSpecs:
    Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, image: i, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: pytorchjob-NAME-4f2c1, annotations: {e2e/owner: PyTorchJob/NAME}}
spec: {active: true, queueName: team-a, podSets: [{name: worker, count: 2, template: {spec: {containers: [{name: pytorch, image: i, resources: {limits: {nvidia.com/gpu: 8}}}]}}}]}
status:
  conditions: [CONDITIONS]
`)
}
