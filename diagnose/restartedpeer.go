package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// explainRestarts lets the end of a rank that runs again explain the collective in
// which the others wait for it: its new process takes no part in what was begun
// with the old one, so the restart of one container got nothing over.
func explainRestarts(s *rule.JobContext, found []train.Finding) []train.Finding {
	return absorb(found, func(root, other *train.Finding) bool {
		if other.Severity == train.SeverityInfo || !endedAndRuns(root) || !waitsFor(other, root.Ranks) || root.Since.IsZero() || other.Since.IsZero() {
			return false
		}
		waited := waitBegan(other).Sub(lastEnd(s, root))
		if waited < -clocksDiffer || waited > restartedGivesUp {
			return false
		}
		root.Severity = train.SeverityError
		root.Explanation += fmt.Sprintf(" The rank runs again, and the others still waited for the process that ended: they gave up %s after its end. They go on only when all ranks start anew.",
			rule.Age(other.Since.Sub(lastEnd(s, root))))
		return true
	})
}

// endedAndRuns reports whether a finding is the end of ranks that run again, for a
// reason of their own.
func endedAndRuns(f *train.Finding) bool {
	if f.Severity != train.SeverityInfo || len(f.Ranks) == 0 || fromOtherRanks[f.Cause] || peerLosses[f.Cause] || f.Cause == "sigterm-received" {
		return false
	}
	return slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool {
		return e.Kind == train.EvidenceStatus && slices.Contains(f.Ranks, e.Rank)
	})
}

// waitsFor reports whether a finding is a collective in which one of some ranks is
// missing: it is named, or all others report that they waited.
func waitsFor(f *train.Finding, ranks []int) bool {
	switch f.Cause {
	case "one-rank-behind":
		return slices.Contains(ranks, f.RootRank)
	case "nccl-timeout", "gloo-connection-lost", "nccl-connection-lost":
		return !slices.ContainsFunc(ranks, func(rank int) bool { return slices.Contains(f.Ranks, rank) })
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
