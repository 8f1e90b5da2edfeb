package diagnose

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train/kinds"
)

// A job whose pods run in another cluster is not seen: no verdict on it.
func TestJobsOfOtherClustersHaveNoVerdict(t *testing.T) {
	job := func(c *cluster) {
		c.object(kinds.Jobs()[0].GroupKind, `
apiVersion: batch/v1
kind: Job
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:00:00Z"}
spec: {parallelism: 2, completions: 2, completionMode: Indexed, managedBy: kueue.x-k8s.io/multikueue, template: {spec: {containers: [{name: train, image: a, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
status: {active: 2, ready: 2, startTime: "2026-11-20T11:00:00Z"}`)
	}
	got := verdictOf(t, job)
	if got.Verdict != NotEnoughRead || !strings.Contains(got.Sentence, "its pods are not here") {
		t.Errorf("%s: %s", got.Verdict, got.Sentence)
	}
	got = verdictOf(t, func(c *cluster) {
		job(c)
		c.object(rule.WorkloadKind, `
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: job-bert, namespace: ml, uid: w-1, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: bert, uid: job-1, controller: true}]}
spec: {queueName: research}
status: {clusterName: worker-west, conditions: [{type: Admitted, status: "True"}]}`)
	})
	if got.Verdict != NotEnoughRead || !strings.Contains(got.Sentence, "in the cluster worker-west") {
		t.Errorf("%s: %s", got.Verdict, got.Sentence)
	}
}
