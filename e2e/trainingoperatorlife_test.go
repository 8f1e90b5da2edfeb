package e2e

import "strings"

// withGPUs is the pod of a rank with two GPUs, its container named as the kind
// wants it.
func withGPUs(container string) string {
	return `{spec: {containers: [{name: ` + container + `, image: registry.example/train, resources: {limits: {nvidia.com/gpu: 2}}}]}}`
}

// realPyTorchJob has a master and two workers. The operator replaces a worker that
// ends with a code that promises better luck (128 and more).
func realPyTorchJob(name string) string {
	return strings.NewReplacer("NAME", name, "POD", withGPUs("pytorch")).Replace(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: NAME}
spec:
  pytorchReplicaSpecs:
    Master: {replicas: 1, restartPolicy: Never, template: POD}
    Worker: {replicas: 2, restartPolicy: ExitCode, template: POD}
`)
}

func realTFJob(name string) string {
	return strings.NewReplacer("NAME", name, "POD", withGPUs("tensorflow")).Replace(`
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: NAME}
spec:
  tfReplicaSpecs:
    Chief: {replicas: 1, restartPolicy: Never, template: POD}
    Worker: {replicas: 2, restartPolicy: Never, template: POD}
`)
}

// A PyTorchJob and a TFJob wait for nodes, run, and fail with one rank. In another
// PyTorchJob a worker is killed, is replaced, and the job ends well, as a TFJob does.
func liveTrainingOperator(r *realOperator) {
	r.apply(realPyTorchJob("bad"))
	r.apply(realTFJob("tf-bad"))
	r.shows("bad", in("Pending", 0, 3))
	r.shows("tf-bad", in("Pending", 0, 3))
	r.nodes(3)
	r.shows("bad", in("Running", 3, 3), restarted(0))
	r.shows("tf-bad", in("Running", 3, 3), restarted(0))

	r.ends("1", "", r.pods("bad", 3)[1])
	r.shows("bad", in("Failed", 2, 3), restarted(0))
	if found := r.finds("PyTorchJob/bad", "application-error"); found.RootRank != 1 {
		r.t.Errorf("rank %d is said to be the root, want 1", found.RootRank)
	}
	r.ends("137", "OOMKilled", r.pods("tf-bad", 3)[2])
	r.shows("tf-bad", in("Failed", 2, 3))
	if found := r.finds("TFJob/tf-bad", "oom-killed"); found.RootRank != 2 {
		r.t.Errorf("rank %d is said to be the root, want 2", found.RootRank)
	}

	r.apply(realPyTorchJob("good"))
	r.apply(realTFJob("tf-good"))
	r.shows("good", in("Running", 3, 3), restarted(0))
	r.shows("tf-good", in("Running", 3, 3), restarted(0))
	r.ends("137", "", r.pods("good", 3)[2])
	r.shows("good", in("Running", 3, 3), restarted(1))
	r.ends("0", "", r.pods("good", 3)...)
	r.ends("0", "", r.pods("tf-good", 3)...)
	r.shows("good", in("Succeeded", 0, 3), restarted(1))
	r.shows("tf-good", in("Succeeded", 0, 3), restarted(0))
}
