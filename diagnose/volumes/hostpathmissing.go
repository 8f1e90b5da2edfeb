package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var hostPathMissing = rule.Cause{
	ID: "hostpath-missing", Stage: train.StageVolumes,
	Words: logs.Words{
		Title:   "A path does not exist on the node",
		Meaning: "The pods mount a path of the node itself (hostPath), and on this node it does not exist or is of another type. Other nodes may have it.",
		Fix:     "Create the path on the node, use type DirectoryOrCreate, or select nodes that have it.",
	},
	Evidence: "FailedMount `hostPath type check failed: /p is not a directory`.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Path %s is not there on node %s", match.CaptureFrom(0), match.Node())

	},
}
