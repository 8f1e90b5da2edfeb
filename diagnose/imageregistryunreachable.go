package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var imageRegistryUnreachable = cause{
	id: "image-registry-unreachable", stage: train.StageImage,
	meaning:  "The node cannot reach the registry: its name does not resolve, the network does not let it through, or its certificate is not trusted.",
	evidence: "`dial tcp ...: i/o timeout`, `no such host`, `connection refused`, `x509: certificate signed by unknown authority`, `TLS handshake timeout`.",
	fix:      "Check name resolution, egress, proxy and certificate authority of the node.",
	text: logs.Words{
		Title:   "The registry cannot be reached",
		Meaning: "Name resolution, network, proxy or certificates between the node and the registry.",
		Fix:     "Check from the node: DNS, egress, proxy, certificate authority.",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, node := by.image()
		f.Title = fmt.Sprintf("Node %s cannot reach the registry of image %s", node, image)
		f.Explanation = s.current.meaning
		f.Explanation += " " + registryTrouble(by.text())
		f.Next = []train.Step{do(s.current.fix)}
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
