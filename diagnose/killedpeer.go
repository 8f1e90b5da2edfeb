package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// victim is the first end of a rank after a peer was killed.
type victim struct {
	end rule.Failure
	// of is the cause of the peer's end.
	of train.Cause
}

// withoutVictims takes out of ends those that the kill of a peer explains which runs
// again by now: follows compares only ends that are both current or both past.
func withoutVictims(all []rule.Failure) (ends []rule.Failure, victims []victim) {
	for i := range all {
		at := slices.IndexFunc(all, func(root rule.Failure) bool { return isVictim(&all[i], &root) })
		if at < 0 {
			ends = append(ends, all[i])
			continue
		}
		victims = append(victims, victim{all[i], all[at].Cause})
	}
	return ends, victims
}

// isVictim reports whether a rank ended because a peer was killed: its container
// instance ran at that moment, ended within the time that a collective takes to give up,
// and reports nothing of its own. An instance that began after the kill is no victim of
// it, nor is a rank that crashes more often than the peer did.
func isVictim(f, root *rule.Failure) bool {
	return root.Rank != f.Rank && root.Over && !f.Over && ownEnds[root.Cause] && !root.OfSidecar() && !f.OfSidecar() &&
		kindOfEnd(f) > kindOfEnd(root) && !outlives(f, root) &&
		f.RanAt(root.At) && f.At.Sub(root.At) <= restartedGivesUp
}

// addVictim lets the finding of a kill explain the end of a peer. The kill is as severe
// as what it brought about.
func addVictim(s *rule.JobContext, into *train.Finding, end *rule.Failure) {
	into.Hides = append(into.Hides, end.Cause)
	if severity := failureSeverity(s, end); severity.Order() < into.Severity.Order() {
		into.Severity = severity
	}
}
