package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var imageNotFound = cause{
	id: "image-not-found", stage: train.StageImage,
	meaning:  "The registry answers, and has no image of this name and tag.",
	evidence: "Container waiting with ErrImagePull or ImagePullBackOff; `manifest unknown`, `failed to resolve reference ...: not found`.",
	fix:      "Correct the tag or digest, or push the image.",
	text: logs.Words{
		Title:   "The image does not exist",
		Meaning: "The registry does not know the repository, tag or digest.",
		Fix:     "Correct the image's name or tag.",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, _ := by.image()
		f.Title = fmt.Sprintf("Image %s does not exist", image)
		f.Explanation = s.current.meaning
		f.Next = []train.Step{do(fmt.Sprintf("Correct the image or its tag in the job, or push %s.", image))}
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
