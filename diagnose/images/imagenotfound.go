package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imageNotFound = rule.Cause{
	ID: "image-not-found", Stage: train.StageImage,
	Words: logs.Words{
		Title:   "The image does not exist",
		Meaning: "The registry answers, but has no image of this name, tag or digest.",
		Fix:     "Correct the image's name, tag or digest, or push the image.",
	},
	Evidence: "Container waiting with ErrImagePull or ImagePullBackOff; `manifest unknown`, `failed to resolve reference ...: not found`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, _ := match.Image()
		f.Title = fmt.Sprintf("Image %s does not exist", image)
		f.Explanation = s.Current.Meaning
		f.Next = []train.Step{rule.Do(fmt.Sprintf("Correct the image or its tag in the job, or push %s.", image))}
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
