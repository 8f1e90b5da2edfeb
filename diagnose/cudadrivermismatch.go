package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var cudaDriverMismatch = cause{
	id: "cuda-driver-mismatch", stage: train.StageStart,
	meaning:  "The node's NVIDIA driver and the image do not go together: the driver is too old for the image's CUDA, or was upgraded without being loaded anew.",
	evidence: "`nvidia-container-cli: ... driver/library version mismatch`, `unsatisfied condition: cuda>=12.4`; in logs `The NVIDIA driver on your system is too old`.",
	fix:      "Upgrade or reload the node's driver, or use an image for its CUDA version.",
	text: logs.Words{
		Title:   "The driver is too old for this CUDA",
		Meaning: "The node's driver and the image's CUDA do not fit together.",
		Fix:     "Use an image for the node's driver, or update the driver. $ nvidia-smi",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "command-not-found"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("The NVIDIA driver of node %s does not go with the image of %s", by.node(), s.ranksOf(f))
		if wanted := by.captured(0); wanted != "" {
			f.Explanation = s.current.meaning + " It says: " + wanted
		}
	},
}
