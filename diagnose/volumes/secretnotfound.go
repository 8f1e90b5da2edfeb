package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var secretNotFound = rule.Cause{
	ID: "secret-not-found", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A Secret does not exist",
		Meaning: "The pods need a Secret that does not exist in their namespace, and cannot start without it.",
		Fix: "List the Secrets. $ kubectl get secrets\n" +
			"Create the Secret in the job's namespace, or correct its name.",
	},
	Evidence: "FailedMount or CreateContainerConfigError with `secret \"s\" not found`; references in the pods to Secrets known to be absent.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Secret %s, which %s needs, does not exist in namespace %s", match.CaptureFrom(0), s.RanksOf(f), s.Job.Ref.Namespace)
		f.Next = s.MissingSteps("secret", match.CaptureFrom(0))
	},
	Needs: []schema.GroupKind{rule.SecretKind},
	Find:  func(s *rule.JobContext) []train.Finding { return s.MissingReferences(rule.SecretKind) },
}
