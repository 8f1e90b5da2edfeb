package volumes

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var failedMountTimeout = rule.Cause{
	ID: "failed-mount-timeout", Stage: train.StageVolumes,
	Words: logs.Words{
		Title:   "A volume could not be mounted",
		Meaning: "The kubelet waited for a volume that was not mounted in time: its storage server or driver does not answer, or something else is wrong that only the pod's events say.",
		Fix: "Read the pod's events about the volume. $ kubectl describe pods\n" +
			"Look at the volume that the events name: its server, and its driver on the node.",
	},
	Evidence: "FailedMount `Unable to attach or mount volumes: unmounted volumes=[a]`, `timed out waiting for the condition`; mount.nfs `Connection timed out`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s cannot mount %s", s.RanksOf(f), by.Volume())
		if rule.HasAny(by.Text(), "subPath", "tale file handle", "tale NFS file handle") {
			f.Title += ": " + rule.Plain(by.Text())
		}
		if strings.Contains(by.Text(), "mount.nfs") {
			f.Explanation = "The node's mount command says: " + rule.Plain(by.Text())
			f.Next = []train.Step{rule.Do("Check that the NFS server runs and that the node may reach it (port 2049, export list).")}
		}
	},
}
