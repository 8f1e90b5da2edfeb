package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imageDiskFull = rule.Cause{
	ID: "image-disk-full", Stage: train.StageImage,
	Meaning:  "The node's disk has no room for the image.",
	Evidence: "`failed to extract layer ...: no space left on device`, `failed to register layer`; node condition DiskPressure.",
	Fix:      "Clean up the node's images, or use a node with a larger disk.",
	Text: logs.Words{
		Title:   "The node's disk is full",
		Meaning: "The image cannot be unpacked.",
		Fix:     "Free the node's disk, or use another node. $ kubectl describe nodes",
	},
	Hides: []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		image, node := by.Image()
		f.Title = fmt.Sprintf("Node %s has no disk left for image %s", node, image)
		f.Explanation = s.Current.Meaning
		f.Next = []train.Step{rule.Do(s.Current.Fix), rule.Look("See the node's conditions.", "kubectl", "describe", "node", node)}
		f.Next = append(f.Next, s.ImageSteps(f, by)...)
	},
}
