package diagnose

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var failedMountTimeout = cause{
	id: "failed-mount-timeout", stage: train.StageVolumes,
	meaning:  "A volume cannot be mounted: its server does not answer, or something else is wrong that only its own events tell.",
	evidence: "FailedMount `Unable to attach or mount volumes: unmounted volumes=[a]`, `timed out waiting for the condition`; mount.nfs `Connection timed out`.",
	fix:      "Look at the named volume: its server, its driver on the node.",
	text: logs.Words{
		Title:   "A volume could not be mounted",
		Meaning: "The kubelet waited in vain for the volume; a storage server or driver does not answer.",
		Fix:     "Read the events of the pod about the volume. $ kubectl describe pods",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s cannot mount %s", s.ranksOf(f), by.volume())
		if hasAny(by.text(), "subPath", "tale file handle", "tale NFS file handle") {
			f.Title += ": " + plain(by.text())
		}
		if strings.Contains(by.text(), "mount.nfs") {
			f.Explanation = "The node's mount command says: " + plain(by.text())
			f.Next = []train.Step{do("Check that the NFS server runs and that the node may reach it (port 2049, export list).")}
		}
	},
}
