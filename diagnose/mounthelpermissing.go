package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var mountHelperMissing = cause{
	id: "mount-helper-missing", stage: train.StageVolumes,
	meaning:  "The node lacks the program that mounts this kind of file system.",
	evidence: "FailedMount `need a /sbin/mount.<type> helper program`, `unknown filesystem type`.",
	fix:      "Install the client (nfs-common, ceph-common, lustre) on the nodes.",
	text: logs.Words{
		Title:   "The node lacks the program that mounts this file system",
		Meaning: "Packages for NFS, Ceph or Lustre are not installed on the node.",
		Fix:     "Install the client on the node.",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Node %s cannot mount this kind of file system: its helper program is not installed", by.node())

	},
}
