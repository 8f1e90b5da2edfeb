package e2e

import "strings"

// jobSet is a JobSet of two replicated jobs of two pods each, four ranks with two
// GPUs. It may be restarted once.
func jobSet(name string) string {
	return strings.ReplaceAll(`
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: NAME}
spec:
  failurePolicy: {maxRestarts: 1}
  replicatedJobs:
  - name: worker
    replicas: 2
    template:
      spec:
        parallelism: 2
        completions: 2
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            containers: [{name: train, image: registry.example/train, resources: {limits: {nvidia.com/gpu: 2}}}]
`, "NAME", name)
}

// A JobSet waits for nodes, runs, is restarted whole when one rank fails, and fails
// when one does so again. Another one ends well.
func liveJobSet(r *realOperator) {
	r.apply(jobSet("bad"))
	r.shows("bad", in("Pending", 0, 4))
	r.nodes(1)
	r.shows("bad", in("Running", 4, 4), restarted(0))

	r.ends("1", "", r.pods("bad", 4)[3])
	r.shows("bad", in("Running", 4, 4), restarted(1))

	r.ends("137", "OOMKilled", r.pods("bad", 4)[2])
	r.shows("bad", in("Failed", 0, 4), restarted(1))
	if found := r.finds("JobSet/bad", "oom-killed"); found.RootRank != 2 {
		r.t.Errorf("rank %d is said to be the root, want 2", found.RootRank)
	}

	r.apply(jobSet("good"))
	r.shows("good", in("Running", 4, 4))
	r.ends("0", "", r.pods("good", 4)...)
	r.shows("good", in("Succeeded", 0, 4), restarted(0))
}
