package cli

import (
	"strings"
	"testing"
)

// manyRanks is a job with more ranks than are listed, one of which crashed more often
// than other numbers are counted to.
const manyRanks = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: big, namespace: ml, uid: b, creationTimestamp: "2026-11-20T09:00:00Z"}
spec: {pytorchReplicaSpecs: {Master: {replicas: 1}, Worker: {replicas: 1000000}}}
status: {conditions: [{type: Running, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: big-master-0
  namespace: ml
  uid: p
  creationTimestamp: "2026-11-20T09:00:00Z"
  labels: {training.kubeflow.org/job-name: big, training.kubeflow.org/replica-type: master, training.kubeflow.org/replica-index: "0"}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: big, uid: b, controller: true}]
spec: {nodeName: node-0, containers: [{name: pytorch, image: i}]}
status:
  phase: Running
  containerStatuses:
  - {name: pytorch, restartCount: 4000000, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-11-20T09:59:00Z"}}}
`

// Ranks that are wanted and not listed are among those that were not read, and one
// number counts how often a container was started again.
func TestManyRanksAndRestartsAreCountedTruly(t *testing.T) {
	file := page(t, "big.yaml", manyRanks)
	out, _, _ := command(t, "", "diagnose", "--from", file)
	for _, want := range []string{"pods of ranks 1-1000000 were not read", "4000000 times so far", "of the 1000001 ranks that its object wants, 0-99999 are listed"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if out, _, _ := command(t, "", "jobs", "-o", "json", "--from", file); !strings.Contains(out, `"restarts": 4000000`) || strings.Contains(out, "or more ranks and restarts") {
		t.Error(out)
	}
	if _, messages, _ := command(t, "", "logs", "big", "--from", file); !strings.Contains(messages, "[0, 1, 2 and 99997 more] no log of this rank") || !strings.Contains(messages, "[100000-1000000] these ranks are more than are listed") {
		t.Error(messages)
	}
}
