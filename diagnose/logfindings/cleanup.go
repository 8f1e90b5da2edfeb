package logfindings

import (
	"slices"
	"strings"
)

// killedSoon is how many lines below an exception of a rank a launcher's own
// shell reports that it was killed.
const killedSoon = 50

// demoteCleanUp lowers a shell's bare "Killed" right below an error of a rank
// that names itself: the launcher ends what is left once one rank has failed.
func demoteCleanUp(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.hit.Signature != "killed-line" || strings.TrimSpace(c.hit.Text) != "Killed" {
			continue
		}
		if slices.ContainsFunc(all, func(other candidate) bool { return c.follows(&other) }) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// follows reports whether a candidate is right below a rank's own error.
func (c *candidate) follows(other *candidate) bool {
	return other.log == c.log && !other.healed && !other.symptom && other.hit.Rank >= 0 && other.tier() <= tierGeneral &&
		!endedByLauncher(other) && other.hit.Line < c.hit.Line && c.hit.Line-other.hit.Line <= killedSoon
}

// demoteScaleUps lowers an autoscaler's note that it adds no node for a
// shortage which the scheduler names itself.
func demoteScaleUps(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.hit.Signature != "scale-up-refused" || !strings.Contains(c.hit.Text, "Insufficient ") {
			continue
		}
		if slices.ContainsFunc(all, func(other candidate) bool {
			return !other.healed && strings.HasPrefix(string(other.cause), "insufficient-")
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// demoteWorkers lowers what a data loader says of a worker that ended, where the kernel or
// the manager of the cluster reports beside it that it killed a process for its memory.
func demoteWorkers(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.cause != "dataloader-worker-killed" {
			continue
		}
		if slices.ContainsFunc(all, func(other candidate) bool {
			return other.log == c.log && !other.healed && other.cause == "oom-killed" && tellsLimit[other.hit.Signature]
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// tellsLimit are the rows of those who end a process that is over its limit of memory.
var tellsLimit = map[string]bool{"memcg-oom": true, "slurm-oom": true, "slurm-limit": true, "slurm-task-oom": true, "manager-memory": true}

// demoteAborts lowers what Python's fault handler says of an abort, where the same log shows
// before it that a collective timed out: PyTorch's watchdog then aborts the process.
func demoteAborts(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.cause != "abort-sigabrt" || c.hit.Signature != "fatal-abort" {
			continue
		}
		if slices.ContainsFunc(all, func(other candidate) bool {
			return other.log == c.log && other.cause == "nccl-timeout" && strings.HasPrefix(other.hit.Signature, "nccl-watchdog") && other.hit.Line < c.hit.Line
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}
