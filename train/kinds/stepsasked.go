package kinds

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// stepFlags are the flags that set the number of training steps, as they are
// written without their dashes, in lower case and with "-" for "_": the
// transformers Trainer and what follows it (max_steps), Megatron-LM and
// GPT-NeoX (train-iters), diffusers and accelerate (max_train_steps), BERT and
// T5 (num_train_steps), torchtitan (training.steps), MaxText (steps), NeMo and
// Lightning (trainer.max_steps), verl (trainer.total_training_steps), nanoGPT
// (max_iters), OpenMMLab and detectron2 (max_iter).
var stepFlags = map[string]bool{
	"max-steps": true, "max-step": true, "train-iters": true, "max-train-steps": true, "num-train-steps": true,
	"train-steps": true, "total-steps": true, "num-steps": true, "training-steps": true, "num-training-steps": true,
	"total-training-steps": true, "training.steps": true, "steps": true, "max-iters": true, "max-iter": true,
	"solver.max-iter": true, "total-iters": true, "num-iterations": true,
	"trainer.max-steps": true, "trainer.total-training-steps": true, "trainer.num-steps": true,
}

// StepsAsked returns the number of steps on a container's command line, 0
// without one: "--max_steps 5000", "trainer.max_steps=5000", also within the
// text that a shell gets. The last one counts, as with most parsers.
func StepsAsked(pod *corev1.Pod, container string) int64 {
	if pod == nil {
		return 0
	}
	c := namedContainer(pod.Spec.Containers, container)
	if c == nil {
		return 0
	}
	asked, name := int64(0), ""
	for _, argument := range append(append([]string(nil), c.Command...), c.Args...) {
		for _, word := range strings.Fields(argument) {
			flag, value, joined := strings.Cut(strings.TrimLeft(word, "-+"), "=")
			if !joined {
				flag, value = name, word
			}
			if n, err := strconv.ParseInt(strings.Trim(value, `"'\`), 10, 64); err == nil && n > 0 && stepFlags[stepFlag(flag)] {
				asked = n
			}
			name = ""
			if !joined && strings.HasPrefix(word, "--") {
				name = strings.TrimLeft(word, "-")
			}
		}
	}
	return asked
}

func stepFlag(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }
