package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var configMapNotFound = rule.Cause{
	ID: "configmap-not-found", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A ConfigMap does not exist",
		Meaning: "The pods need a ConfigMap that does not exist in their namespace, and cannot start without it.",
		Fix: "List the ConfigMaps. $ kubectl get configmaps\n" +
			"Create the ConfigMap in the job's namespace, or correct its name.",
	},
	Evidence: "FailedMount or CreateContainerConfigError with `configmap \"c\" not found`; references in the pods to ConfigMaps known to be absent.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("ConfigMap %s, which %s needs, does not exist in namespace %s", match.CaptureFrom(0), s.RanksOf(f), s.Job.Ref.Namespace)
		f.Next = s.MissingSteps("configmap", match.CaptureFrom(0))
	},
	Needs: []schema.GroupKind{rule.ConfigMapKind},
	Find:  func(s *rule.JobContext) []train.Finding { return s.MissingReferences(rule.ConfigMapKind) },
}
