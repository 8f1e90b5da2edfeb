package logfindings

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
)

// weightAnswer is the weight of a report about a rank that the launcher ended
// because another had failed.
const weightAnswer = 1

// demoteAnswers lowers what launchers report about ranks that failed after the
// first one. A launcher answers a failure with SIGTERM and SIGKILL to the
// ranks that are left: torchrun lists them beside its block of the first
// failure, srun and mpirun after their first report.
func demoteAnswers(all []candidate) {
	reports := launcherReports(all)
	yieldRank(all)
	for _, c := range reports {
		first := firstReport(reports, c)
		if first == nil || first == c {
			continue
		}
		if block(&c.hit) != "" { // another rank's, or of another agent and later
			c.weight--
		}
		if endedByLauncher(c) && !endedByLauncher(first) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
	demoteKills(all, reports)
}

// nameless matches an exception of a general class without a message: a parent raises it
// for what a child reports below.
var nameless = regexp.MustCompile(`^(?:\w+\.)*(?:Exception|RuntimeError|ProcessRaisedException|ProcessExitedException):?\s*$|^(?:\w+\.)*ProcessRaisedException: Process \d+ terminated`)

// demoteNameless lowers an exception that names no cause where the same log has another
// one.
func demoteNameless(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.cause != "python-exception" || !nameless.MatchString(c.hit.Text) {
			continue
		}
		if slices.ContainsFunc(all, func(d candidate) bool {
			return d.log == c.log && d.cause == "python-exception" && d.hit.Line > c.hit.Line && !nameless.MatchString(d.hit.Text)
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// yieldRank takes the rank from a line in torchrun's block of another rank, where the rank
// of the first failure ended by the same signal: its own block may be cut off before that
// line.
func yieldRank(all []candidate) {
	signalIn := func(c *candidate, of func(*candidate) bool) int {
		for i := range all {
			d := &all[i]
			if signal, is := signatures.EndReported(d.hit.Signature); is && signal > 0 && d.log == c.log && of(d) {
				return signal
			}
		}
		return 0
	}
	for i := range all {
		c := &all[i]
		if c.reported || block(&c.hit) != signatures.OtherFailure {
			continue
		}
		signal := signalIn(c, func(d *candidate) bool { return d.hit.Rank == c.hit.Rank })
		c.nobody = signal > 0 && signal == signalIn(c, func(d *candidate) bool { return isRoot(&d.hit) })
	}
}

// demoteKills lowers what a shell reports about a process that was killed, and
// Slurm of a step that it cancelled, after a launcher had reported a rank that
// failed by itself, or a rank had called MPI_Abort.
func demoteKills(all []candidate, reports []*candidate) {
	for i := range all {
		c := &all[i]
		if c.healed || !signatures.KillSeen(c.hit.Signature) && c.hit.Signature != "slurm-cancelled" || c.hit.Rank >= 0 {
			continue
		}
		if slices.ContainsFunc(reports, func(r *candidate) bool {
			return r.log == c.log && r.hit.Rank >= 0 && r.hit.Line < c.hit.Line && !endedByLauncher(r)
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
	for _, c := range reports {
		if bySrun(c) && endedByLauncher(c) && slices.ContainsFunc(all, func(d candidate) bool {
			return d.hit.Signature == "mpi-called-abort" && d.log == c.log && d.hit.Line < c.hit.Line
		}) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// launcherReports returns the reports of launchers in the order of their lines.
func launcherReports(all []candidate) []*candidate {
	var reports []*candidate
	for i := range all {
		c := &all[i]
		if _, is := signatures.EndReported(c.hit.Signature); !c.healed && (is || block(&c.hit) != "" && endedByLauncher(c)) {
			reports = append(reports, c)
		}
	}
	slices.SortStableFunc(reports, func(a, b *candidate) int { return cmp.Compare(a.hit.Line, b.hit.Line) })
	return reports
}

// firstReport returns the report about the first failure in the log of another report:
// torchrun's block of the first failure with the earliest time, or the first line.
// For a report of torchrun without such a block nothing is known: its order is no
// order of time.
func firstReport(reports []*candidate, of *candidate) *candidate {
	var root, line *candidate
	for _, c := range reports {
		if c.log != of.log {
			continue
		}
		if isRoot(&c.hit) && (root == nil || earlier(c, root)) {
			root = c
		}
		if line == nil && block(&c.hit) == "" && !strings.HasPrefix(c.hit.Signature, "child-") && c.hit.Rank >= 0 {
			line = c
		}
	}
	switch {
	case root != nil:
		return root
	case byHydra(of):
		return aboveInBlock(reports, of)
	case block(&of.hit) != "" || line == nil || line.hit.Rank == of.hit.Rank:
		return nil
	case of.hit.Rank >= 0, bySrun(of) && bySrun(line) && line.hit.Line < of.hit.Line:
		return line // a report without a rank is of several: "tasks 0-3"
	}
	return nil
}

// byHydra reports whether MPICH's process manager wrote a report.
func byHydra(c *candidate) bool { return strings.HasPrefix(c.hit.Signature, "mpich-") }

// hydraBlock is how many lines Hydra's block has from the exit code to the exit string
// (MPICH Hydra; seen in public issues).
const hydraBlock = 4

// aboveInBlock returns the exit code that Hydra prints some lines above an exit string,
// where it is that of a signal: the string may be that of a process which Hydra ended after
// it.
func aboveInBlock(reports []*candidate, of *candidate) *candidate {
	for _, c := range reports {
		signal, _ := signatures.EndReported(c.hit.Signature)
		if above := of.hit.Line - c.hit.Line; signal > 0 && c.log == of.log && byHydra(c) && above > 0 && above <= hydraBlock {
			return c
		}
	}
	return nil
}

// bySrun reports whether srun wrote a report.
func bySrun(c *candidate) bool { return strings.HasPrefix(c.hit.Signature, "slurm-task-") }

// earlier reports whether torchrun gives a an earlier time than b.
func earlier(a, b *candidate) bool {
	x, y := failedAt(&a.hit), failedAt(&b.hit)
	return x != "" && y != "" && x < y
}

// endedByLauncher reports whether a rank ended by a signal that launchers send.
func endedByLauncher(c *candidate) bool {
	signal, _ := signatures.EndReported(c.hit.Signature)
	return signal == 9 || signal == 15 || c.cause == "sigterm-received" || c.cause == "sighup-received" || signatures.KillSeen(c.hit.Signature)
}

// kubectlOfLauncher is the signature of what kubectl exec prints about a worker
// that is gone: mpi-operator v1 starts its workers by it.
const kubectlOfLauncher = "mpi-no-pod"

// ofAnotherKubectl reports whether no launcher called the kubectl that printed the
// line: the log is that of a program that trains, and nothing of a launcher is in it.
func ofAnotherKubectl(c *candidate, all []candidate) bool {
	if c.hit.Signature != kubectlOfLauncher || len(c.log.Samples.Rows) == 0 {
		return false
	}
	return !slices.ContainsFunc(all, func(other candidate) bool {
		return other.log == c.log && other.hit.Signature != kubectlOfLauncher && signatures.OfMPI(other.hit.Signature)
	})
}
