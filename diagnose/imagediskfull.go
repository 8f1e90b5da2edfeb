package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var imageDiskFull = cause{
	id: "image-disk-full", stage: train.StageImage,
	meaning:  "The node's disk has no room for the image.",
	evidence: "`failed to extract layer ...: no space left on device`, `failed to register layer`; node condition DiskPressure.",
	fix:      "Clean up the node's images, or use a node with a larger disk.",
	text: logs.Words{
		Title:   "The node's disk is full",
		Meaning: "The image cannot be unpacked.",
		Fix:     "Free the node's disk, or use another node. $ kubectl describe nodes",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, node := by.image()
		f.Title = fmt.Sprintf("Node %s has no disk left for image %s", node, image)
		f.Explanation = s.current.meaning
		f.Next = []train.Step{do(s.current.fix), look("See the node's conditions.", "kubectl", "describe", "node", node)}
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
