package runtime

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// numbersCauses are about losses that go wrong.
// Lines of logs tell of them: sources/signatures knows the texts.
var numbersCauses = []*rule.Cause{
	{
		ID: "nan-loss", Stage: train.StageProgress,
		Meaning:  "The loss or the gradient norm is not a number any more.",
		Evidence: "`loss: nan`, `grad norm: nan`, twice in a row.",
		Fix:      "Go back to a checkpoint from before it. Lower the learning rate or clip gradients, use bf16 instead of fp16, and look at the batches of these steps.",
		Text: logs.Words{
			Title:   "The loss is not a number",
			Meaning: "Training diverged: nothing after this step is of use.",
			Fix:     "Go back to a checkpoint before it; lower the learning rate, use bf16, look at the batch.",
		},
	},
	{
		ID: "loss-scale-minimum", Stage: train.StageProgress,
		Meaning:  "The loss scale has fallen to its least: gradients overflow all the time.",
		Evidence: "`Current loss scale already at minimum`.",
		Fix:      "Use bf16 instead of fp16 if the GPU has it; otherwise lower the learning rate and clip gradients.",
		Text: logs.Words{
			Title:   "The loss scale has fallen to its least",
			Meaning: "Gradients overflow whatever the scale: steps are skipped, or the loss soon is no number.",
			Fix:     "Use bf16 instead of fp16; or lower the learning rate and clip gradients.",
		},
		Hides: []train.Cause{"nan-loss"},
	},
	{
		ID: "loss-spike", Stage: train.StageProgress,
		Meaning:  "The loss jumped and has not come back.",
		Evidence: "Loss far above its running median for many steps.",
		Fix:      "Watch it for some hundred steps: many spikes come back. If this one does not, go back to a checkpoint from before it and skip the batches that follow.",
		Text: logs.Words{
			Title:   "The loss rose and has not come back",
			Meaning: "Training may have diverged.",
			Fix:     "Watch it; go back to a checkpoint before it and skip those batches.",
		},
	},
}
