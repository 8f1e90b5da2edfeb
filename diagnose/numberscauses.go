package diagnose

import "github.com/traintop/traintop/train"

// numbersCauses are about losses that go wrong.
// Lines of logs tell of them: diagnose/signatures knows the texts.
var numbersCauses = []*cause{
	{
		id: "nan-loss", stage: train.StageProgress,
		meaning:  "The loss or the gradient norm is not a number any more.",
		evidence: "`loss: nan`, `grad norm: nan`, twice in a row.",
		fix:      "Lower learning rate, bf16, look at the data.",
	},
	{
		id: "loss-scale-minimum", stage: train.StageProgress,
		meaning:  "The loss scale has fallen to its least: gradients overflow all the time.",
		evidence: "`Current loss scale already at minimum`.",
		fix:      "bf16 instead of fp16; lower learning rate.",
		hides:    []train.Cause{"nan-loss"},
	},
	{
		id: "loss-spike", stage: train.StageProgress,
		meaning:  "The loss jumped and has not come back.",
		evidence: "Loss far above its running median for many steps.",
		fix:      "Go back to a checkpoint, skip the data.",
	},
}
