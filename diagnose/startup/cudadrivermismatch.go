package startup

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var cudaDriverMismatch = rule.Cause{
	ID: "cuda-driver-mismatch", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The NVIDIA driver does not fit the image's CUDA",
		Meaning: "The node's NVIDIA driver and the image's CUDA do not fit together: the driver is too old for this CUDA, or was upgraded and not reloaded.",
		Fix: "See the version of the driver. $ nvidia-smi\n" +
			"Upgrade or reload the node's driver, or use an image for its CUDA version.",
	},
	Evidence: "`nvidia-container-cli: ... driver/library version mismatch`, `unsatisfied condition: cuda>=12.4`; in logs `The NVIDIA driver on your system is too old`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "command-not-found"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("The NVIDIA driver of node %s does not go with the image of %s", match.Node(), s.RanksOf(f))
		if wanted := match.CaptureFrom(0); wanted != "" {
			f.Explanation = s.Current.Meaning + " It says: " + wanted
		}
	},
}
