package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imagePullUnauthorized = rule.Cause{
	ID: "image-pull-unauthorized", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The registry refuses access to the image",
		Meaning: "The registry refuses access to the image: credentials are missing or wrong, or the repository does not exist (many registries answer the same).",
		Fix:     "Check imagePullSecrets of the pod and its service account: add valid credentials, give the node's role access, or correct the image's name.",
	},
	Evidence: "`pull access denied`, `unauthorized`, `401`, `403`, `no basic auth credentials`, `insufficient_scope`; imagePullSecrets of the pod.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, _ := match.Image()
		f.Title = fmt.Sprintf("The registry refuses to hand out image %s", image)
		f.Explanation = s.Current.Meaning
		s.ExplainPullSecrets(f, match)
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
