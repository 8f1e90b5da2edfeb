package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose/admission"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// wantsGPUs are the pod sets of queued's Workload: 2 pods of 8 GPUs each.
const wantsGPUs = `podSets: [{name: worker, count: 2, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 8}}}]}}}]`

// queuedWith is queued with pod sets, and with more in the status.
func queuedWith(podSets, status string) func(*cluster) {
	return func(c *cluster) {
		queued("")(c)
		c.events = c.events[:len(c.events)-1]
		c.object(rule.WorkloadKind, `
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: pytorchjob-bert-1a2b3, namespace: ml, uid: wl-1, creationTimestamp: "2026-11-20T11:50:01Z", ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]}
spec: {queueName: train, active: true, `+podSets+`}
status: {`+status+`}`)
	}
}

// cq returns a ClusterQueue with one flavor; field is cohort or cohortName.
func cq(name, field, cohort, limits string, used int) func(*cluster) {
	return func(c *cluster) {
		c.object(rule.ClusterQueueKind, fmt.Sprintf(`{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: %s}, spec: {%s: %q, resourceGroups: [{flavors: [{name: h100, resources: [{name: nvidia.com/gpu, %s}]}]}]}, status: {conditions: [{type: Active, status: "True"}], flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: %d}]}]}}`, name, field, cohort, limits, used))
	}
}

func localQueue(spec string) func(*cluster) {
	return func(c *cluster) {
		c.object(rule.LocalQueueKind, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: train, namespace: ml}, spec: {`+spec+`}}`)
	}
}

func cohort(name, spec string) func(*cluster) {
	return func(c *cluster) {
		c.object(admission.CohortKind, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: `+name+`}, spec: {`+spec+`}}`)
	}
}

// What a queue has, what it may borrow and what others lend, by the rules of
// Kueue's pkg/cache/resource_node.go; the job requests 16.
func TestKueueQuotaIsComputed(t *testing.T) {
	held := queuedWith(wantsGPUs, "")
	own := localQueue("clusterQueue: gpus")
	is := func(builds ...func(*cluster)) func(*cluster) { return both(append(builds, held, own)...) }
	const waits, errs = train.SeverityWarning, train.SeverityError
	list := []scenario{
		{name: "more than all, without a cohort", severity: errs, title: "no flavor can ever give more than 8", build: is(cq("gpus", "cohortName", "", "nominalQuota: 8", 0))},
		{name: "enough, and in use", severity: waits, build: is(cq("gpus", "cohortName", "", "nominalQuota: 16", 8))},
		{name: "a cohort could lend it", severity: waits, build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8", 8), cq("b", "cohortName", "ai", "nominalQuota: 8", 8))},
		{name: "a cohort of an older version could", severity: waits, build: is(cq("gpus", "cohort", "ai", "nominalQuota: 8", 8), cq("b", "cohort", "ai", "nominalQuota: 8", 8))},
		{name: "a cohort is too small as well", severity: errs, title: "more than 12", build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8", 0), cq("b", "cohortName", "ai", "nominalQuota: 4", 0))},
		{name: "borrowing is limited", severity: errs, title: "more than 10", build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8, borrowingLimit: 2", 0), cq("b", "cohortName", "ai", "nominalQuota: 32", 0))},
		{name: "lending is limited", severity: errs, title: "more than 9", build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8", 0), cq("b", "cohortName", "ai", "nominalQuota: 32, lendingLimit: 1", 0))},
		{name: "the cohort's own quota", severity: waits, build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8", 8), cohort("ai", `resourceGroups: [{flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]}]`))},
		{name: "a cohort above lends", severity: waits, build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8", 8), cohort("ai", "parentName: all"), cq("b", "cohortName", "all", "nominalQuota: 8", 8))},
		{name: "cohorts in a circle", severity: errs, build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 1", 0), cohort("ai", "parentName: all"), cohort("all", "parentName: ai"))},
		{name: "near miss: fewer pods would do", severity: waits, build: both(cq("gpus", "cohortName", "", "nominalQuota: 8", 0), own, queuedWith(strings.Replace(wantsGPUs, "count: 2", "count: 2, minCount: 1", 1), ""))},
		{name: "near miss: Kueue says that it would fit", severity: waits, build: both(cq("gpus", "cohortName", "", "nominalQuota: 8", 0), own, queuedWith(wantsGPUs, `conditions: [{type: QuotaReserved, status: "False", reason: Pending, message: "couldn't assign flavors to pod set worker: insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed"}]`))},
		{name: "near miss: the other queues of the cohort cannot be read", severity: waits, build: is(cq("gpus", "cohortName", "ai", "nominalQuota: 8", 0), func(c *cluster) { c.unreadable(rule.ClusterQueueKind) })},
	}
	for i := range list {
		list[i].want = "kueue-not-admitted"
	}
	runScenarios(t, list)
}

func TestKueueSaysWhatIsAvailable(t *testing.T) {
	for name, test := range map[string]struct {
		gpus, b func(*cluster)
		want    string
	}{
		// b lends 10 and uses 8 of them, and 6 of its own that it keeps; with the 2
		// that gpus has left itself, 4 are free of the 18 in the cohort.
		"the other queue lends a part": {
			cq("gpus", "cohortName", "ai", "nominalQuota: 8, borrowingLimit: 4", 6), cq("b", "cohortName", "ai", "nominalQuota: 16, lendingLimit: 10", 14),
			"worker asks for 8 nvidia.com/gpu; flavor h100 has 4 available (6 of 8 used; may borrow at most 4 from cohort ai), and at most 12",
		},
		// gpus keeps 6 and uses 1 of them; of the 9 that both lend, 7 are used.
		"the queue itself lends a part": {
			cq("gpus", "cohortName", "ai", "nominalQuota: 8, lendingLimit: 2", 1), cq("b", "cohortName", "ai", "nominalQuota: 7", 7),
			"worker asks for 8 nvidia.com/gpu; flavor h100 has 7 available (1 of 8 used; may borrow any from cohort ai), and at most 15",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			both(test.gpus, test.b, localQueue("clusterQueue: gpus"), queuedWith(strings.Replace(wantsGPUs, "count: 2", "count: 1", 1), ""))(c)
			s := c.snapshot()
			f := Run(s, Options{}, nil).Worst(s.Jobs()[0].ID)
			if f == nil || len(f.Evidence) < 2 {
				t.Fatalf("no evidence: %+v", f)
			}
			if got := f.Evidence[1].Text; got != test.want {
				t.Errorf("evidence\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Kueue 0.19 names the job of the Workload that takes the place, and the paths
// of both in the cohorts. The Workload may be gone, or may not be read.
func TestThePreemptorIsFoundByItsJob(t *testing.T) {
	c := newCluster(t)
	both(cq("gpus", "cohortName", "", "nominalQuota: 16", 0), localQueue("clusterQueue: gpus"), queuedWith(wantsGPUs,
		`conditions: [{type: QuotaReserved, status: "False", reason: Pending, message: "Preempted"}, {type: Evicted, status: "True", reason: Preempted, message: "Preempted to accommodate a workload (UID: 01f39148-05ce-4ee5-bce7-92e096b16537, JobUID: 7a0e0a52-97fb-4d45-9f3c-2b1b8f4f4c11) due to reclamation within the cohort; preemptor path: /org/prod; preemptee path: /org/ml", lastTransitionTime: "2026-11-20T11:58:00Z"}]`))(c)
	c.object(kinds.Jobs()[1].GroupKind, `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: other, namespace: prod, uid: 7a0e0a52-97fb-4d45-9f3c-2b1b8f4f4c11}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch}]}}}}}}`)
	s := c.snapshot()
	report := Run(s, Options{}, nil)
	for _, job := range s.Jobs() {
		if f := report.Worst(job.ID); job.Ref.Name == "bert" && (f == nil || f.Title != "Kueue pushed ml/PyTorchJob/bert aside for prod/PyTorchJob/other: reclamation within the cohort") {
			t.Errorf("the finding is %+v", f)
		}
	}
}

// Conditions of a Workload that Kueue evicted (Kueue 0.6 to 0.15).
func TestKueuePutsJobsBack(t *testing.T) {
	evicted := func(reason, status string) func(*cluster) {
		return both(cq("gpus", "cohortName", "", "nominalQuota: 16", 0), localQueue("clusterQueue: gpus"),
			queuedWith(wantsGPUs, `requeueState: {count: 3}, conditions: [{type: QuotaReserved, status: "False", reason: Pending, message: "Exceeded the PodsReady timeout ml/pytorchjob-bert-1a2b3"}, {type: Evicted, status: "`+status+`", reason: `+reason+`, message: "Exceeded the PodsReady timeout ml/pytorchjob-bert-1a2b3", lastTransitionTime: "2026-11-20T11:58:00Z"}]`))
	}
	runScenarios(t, []scenario{
		{name: "not ready in time", want: "kueue-not-admitted", severity: train.SeverityWarning, title: "put the job back into queue train", build: evicted("PodsReadyTimeout", "True")},
		{name: "near miss: long ago", want: "kueue-not-admitted", title: "waits in queue", build: evicted("PodsReadyTimeout", "False")},
		{name: "preempted is told elsewhere", want: "pod-preempted", build: evicted("Preempted", "True")},
		{name: "the queue is stopped", want: "kueue-inadmissible", title: "stopPolicy Hold", build: both(localQueue("clusterQueue: gpus, stopPolicy: Hold"), queuedWith(wantsGPUs, ""))},
		{name: "near miss: the queue is open", want: "kueue-not-admitted", never: []train.Cause{"kueue-inadmissible"}, build: both(cq("gpus", "cohortName", "", "nominalQuota: 16", 0), localQueue("clusterQueue: gpus, stopPolicy: None"), queuedWith(wantsGPUs, ""))},
	})
}
