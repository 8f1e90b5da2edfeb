package kinds

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestStepsAsked(t *testing.T) {
	f := func(want int64, words ...string) {
		t.Helper()
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "istio-proxy", Args: []string{"--max_steps=7"}},
			{Name: "trainer", Command: words[:1], Args: words[1:]},
		}}}
		if got := StepsAsked(pod, "trainer"); got != want {
			t.Errorf("%q: got %d, want %d", words, got, want)
		}
	}
	f(5000, "torchrun", "train.py", "--max_steps", "5000", "--lr", "1e-4")
	f(5000, "torchrun", "train.py", "--max-steps=5000")
	f(100000, "sh", "-c", "set -e; torchrun pretrain_gpt.py \\\n  --train-iters 100000 \\\n  --lr 6.0e-5")
	f(1000, "python", "-m", "nemo", "trainer.max_steps=1000", "+exp=x")
	f(30, "python3", "MaxText/train.py", "base.yml", "steps=30", "per_device_batch_size=4")
	f(10000, "torchrun", "-m", "torchtitan.train", "--training.steps", "10000")
	f(20, "train", "--max_steps=10", "--max_steps=20")
	f(0, "train", "--max_steps", "-1")
	f(0, "train", "--save_steps", "500", "--logging-steps=10", "--warmup_steps", "100")
	f(0, "train", "--max_steps", "--lr", "5")
	f(0, "train", "--steps-per-epoch=40", "steps", "12")
	f(0, "train")
	if got := StepsAsked(nil, "trainer"); got != 0 {
		t.Errorf("no pod asks for %d steps", got)
	}
}
