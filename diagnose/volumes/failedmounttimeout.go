package volumes

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var failedMountTimeout = rule.Cause{
	ID: "failed-mount-timeout", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A volume could not be mounted",
		Meaning: "The kubelet waited for a volume that was not mounted in time: its storage server or driver does not answer, or something else is wrong that only the pod's events say.",
		Fix: "Read the pod's events about the volume. $ kubectl describe pods\n" +
			"Look at the volume that the events name: its server, and its driver on the node.",
	},
	Evidence: "FailedMount `Unable to attach or mount volumes: unmounted volumes=[a]`, `timed out waiting for the condition`; mount.nfs `Connection timed out`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s cannot mount %s", s.RanksOf(f), match.Volume())
		if rule.HasAny(match.Text(), "subPath", "tale file handle", "tale NFS file handle") {
			f.Title += ": " + rule.Plain(match.Text())
		}
		if logfindings.RefusesAccess(match.Text()) {
			f.Title += ": the storage refuses access (403, AccessDenied)"
			f.Explanation = "The driver reached the storage, which refuses: the credentials of the volume or of the driver's service account are wrong, or do not allow it. The kubelet tries again and again."
			f.Next = []train.Step{rule.Do("Compare the Secret or the service account that the volume or its storage class names with what the bucket or the share allows, and correct them."), s.ShowStep(match)}
		}
		if strings.Contains(match.Text(), "error mounting") {
			f.Title += ": " + rule.Plain(match.Text())
			f.Explanation = "The container runtime cannot put a volume at its path in the container: one is a file and the other a folder, or what subPath names is not in the volume."
			f.Next = []train.Step{rule.Do("Compare mountPath and subPath with what the volume and the image hold at these paths.")}
		}
		if at := statFailed.FindStringSubmatch(match.Text()); at != nil {
			f.Title = fmt.Sprintf("%s cannot use %s on node %s: %s", s.RanksOf(f), at[1], match.Node(), rule.Plain(at[2]))
			f.Explanation = "The path is there, and the node cannot look at it: what is mounted there does not answer, or refuses. The container is not created before it does."
			f.Next = []train.Step{rule.Do("Look on the node at what is mounted at the path (findmnt): its client (s3fs, JuiceFS, gcsfuse, NFS), its server or its disk. Mount it anew when that works again, or drain the node."), s.ShowStep(match)}
		}
		if strings.Contains(match.Text(), "mount.nfs") {
			f.Explanation = "The node's mount command says: " + rule.Plain(match.Text())
			f.Next = []train.Step{rule.Do("Check that the NFS server runs and that the node may reach it (port 2049, export list).")}
		}
	},
}

// statFailed matches what a container runtime reports about a path of the node that
// it cannot look at, and the error of the system (containerd, oci.WithMounts).
var statFailed = regexp.MustCompile(`failed to generate spec: failed to stat \\?"[^"\n]*": stat (/[^:\n]*): ([^\n]+)`)
