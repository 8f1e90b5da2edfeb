package e2e

import "strings"

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
