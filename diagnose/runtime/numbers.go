package runtime

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// numbersCauses are about losses that go wrong. Lines of logs show them:
// sources/signatures contains the texts.
var numbersCauses = []*rule.Cause{
	{
		ID: "nan-loss", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The loss is not a number",
			Meaning: "The loss or the gradient norm is no longer a number (NaN): training diverged, and nothing after this step is of use. Where only a loss of validation is, the evaluation may be at fault: too few samples, or fp16.",
			Fix:     "Go back to a checkpoint from before it. Lower the learning rate or clip gradients, use bf16 instead of fp16, and look at the batches of these steps.",
		},
		Evidence: "`loss: nan`, `grad norm: nan`, `\"loss\": null`, twice in a row; `Current loss scale already at minimum`.",
	},
	{
		ID: "loss-scale-minimum", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The loss scale has fallen to its minimum",
			Meaning: "The loss scale has fallen to its minimum, because gradients overflow at every scale: steps are skipped, or the loss soon is NaN.",
			Fix:     "Use bf16 instead of fp16 if the GPU has it; otherwise lower the learning rate and clip gradients.",
		},
		Evidence: "`Attempted loss scale: 2.0, reducing to 1.0`. Where the program ends because of it, it is nan-loss.",
		Hides:    []train.Cause{"nan-loss"},
	},
	{
		ID: "loss-spike", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The loss rose and has not come back",
			Meaning: "The loss jumped and has not come back: training may have diverged.",
			Fix:     "Watch it for some hundred steps: many spikes come back. If this one does not, go back to a checkpoint from before it and skip the batches that follow.",
		},
		Evidence: "Loss far above its running median for many steps.",
	},
}
