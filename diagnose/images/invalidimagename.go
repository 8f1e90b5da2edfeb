package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var invalidImageName = rule.Cause{
	ID: "invalid-image-name", Stage: train.StageImage,
	Meaning:  "The image's name is written in a form that no registry has: capital letters, spaces, a leading http://. It is never tried again with success.",
	Evidence: "Container waiting with InvalidImageName; `couldn't parse image name ...: invalid reference format`.",
	Fix:      "Correct the image in the job.",
	Text: logs.Words{
		Title:   "The image's name is not valid",
		Meaning: "The reference cannot be parsed; trying again does not help.",
		Fix:     "Correct it: no upper case, no spaces, no http://.",
	},
	Hides: []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		image, _ := by.Image()
		f.Title = fmt.Sprintf("Image name %q is not valid", image)
		f.Explanation = s.Current.Meaning
		f.Severity = train.SeverityError
		f.Next = []train.Step{rule.Do("Correct the image in the job: lower case, no spaces, no http://, one tag.")}
		f.Next = append(f.Next, s.ImageSteps(f, by)...)
	},
}
