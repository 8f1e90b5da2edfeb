package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var invalidImageName = cause{
	id: "invalid-image-name", stage: train.StageImage,
	meaning:  "The image's name is written in a form that no registry has: capital letters, spaces, a leading http://. It is never tried again with success.",
	evidence: "Container waiting with InvalidImageName; `couldn't parse image name ...: invalid reference format`.",
	fix:      "Correct the image in the job.",
	text: logs.Words{
		Title:   "The image's name is not valid",
		Meaning: "The reference cannot be parsed; trying again does not help.",
		Fix:     "Correct it: no upper case, no spaces, no http://.",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, _ := by.image()
		f.Title = fmt.Sprintf("Image name %q is not valid", image)
		f.Explanation = s.current.meaning
		f.Severity = train.SeverityError
		f.Next = []train.Step{do("Correct the image in the job: lower case, no spaces, no http://, one tag.")}
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
