package startup

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var sandboxNetwork = rule.Cause{
	ID: "sandbox-network", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The pod's network could not be set up",
		Meaning: "The node cannot give the pod a network: its network plugin fails, or no addresses are left.",
		Fix:     "Look at the network plugin's pods on the node. $ kubectl get pods -n kube-system -o wide",
	},
	Evidence: "FailedCreatePodSandBox `failed to setup network for sandbox ... plugin type=... failed (add)`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Node %s cannot give %s a network", match.Node(), s.RanksOf(f))
		f.Next = append(s.Current.Advice(), rule.Look("See the pods on the node.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+match.Node()))
	},
}
