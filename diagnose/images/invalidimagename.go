package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var invalidImageName = rule.Cause{
	ID: "invalid-image-name", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The image's name is not valid",
		Meaning: "The image's name cannot be parsed: it has capital letters, spaces or a leading http://. Trying again does not help.",
		Fix:     "Correct the image in the job: no capital letters, no spaces, no http://.",
	},
	Evidence: "Container waiting with InvalidImageName; `couldn't parse image name ...: invalid reference format`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, _ := match.Image()
		f.Title = fmt.Sprintf("Image name %q is not valid", image)
		f.Explanation = s.Current.Meaning
		f.Severity = train.SeverityError
		f.Next = []train.Step{rule.Do("Correct the image in the job: lower case, no spaces, no http://, one tag.")}
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
