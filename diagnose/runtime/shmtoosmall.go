package runtime

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var shmTooSmall = rule.Cause{
	ID: "shm-too-small", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Shared memory (/dev/shm) is too small",
		Meaning: "The shared memory /dev/shm is too small: data loaders and NCCL exchange data there, and Kubernetes gives 64 MiB by default.",
		Fix:     "Mount an emptyDir with medium Memory at /dev/shm. It counts against the memory limit.",
	},
	Evidence: "Exit code 135 (SIGBUS), where /dev/shm is not known to be large; in logs `insufficient shared memory (shm)`, NCCL `Error while creating shared memory segment`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "dataloader-worker-killed", "nccl-init-failure", "nccl-system-error", "no-space-left"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 135 && !f.HasRoomyShm() },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s ran out of shared memory%s", s.RanksOf(f), shmOf(match))
		if end := match.Failure; end != nil && (end.Hit == nil || end.Hit.Cause != f.Cause || logfindings.BusErrorOnly(end.Hit)) {
			f.Title = fmt.Sprintf("%s ended by a bus error (SIGBUS), perhaps for too little shared memory%s", s.RanksOf(f), shmOf(match))
			f.Confidence, f.Explanation = train.Possible, logfindings.BusErrorMeaning
		}
		f.Next = []train.Step{{
			Text: "Mount memory at /dev/shm in the job's pod template, and raise limits.memory by as much.",
			Edit: s.Edit(
				rule.Change{Part: rule.PodSpec, Lines: "+      volumes:\n+      - name: shm\n+        emptyDir: {medium: Memory, sizeLimit: 16Gi}\n"},
				rule.Change{Part: rule.Containers, Lines: "+        volumeMounts:\n+        - {name: shm, mountPath: /dev/shm}\n"}),
		}}
		f.Verify = "df -h /dev/shm in the container shows the new size, and the ranks stay up."
	},
}

// shmOf is a clause that states that nothing is mounted at /dev/shm, "" where
// something is and where the pod is not known.
func shmOf(match *rule.Match) string {
	p := match.Pod()
	if p == nil {
		return ""
	}
	for i := range p.Spec.Containers {
		for _, mount := range p.Spec.Containers[i].VolumeMounts {
			if strings.TrimRight(mount.MountPath, "/") == "/dev/shm" {
				return ""
			}
		}
	}
	return ": nothing is mounted at /dev/shm, so it has 64 MiB"
}
