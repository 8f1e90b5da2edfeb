package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var mountHelperMissing = rule.Cause{
	ID: "mount-helper-missing", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The node lacks the program that mounts this file system",
		Meaning: "The node lacks the program that mounts this kind of file system: the packages for NFS, Ceph or Lustre are not installed on it.",
		Fix:     "Install the client (nfs-common, ceph-common, lustre) on the nodes.",
	},
	Evidence: "FailedMount `need a /sbin/mount.<type> helper program`, `unknown filesystem type`.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Node %s cannot mount this kind of file system: its helper program is not installed", match.Node())

	},
}
