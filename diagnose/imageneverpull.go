package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var imageNeverPull = cause{
	id: "image-never-pull", stage: train.StageImage,
	meaning:  "The pull policy is Never, and the node does not have the image.",
	evidence: "Container waiting with ErrImageNeverPull; `is not present with pull policy of Never`.",
	fix:      "Use imagePullPolicy IfNotPresent, or put the image onto the node first.",
	text: logs.Words{
		Title:   "The image is not on the node and may not be pulled",
		Meaning: "The pull policy is Never.",
		Fix:     "Change imagePullPolicy, or load the image onto the node.",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, node := by.image()
		f.Title = fmt.Sprintf("Image %s is not on node %s, and its pull policy is Never", image, node)
		f.Explanation = s.current.meaning
		f.Severity = train.SeverityError
		f.Next = []train.Step{do("Use imagePullPolicy: IfNotPresent, or load the image onto the node first.")}
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
