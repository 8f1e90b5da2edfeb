package diagnose

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/train"
)

var apiVersionNoMatch = cause{
	id: "api-version-no-match", stage: train.StageAdmission,
	meaning:  "The cluster does not serve this kind in this version: the operator is not installed, or serves another version.",
	evidence: "`no matches for kind \"PyTorchJob\" in version \"kubeflow.org/v1\"`, `the server could not find the requested resource`.",
	fix:      "Install the operator, or use the apiVersion that the cluster serves.",

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("The cluster does not serve %s in version %s", cmp.Or(by.captured(0), "this kind"), cmp.Or(by.captured(1), "asked for"))
		f.Next = []train.Step{look("See what is served.", "kubectl", "api-resources", "--api-group", s.job.Ref.Group), do(s.current.fix)}
	},
}
