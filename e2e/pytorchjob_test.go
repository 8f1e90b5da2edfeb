package e2e

import "strings"

// runsAnywhere is the pod of a job that requests nothing.
const runsAnywhere = `{containers: [{name: pytorch, image: registry.example/train}]}`

// pytorchJob is a PyTorchJob of one worker and its pod, the pod's spec and
// annotations given in YAML's flow style.
func pytorchJob(name, podSpec string, annotations ...string) string {
	return strings.NewReplacer("NAME", name, "POD", podSpec, "ANNOTATIONS", strings.Join(append(annotations, "e2e/owner: PyTorchJob/"+name), ", ")).Replace(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: NAME}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 1, restartPolicy: Never, template: {spec: POD}}
---
apiVersion: v1
kind: Pod
metadata:
  name: NAME-worker-0
  annotations: {ANNOTATIONS}
  labels: {training.kubeflow.org/job-name: NAME, training.kubeflow.org/operator-name: pytorchjob-controller, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}
spec: POD
`)
}
