package cli

import (
	"strings"
	"testing"
)

// Pods that asked for GPUs and failed are named where no job that is read has
// them, also beside a job that is well.
func TestFailedPodsOfNoJobAreNamed(t *testing.T) {
	stray := strings.NewReplacer("bert-worker-1", "llm-0", "uid: pod-1", "uid: stray", "kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1", "example.com/v1, kind: TrainingRun, name: llm, uid: run-1",
		`labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "1"}`, "labels: {app: llm}",
		"{name: pytorch, image: a}", "{name: pytorch, image: a, resources: {limits: {nvidia.com/gpu: 8}}}").Replace(podWithRank)
	const want = "1 pod that asked for GPUs failed and belongs to no job that is read (ml/llm-0; of TrainingRun llm)"
	dump := page(t, "dump.yaml", failedJob+podWithRank+stray)
	for _, args := range [][]string{{"jobs"}, {"jobs", "-o", "json"}, {"diagnose"}, {"diagnose", "-o", "json"}} {
		if out, messages, _ := command(t, "", append(args, "--from", dump)...); !strings.Contains(out+messages, want) {
			t.Errorf("%v: %s%s", args, out, messages)
		}
	}
	without := strings.Replace(stray, "nvidia.com/gpu: 8", "cpu: 8", 1)
	if out, messages, _ := command(t, "", "jobs", "--from", page(t, "dump.yaml", failedJob+podWithRank+without)); strings.Contains(out+messages, "no job that is read") {
		t.Errorf("of a pod without GPUs: %s%s", out, messages)
	}
}

// A quantity of GPUs that is none is named in every answer, with the object, the
// field and what was read.
func TestQuantitiesThatAreNoneAreNamed(t *testing.T) {
	folder := logsIn(t, map[string]string{"cluster.yaml": `
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {capacity: {nvidia.com/gpu: "1e40"}, allocatable: {nvidia.com/gpu: "-8"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: ml}
spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: "8.5"}}}]}
status: {phase: Pending}
---
apiVersion: v1
kind: Pod
metadata: {name: bad, namespace: ml}
spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: "eight\x1b[2J"}}}]}
status: {phase: Pending}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: j, namespace: ml, uid: u}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: -1}}}]}}}}}
`})
	for _, args := range [][]string{{"jobs"}, {"gpus"}, {"diagnose", "-A"}, {"jobs", "-o", "json"}, {"gpus", "-o", "json"}, {"diagnose", "-A", "-o", "json"}} {
		out, messages, _ := command(t, "", append(args, "--from", folder)...)
		said := messages
		if args[len(args)-1] == "json" {
			said = strings.ReplaceAll(out, `\"`, `"`)
		}
		for _, want := range []string{
			`nvidia.com/gpu in status.allocatable is "-8", nvidia.com/gpu in status.capacity is "10e39"`, "node n1",
			`nvidia.com/gpu in the limits of container main is "8500m"`, "pod ml/alone",
			`nvidia.com/gpu in the limits of container main of role Worker is "-1"`, "ml/PyTorchJob/j",
			"Pod ml/bad", `spec.containers[0].resources.limits.nvidia.com/gpu is "eight`,
		} {
			if !strings.Contains(said, want) {
				t.Errorf("%v does not say %s:\n%s", args, want, said)
			}
		}
	}
}
