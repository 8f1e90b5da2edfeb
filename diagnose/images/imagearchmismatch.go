package images

import (
	"cmp"
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var imageArchMismatch = rule.Cause{
	ID: "image-arch-mismatch", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The image is for another processor",
		Meaning: "The image holds programs for another CPU architecture than the node's. A script without its first line #! causes the same error.",
		Fix: "Compare the image's platform with the label kubernetes.io/arch. $ kubectl get nodes -L kubernetes.io/arch\n" +
			"Build the image for the node's architecture, or select nodes of the image's; check that scripts begin with #!.",
	},
	Evidence: "Log or status `exec ...: exec format error`; at pull `no match for platform in manifest`; label kubernetes.io/arch of the node.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, node := match.Image()
		f.Title = fmt.Sprintf("Image %s does not fit the processor of node %s", image, node)
		if o, _ := s.LookUp(kinds.NodeKind, "", node); o != nil {
			arch := o.GetLabels()["kubernetes.io/arch"]
			f.Evidence = append(f.Evidence, rule.FieldEvidence(rule.CoreRef("Node", "", node), "metadata.labels[kubernetes.io/arch]", arch, time.Time{}, -1))
			f.Explanation = fmt.Sprintf("The node is of architecture %s, and the image has nothing for it.", cmp.Or(arch, "unknown"))
		}
		f.Next = append(s.Current.Advice(), s.ImageSteps(f, match)...)
	},
}
