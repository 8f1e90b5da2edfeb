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
