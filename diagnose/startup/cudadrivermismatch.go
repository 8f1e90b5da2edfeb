package startup

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var cudaDriverMismatch = rule.Cause{
	ID: "cuda-driver-mismatch", Stage: train.StageStart,
	Meaning:  "The node's NVIDIA driver and the image do not go together: the driver is too old for the image's CUDA, or was upgraded without being loaded anew.",
	Evidence: "`nvidia-container-cli: ... driver/library version mismatch`, `unsatisfied condition: cuda>=12.4`; in logs `The NVIDIA driver on your system is too old`.",
	Fix:      "Upgrade or reload the node's driver, or use an image for its CUDA version.",
	Text: logs.Words{
		Title:   "The driver is too old for this CUDA",
		Meaning: "The node's driver and the image's CUDA do not fit together.",
		Fix:     "Use an image for the node's driver, or update the driver. $ nvidia-smi",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "command-not-found"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("The NVIDIA driver of node %s does not go with the image of %s", by.Node(), s.RanksOf(f))
		if wanted := by.Captured(0); wanted != "" {
			f.Explanation = s.Current.Meaning + " It says: " + wanted
		}
	},
}
