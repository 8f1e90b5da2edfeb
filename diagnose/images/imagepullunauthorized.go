package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imagePullUnauthorized = rule.Cause{
	ID: "image-pull-unauthorized", Stage: train.StageImage,
	Meaning:  "The registry refuses to hand out the image: credentials are missing or wrong, or the repository does not exist (many registries answer the same).",
	Evidence: "`pull access denied`, `unauthorized`, `401`, `403`, `no basic auth credentials`, `insufficient_scope`; imagePullSecrets of the pod.",
	Fix:      "Add imagePullSecrets with valid credentials, give the machine's role access, or correct the name.",
	Text: logs.Words{
		Title:   "The registry refuses to give the image",
		Meaning: "No or wrong credentials, or the repository does not exist: many registries answer the same.",
		Fix:     "Check imagePullSecrets of the pod and its service account, and the image's name.",
	},
	Hides: []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		image, _ := by.Image()
		f.Title = fmt.Sprintf("The registry refuses to hand out image %s", image)
		f.Explanation = s.Current.Meaning
		s.ExplainPullSecrets(f, by)
		f.Next = append(f.Next, s.ImageSteps(f, by)...)
	},
}
