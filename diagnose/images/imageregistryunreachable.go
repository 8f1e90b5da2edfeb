package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imageRegistryUnreachable = rule.Cause{
	ID: "image-registry-unreachable", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The registry cannot be reached",
		Meaning: "The node cannot reach the registry: its name does not resolve, the network or a proxy blocks the way, or its certificate is not trusted.",
		Fix:     "Check DNS, egress, proxy and certificate authority on the node.",
	},
	Evidence: "`dial tcp ...: i/o timeout`, `no such host`, `connection refused`, `x509: certificate signed by unknown authority`, `TLS handshake timeout`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, node := match.Image()
		f.Title = fmt.Sprintf("Node %s cannot reach the registry of image %s", node, image)
		f.Explanation = s.Current.Meaning
		f.Explanation += " " + rule.RegistryTrouble(match.Text())
		f.Next = s.Current.Advice()
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
