package logfindings

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
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

// demoteWorkers lowers what a data loader reports about a worker that ended, where the
// kernel or the manager of the cluster reports beside it that it killed a process for its
// memory.
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

// demoteAborts lowers what Python's fault handler reports about an abort, where the same log
// shows before it that a collective timed out: PyTorch's watchdog then aborts the process.
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

// actorDied are Ray's rows for a worker whose process ended, why it does not know.
var actorDied = map[string]bool{"ray-actor": true, "ray-exception-ray-worker-died": true}

// knowsWhy matches what Ray prints about a worker that it, or the kernel, ended.
var knowsWhy = regexp.MustCompile(`(?i)memory pressure|NODE_OUT_OF_MEMORY|low on memory|node (?:has|was|is) |NodeDied`)

// demoteActors lowers what Ray reports about a worker's process that ended, where a watchdog
// of collectives reports in the same log that it waited in vain: it then ends its process,
// and Ray prints lines of all nodes in any order.
func demoteActors(all []candidate) {
	for i := range all {
		c := &all[i]
		if !actorDied[c.hit.Signature] || knowsWhy.MatchString(c.hit.Text) {
			continue
		}
		if slices.ContainsFunc(all, func(other candidate) bool {
			return other.log == c.log && !other.healed && other.cause == "nccl-timeout"
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// afterEnd are causes that what runs behind the end of training reports as well: shells and
// commands that clean up, trackers that send the rest, native code that is torn down,
// processes that lost their parent or are killed with it.
var afterEnd = map[train.Cause]bool{
	"permission-denied": true, "dataset-download-failure": true, "wandb-timeout": true, "no-space-left": true, "file-not-found": true,
	"checkpoint-write-failed": true, "abort-sigabrt": true, "segfault": true, "hf-hub-auth": true, "command-not-found": true,
	"dataloader-worker-killed": true, "ray-worker-died": true, "sigkill-received": true,
}

// endedWithin is how many lines below a traceback the noise of its end may be.
const endedWithin = 200

// demoteNoise lowers what is reported behind a traceback that ended training: in its log,
// or later by the clock on another rank. A candidate with a traceback of its own is no
// noise.
func demoteNoise(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.symptom || !afterEnd[c.cause] || inTraceback(c) {
			continue
		}
		if at := slices.IndexFunc(all, func(d candidate) bool { return endedBefore(&d, c) }); at >= 0 {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// endedBefore reports whether an exception with its traceback ended training before a
// line was printed.
func endedBefore(d, c *candidate) bool {
	switch {
	case d.hit.Signature != "python-exception" || !raisedItself(d, false):
		return false
	case d.log == c.log:
		return d.hit.Line < c.hit.Line && c.hit.Line-d.hit.Line <= endedWithin
	}
	return d.rank != c.rank && !d.at.IsZero() && c.at.Sub(d.at) >= time.Second
}

// inTraceback reports whether a candidate's line ends a traceback: frames are above it.
func inTraceback(c *candidate) bool {
	return c.hit.Frame != "" || strings.Contains(lineText(c.log, c.hit.Line-1), "    ") || strings.Contains(lineText(c.log, c.hit.Line-2), `  File "`)
}

// withoutSilence returns the candidates that are lines: ranks that wait for one of them make
// no steps either.
func withoutSilence(all []candidate) []candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.hit.Signature == silentLog })
}

// demoteSilence lowers that a log goes on without steps where a line behind the last step
// reports why: an error of any rank, or a collective that timed out at last.
func demoteSilence(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.hit.Signature == silentLog && slices.ContainsFunc(all, func(d candidate) bool { return saysWhySilent(&d, c) }) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// explainsWithin is how much later than the last step an error may come that explains why
// there were no more: what ends a hang does not. A collective waits for its time-out.
const explainsWithin = 10 * time.Minute

func saysWhySilent(d, silent *candidate) bool {
	if d.hit.Signature == silentLog || d.healed || d.doubtful || d.tier() == tierWrapper {
		return false
	}
	if !isCollective(d.cause) && !d.at.IsZero() && d.at.Sub(silent.at) > explainsWithin {
		return false
	}
	if d.log == silent.log {
		return d.hit.Line > silent.hit.Line
	}
	return d.nobody || d.at.IsZero() || !d.at.Before(silent.at)
}

// putAside notes that the loss had risen, or steps had become slow, where an error ended the
// run later: the error is the finding, and the course is shown beside it.
func putAside(all []candidate) {
	for i := range all {
		c := &all[i]
		if !ofCourse(c) {
			continue
		}
		c.aside = slices.ContainsFunc(all, func(d candidate) bool {
			ends := !ofCourse(&d) && !d.healed && d.tier() < tierWrapper && d.severity() == train.SeverityError
			return ends && (d.log != c.log || d.hit.Line > c.hit.Line)
		})
	}
}

// ofCourse reports whether a candidate describes how the loss or the speed went.
func ofCourse(c *candidate) bool { return c.cause == "loss-spike" || slowed[c.cause] }
