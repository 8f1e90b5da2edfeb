package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
)

var imagePullUnauthorized = cause{
	id: "image-pull-unauthorized", stage: train.StageImage,
	meaning:  "The registry refuses to hand out the image: credentials are missing or wrong, or the repository does not exist (many registries answer the same).",
	evidence: "`pull access denied`, `unauthorized`, `401`, `403`, `no basic auth credentials`, `insufficient_scope`; imagePullSecrets of the pod.",
	fix:      "Add imagePullSecrets with valid credentials, give the machine's role access, or correct the name.",
	hides:    []train.Cause{"init-container-failing"},

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		image, _ := by.image()
		f.Title = fmt.Sprintf("The registry refuses to hand out image %s", image)
		f.Explanation = s.current.meaning
		s.tellPullSecrets(f, by)
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
