package e2e

import (
	"context"
	"fmt"
	"strings"

	"github.com/traintop/traintop/e2e/controlplane"
)

// realKueueQueue has room for one job of eight GPUs; one of a higher priority takes
// the place of one that runs.
const realKueueQueue = `
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: h100}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-a}
spec: {clusterQueue: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: urgent}
value: 1000
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: spare}
value: -1000
`

// realKueueJob is a Job of two ranks with four GPUs each; labels are further ones.
func realKueueJob(name, labels string) string {
	return strings.NewReplacer("NAME", name, "LABELS", labels).Replace(`
apiVersion: batch/v1
kind: Job
metadata: {name: NAME, labels: {kueue.x-k8s.io/queue-name: team-a, LABELS}}
spec:
  suspend: true
  parallelism: 2
  completions: 2
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: train, image: registry.example/train, resources: {requests: {nvidia.com/gpu: 4}, limits: {nvidia.com/gpu: 4}}}]
`)
}

// A queue that does not exist holds a Job; another one runs one Job and has the
// next wait. An urgent one takes the place of the first, which comes back: before
// the second, which has less priority. With the same, Kueue may take either.
func liveKueue(r *realOperator) {
	r.nodes(2)
	r.apply(realKueueJob("first", ""))
	r.shows("first", in("Queued", 0, 2))
	r.finds("Job/first", "kueue-inadmissible")

	r.apply(realKueueQueue)
	r.shows("first", in("Running", 2, 2))
	r.pods("first", 2)
	r.apply(realKueueJob("second", "kueue.x-k8s.io/priority-class: spare"))
	r.shows("second", in("Queued", 0, 2), because("insufficient unused quota for nvidia.com/gpu in flavor h100"))
	r.finds("Job/second", "kueue-not-admitted")
	r.placedByKueue("second")

	r.apply(realKueueJob("urgent", "kueue.x-k8s.io/priority-class: urgent"))
	r.shows("urgent", in("Running", 2, 2))
	r.shows("first", in("Queued", 0, 2))
	if found := r.finds("Job/first", "pod-preempted"); !strings.Contains(found.Title+found.Explanation, "urgent") {
		r.t.Errorf("it does not say that urgent took its place: %s\n%s", found.Title, found.Explanation)
	}

	r.ends("0", "", r.pods("urgent", 2)...)
	r.shows("urgent", in("Succeeded", 0, 2))
	r.shows("first", in("Running", 2, 2))
	r.ends("1", "", r.pods("first", 2)[1])
	r.shows("first", in("Failed", 0, 2))
	if found := r.finds("Job/first", "application-error"); found.RootRank != 1 {
		r.t.Errorf("rank %d is said to be the root, want 1", found.RootRank)
	}
	r.shows("second", in("Running", 2, 2))
}

// othersInLine are Workloads that represent no job and wait before the spare ones:
// one beside the jobs, one in a namespace that not everybody may read.
const othersInLine = `
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-b, namespace: hidden}
spec: {clusterQueue: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: by-hand, namespace: hidden}
spec: {queueName: team-b, priority: -400, podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 8}}}]}}}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: by-hand, namespace: train}
spec: {queueName: team-a, priority: -500, podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 8}}}]}}}]}
`

// placedByKueue holds that a job that waits has the place that Kueue gives it,
// behind two Workloads that are no jobs: in all namespaces, in its own alone, and
// for a user who may read nothing else.
func (r *realOperator) placedByKueue(job string) {
	r.t.Helper()
	must(r.t, r.plane.CreateNamespace(r.ctx, "hidden"))
	others, err := controlplane.Objects(othersInLine)
	must(r.t, err)
	_, err = r.plane.ApplyObjects(r.ctx, others...)
	must(r.t, err)
	narrow, err := r.plane.UserKubeconfig(r.ctx, "narrow", controlplane.Grant{Namespace: operatorJobs, Rules: givenRules(r.t)})
	must(r.t, err)
	for _, as := range [][]string{{r.plane.Kubeconfig, "-A"}, {r.plane.Kubeconfig, "-n", operatorJobs}, {narrow}, {narrow, "-n", operatorJobs}} {
		r.until(fmt.Sprint("the place of ", job, " for ", as[1:]), func(ctx context.Context) error {
			a, err := jobs(ctx, as[0], as[1:]...)
			if err != nil {
				return err
			}
			row, err := a.job(job)
			if err == nil && row.QueuePlace != 3 {
				err = fmt.Errorf("it shows as %+v, want place 3; problems: %+v", row, a.Problems)
			}
			return err
		})
	}
	if found := r.finds("Job/"+job, "kueue-not-admitted"); !strings.Contains(found.Explanation, "number 3 ") {
		r.t.Errorf("the diagnosis does not say its place: %s", found.Explanation)
	}
	for _, other := range others[1:] {
		must(r.t, r.plane.Delete(r.ctx, other))
	}
}
