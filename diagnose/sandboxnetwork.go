package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var sandboxNetwork = cause{
	id: "sandbox-network", stage: train.StageStart,
	meaning:  "The node cannot give the pod a network: its network plugin fails, or no addresses are left.",
	evidence: "FailedCreatePodSandBox `failed to setup network for sandbox ... plugin type=... failed (add)`.",
	fix:      "Look at the network plugin's pod on the node.",
	text: logs.Words{
		Title:   "The pod's network could not be set up",
		Meaning: "The network plugin failed, or addresses are used up.",
		Fix:     "Look at the network plugin's pods on the node. $ kubectl get pods -n kube-system -o wide",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Node %s cannot give %s a network", by.node(), s.ranksOf(f))
		f.Next = []train.Step{do(s.current.fix), look("See the pods on the node.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+by.node())}
	},
}
