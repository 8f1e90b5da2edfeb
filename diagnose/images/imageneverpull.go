package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imageNeverPull = rule.Cause{
	ID: "image-never-pull", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The image is not on the node and may not be pulled",
		Meaning: "The pull policy is Never, and the node does not have the image.",
		Fix:     "Use imagePullPolicy IfNotPresent, or load the image onto the node first.",
	},
	Evidence: "Container waiting with ErrImageNeverPull; `is not present with pull policy of Never`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, node := match.Image()
		f.Title = fmt.Sprintf("Image %s is not on node %s, and its pull policy is Never", image, node)
		f.Explanation = s.Current.Meaning
		f.Severity = train.SeverityError
		f.Next = []train.Step{rule.Do("Use imagePullPolicy: IfNotPresent, or load the image onto the node first.")}
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
