package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var csiDriverMissing = cause{
	id: "csi-driver-missing", stage: train.StageVolumes,
	meaning:  "The storage driver does not run on the node, or refuses to attach the volume.",
	evidence: "FailedMount `driver name x.csi.y not found in the list of registered CSI drivers`; `AttachVolume.Attach failed`.",
	fix:      "Look at the driver's daemon set: its pod may be kept off the node by a taint.",
	text: logs.Words{
		Title:   "The storage driver does not run on the node",
		Meaning: "Its node plugin is absent or not registered.",
		Fix:     "See where its pods run; taints often keep them away. $ kubectl get csidrivers,csinodes",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("The storage driver %s does not serve node %s", by.captured(0), by.node())
		f.Next = []train.Step{do(s.current.fix), look("See which drivers the node has.", "kubectl", "get", "csinode", by.node(), "-o", "yaml"), look("See the pods on the node.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+by.node())}
	},
}
