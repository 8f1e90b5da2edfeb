package e2e

import "strings"

// onceRuntime is a runtime whose ranks are not tried again.
const onceRuntime = `
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: once, labels: {trainer.kubeflow.org/framework: torch}}
spec:
  mlPolicy: {numNodes: 1, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            backoffLimit: 0
            template: {spec: {containers: [{name: node, image: registry.example/train}]}}
`

// realTrainJob has three nodes with two GPUs each, in a runtime given in YAML's
// flow style.
func realTrainJob(name, runtime string) string {
	return strings.NewReplacer("NAME", name, "RUNTIME", runtime).Replace(`
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: NAME}
spec:
  runtimeRef: RUNTIME
  trainer: {numNodes: 3, image: registry.example/train, resourcesPerNode: {limits: {nvidia.com/gpu: 2}}}
`)
}

// A TrainJob waits for nodes, runs, and fails with one rank. In the runtime that
// Trainer brings a rank is tried again, and the job ends well.
func liveTrainer(r *realOperator) {
	r.apply(onceRuntime)
	r.apply(realTrainJob("bad", "{name: once, kind: TrainingRuntime}"))
	r.shows("bad", in("Pending", 0, 3))
	r.nodes(1)
	r.shows("bad", in("Running", 3, 3), restarted(0))
	r.ends("137", "OOMKilled", r.pods("bad", 3)[1])
	r.shows("bad", in("Failed", 0, 3))
	if found := r.finds("TrainJob/bad", "oom-killed"); found.RootRank != 1 {
		r.t.Errorf("rank %d is said to be the root, want 1", found.RootRank)
	}
	r.apply(realTrainJob("good", "{name: torch-distributed}"))
	r.shows("good", in("Running", 3, 3), restarted(0))
	r.ends("1", "", r.pods("good", 3)[2])
	r.shows("good", in("Running", 3, 3), restarted(1))
	r.ends("0", "", r.pods("good", 3)...)
	r.shows("good", in("Succeeded", 0, 3), restarted(1))
}
