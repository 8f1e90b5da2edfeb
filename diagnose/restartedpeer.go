package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// explainRestarts lets the end of a rank that runs again explain the collective in
// which the others wait for it: its new process takes no part in what was begun
// with the old one, so the restart of one container got nothing over.
func explainRestarts(s *rule.JobContext, found []train.Finding) []train.Finding {
	raised := map[train.Cause]bool{} // causes whose findings were information before
	return absorb(found, func(root, other *train.Finding) bool {
		if other.Severity == train.SeverityInfo || !raised[root.Cause] && root.Severity != train.SeverityInfo || !endedAndRuns(root) || !waitsFor(s.Job, other, root.Ranks) || root.Since.IsZero() || other.Since.IsZero() {
			return false
		}
		end := lastEnd(s, root)
		within := restartedGivesUp
		if (slices.Contains(root.Ranks, other.RootRank) || 2*len(other.Ranks) > len(s.Job.Ranks)) && !wentOn(s, end, other.Since) {
			within = collectiveGivesUp
		}
		if waited := waitBegan(other).Sub(end); waited < -clocksDiffer || waited > within {
			return false
		}
		root.Severity = train.SeverityError
		if raised[root.Cause] {
			return true
		}
		raised[root.Cause] = true
		root.Explanation += fmt.Sprintf(" The rank runs again, and the others still waited for the process that ended: they gave up %s after its end. They go on only when all ranks start anew.",
			termtext.Duration(max(0, other.Since.Sub(end))))
		return true
	})
}

// endedAndRuns reports whether a finding is the end of ranks that run again, for a
// reason of their own.
func endedAndRuns(f *train.Finding) bool {
	if len(f.Ranks) == 0 || fromOtherRanks[f.Cause] || peerLosses[f.Cause] || f.Cause == "sigterm-received" {
		return false
	}
	return slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool {
		return e.Kind == train.EvidenceStatus && slices.Contains(f.Ranks, e.Rank)
	})
}

// waitsFor reports whether a finding is one of ranks that wait for others or lost them,
// where one of some ranks is missing: it is named, or all others report it.
func waitsFor(job *train.Job, f *train.Finding, ranks []int) bool {
	if !fromOtherRanks[f.Cause] && f.Cause != "one-rank-behind" {
		return false
	}
	others := f.Cause != "one-rank-behind" || 2*len(f.Ranks) > len(job.Ranks) // it may name those that are behind
	return slices.Contains(ranks, f.RootRank) || others && !slices.ContainsFunc(ranks, func(rank int) bool { return slices.Contains(f.Ranks, rank) })
}

// wentOnSteps is how many steps of one rank show that a job got over an end: the others may
// print one or two that they had done before it.
const wentOnSteps = 3

// wentOn reports whether a rank printed steps between the end of another and the time at
// which ranks gave up.
func wentOn(s *rule.JobContext, end, gaveUp time.Time) bool {
	for i := range s.Job.Ranks {
		for _, log := range s.RankLogs(s.Job, i) {
			steps := 0
			for k := len(log.Samples.Rows) - 1; k >= 0; k-- {
				switch at := log.Samples.Rows[k].Time; {
				case at == 0, at > gaveUp.UnixNano():
				case at > end.Add(clocksDiffer).UnixNano():
					steps++
				default:
					k = 0
				}
				if steps >= wentOnSteps {
					return true
				}
			}
		}
	}
	return false
}

// ranFor is how long a collective had waited when its watchdog wrote of it (PyTorch 1.8
// and later, ProcessGroupNCCL.cpp).
var ranFor = regexp.MustCompile(`ran for (\d{1,9}) milliseconds before timing out`)

// waitBegan returns when the wait began that a finding reports the end of.
func waitBegan(f *train.Finding) time.Time {
	for i := range f.Evidence {
		if m := ranFor.FindStringSubmatch(f.Evidence[i].Text); m != nil {
			waited, _ := strconv.ParseInt(m[1], 10, 64)
			return f.Since.Add(-time.Duration(waited) * time.Millisecond)
		}
	}
	return f.Since
}
