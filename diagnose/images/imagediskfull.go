package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imageDiskFull = rule.Cause{
	ID: "image-disk-full", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The node's disk is full",
		Meaning: "The node's disk has no room to unpack the image.",
		Fix: "See the nodes' conditions. $ kubectl describe nodes\n" +
			"Free the node's disk by removing unused images, or use a node with a larger disk.",
	},
	Evidence: "`failed to extract layer ...: no space left on device`, `failed to register layer`; node condition DiskPressure.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, node := match.Image()
		f.Title = fmt.Sprintf("Node %s has no disk left for image %s", node, image)
		f.Explanation = s.Current.Meaning
		f.Next = append(s.Current.Advice(), rule.Look("See the node's conditions.", "kubectl", "describe", "node", node))
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
