package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var csiDriverMissing = rule.Cause{
	ID: "csi-driver-missing", Stage: train.StageVolumes,
	Meaning:  "The storage driver does not run on the node, or refuses to attach the volume.",
	Evidence: "FailedMount `driver name x.csi.y not found in the list of registered CSI drivers`; `AttachVolume.Attach failed`.",
	Fix:      "Look at the driver's daemon set: its pod may be kept off the node by a taint.",
	Text: logs.Words{
		Title:   "The storage driver does not run on the node",
		Meaning: "Its node plugin is absent or not registered.",
		Fix:     "See where its pods run; taints often keep them away. $ kubectl get csidrivers,csinodes",
	},
	Hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("The storage driver %s does not serve node %s", by.Captured(0), by.Node())
		f.Next = []train.Step{rule.Do(s.Current.Fix), rule.Look("See which drivers the node has.", "kubectl", "get", "csinode", by.Node(), "-o", "yaml"), rule.Look("See the pods on the node.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+by.Node())}
	},
}
