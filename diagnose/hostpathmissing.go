package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var hostPathMissing = cause{
	id: "hostpath-missing", stage: train.StageVolumes,
	meaning:  "The pods mount a path of the node itself, and it is not there or of another kind. Other nodes may have it.",
	evidence: "FailedMount `hostPath type check failed: /p is not a directory`.",
	fix:      "Make the path on the node, use type DirectoryOrCreate, or select nodes that have it.",
	text: logs.Words{
		Title:   "A path is not there on the node",
		Meaning: "The hostPath volume does not exist on this node, or is of another type.",
		Fix:     "Create it on the node, or use type DirectoryOrCreate.",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Path %s is not there on node %s", by.captured(0), by.node())

	},
}
