package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var hostPathMissing = rule.Cause{
	ID: "hostpath-missing", Stage: train.StageVolumes,
	Meaning:  "The pods mount a path of the node itself, and it is not there or of another kind. Other nodes may have it.",
	Evidence: "FailedMount `hostPath type check failed: /p is not a directory`.",
	Fix:      "Make the path on the node, use type DirectoryOrCreate, or select nodes that have it.",
	Text: logs.Words{
		Title:   "A path is not there on the node",
		Meaning: "The hostPath volume does not exist on this node, or is of another type.",
		Fix:     "Create it on the node, or use type DirectoryOrCreate.",
	},
	Hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("Path %s is not there on node %s", by.Captured(0), by.Node())

	},
}
