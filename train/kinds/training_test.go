package kinds

import "testing"

func TestTraining(t *testing.T) {
	const job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml, labels: {LABELS}}, spec: {SPEC}}"
	for name, c := range map[string]struct {
		labels, spec string
		want         bool
	}{
		"a backup":          {"app: backup", "template: {spec: {containers: [{resources: {limits: {cpu: 1}}}]}}", false},
		"asks for a GPU":    {"", "template: {spec: {containers: [{resources: {limits: {amd.com/gpu: 1}}}]}}", true},
		"asks for memory":   {"", "template: {spec: {containers: [{resources: {limits: {aliyun.com/gpu-mem: 4}}}]}}", true},
		"queue":             {kueueQueueLabel + ": q", "", true},
		"KAI queue":         {"kai.scheduler/queue: q", "", true},
		"Arena":             {"release: j, heritage: Helm, createdBy: TFJob", "", true},
		"any Helm chart":    {"release: j, heritage: Helm", "", false},
		"several indices":   {"", "completionMode: Indexed, completions: 4", true},
		"one index":         {"", "completionMode: Indexed, completions: 1", false},
		"several completed": {"", "completions: 4", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Assemble(familyOf(t, replace(replace(job, "LABELS", c.labels), "SPEC", c.spec))); got.Training != c.want {
				t.Errorf("training %v, want %v", got.Training, c.want)
			}
		})
	}
	if got := Assemble(familyOf(t, "{apiVersion: kubeflow.org/v1, kind: TFJob, metadata: {name: j}}")); !got.Training {
		t.Error("a TFJob is training whatever it asks for")
	}
}
