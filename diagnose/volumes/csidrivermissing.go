package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var csiDriverMissing = rule.Cause{
	ID: "csi-driver-missing", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The storage driver does not run on the node",
		Meaning: "The storage driver's node plugin does not run or is not registered on the node, or refuses to attach the volume.",
		Fix: "See which drivers the nodes have. $ kubectl get csidrivers,csinodes\n" +
			"Look at the driver's DaemonSet: a taint may keep its pod off the node.",
	},
	Evidence: "FailedMount `driver name x.csi.y not found in the list of registered CSI drivers`; `AttachVolume.Attach failed`.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("The storage driver %s does not serve node %s", match.CaptureFrom(0), match.Node())
		f.Next = append(s.Current.Advice(), rule.Look("See which drivers the node has.", "kubectl", "get", "csinode", match.Node(), "-o", "yaml"), rule.Look("See the pods on the node.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+match.Node()))
	},
}
