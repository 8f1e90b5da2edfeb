package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var imagePullUnauthorized = cause{
	id: "image-pull-unauthorized", stage: train.StageImage,
	meaning:  "The registry refuses to hand out the image: credentials are missing or wrong, or the repository does not exist (many registries answer the same).",
	evidence: "`pull access denied`, `unauthorized`, `401`, `403`, `no basic auth credentials`, `insufficient_scope`; imagePullSecrets of the pod.",
	fix:      "Add imagePullSecrets with valid credentials, give the machine's role access, or correct the name.",
	text: logs.Words{
		Title:   "The registry refuses to give the image",
		Meaning: "No or wrong credentials, or the repository does not exist: many registries answer the same.",
		Fix:     "Check imagePullSecrets of the pod and its service account, and the image's name.",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, _ := by.image()
		f.Title = fmt.Sprintf("The registry refuses to hand out image %s", image)
		f.Explanation = s.current.meaning
		s.explainPullSecrets(f, by)
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
