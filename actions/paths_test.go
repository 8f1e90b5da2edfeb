package actions

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestPathsWorthCopying(t *testing.T) {
	for _, one := range []struct{ name, pod, want string }{
		{"transformers", `{command: [torchrun, train.py], args: [--output_dir, /ckpt/bert, --logging_dir=/logs/tb, --model, /models/llama]}`, "/ckpt/bert"},
		{"Megatron-LM in a shell", `{command: [bash, -c, "python pretrain.py --save /mnt/out --load /mnt/in"]}`, "/mnt/out"},
		{"Hydra", `{args: [checkpoint.dir=/data/run7, trainer.steps=5]}`, "/data/run7"},
		{"a variable", `{env: [{name: TORCH_FR_DUMP_TEMP_FILE, value: /shm/fr_}, {name: CHECKPOINT_KEY, value: s3://b}]}`, "/shm/fr_"},
		{"a mount", `{volumeMounts: [{name: checkpoints, mountPath: /c}, {name: data, mountPath: /d}]}`, "/c"},
		{"what is no path", `{args: [--save, "$(DIR)/x", --output_dir=relative, --save, /]}`, ""},
	} {
		var container corev1.Container
		if err := yaml.Unmarshal([]byte(one.pod), &container); err != nil {
			t.Fatal(err)
		}
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
		if got := strings.Join(Paths(pod, "", ""), " "); got != one.want {
			t.Errorf("%s: %q, want %q", one.name, got, one.want)
		}
		if got := Paths(pod, "", "3"); got[len(got)-1] != "/tmp/nccl_trace_rank_3" {
			t.Errorf("%s: without the flight recorder's trace: %q", one.name, got)
		}
	}
	if Paths(nil, "", "") != nil {
		t.Error("no pod has paths")
	}
}
