package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var configMapNotFound = cause{
	id: "configmap-not-found", stage: train.StageVolumes,
	meaning:  "The pods need a ConfigMap that does not exist in their namespace.",
	evidence: "FailedMount or CreateContainerConfigError with `configmap \"c\" not found`; references in the pods to ConfigMaps known to be absent.",
	fix:      "Create the ConfigMap in the job's namespace, or correct its name.",
	text: logs.Words{
		Title:   "A ConfigMap does not exist",
		Meaning: "The pod names it and cannot start without.",
		Fix:     "Create it in the pod's namespace, or correct the name. $ kubectl get configmaps",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("ConfigMap %s, which %s needs, does not exist in namespace %s", by.captured(0), s.ranksOf(f), s.job.Ref.Namespace)
		f.Next = s.missingSteps("configmap", by.captured(0))
	},
	needs: []schema.GroupKind{configMapKind},
	find:  func(s *jobContext) []train.Finding { return s.missingReferences(configMapKind) },
}
