package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

// fromFailures are findings of how containers ended, the root first: the rank
// that failed earliest with an error of its own. What other ranks say because
// it is gone is hidden under it.
func (s *jobContext) fromFailures() []train.Finding {
	ends := s.failures()
	slices.SortStableFunc(ends, func(a, b failure) int {
		return cmp.Or(cmp.Compare(weighs(&a), weighs(&b)), a.at.Compare(b.at))
	})
	var found []train.Finding
	var roots []*failure
	told := map[train.Cause]int{}
	for i := range ends {
		f := &ends[i]
		if at, known := told[f.cause]; known {
			s.addFailure(&found[at], f)
			continue
		}
		if len(roots) > 0 && s.follows(f, roots[0]) {
			found[0].Hides = append(found[0].Hides, f.cause)
			continue
		}
		c := s.causes.of(f.cause)
		if c == nil {
			continue
		}
		told[f.cause] = len(found)
		roots = append(roots, f)
		found = append(found, s.failureFinding(c, f))
	}
	return found
}

// weighs is the kind of an end, in the order in which ends are believed to be
// a root. Own errors and kills are ordered by time alone; what follows from
// others comes after them whatever its time.
func weighs(f *failure) int {
	over := 0
	if f.over {
		over = 10 // what is over is told after what is not
	}
	switch {
	case f.cause == "sigterm-received" || f.cause == "torchrun-child-failed":
		return over + 3
	case fromOtherRanks[f.cause]:
		return over + 2
	case f.cause == "application-error" || f.cause == "sigkill-received":
		return over + 1
	}
	return over
}

// fromOtherRanks follow from the end or the silence of another rank.
var fromOtherRanks = map[train.Cause]bool{
	"nccl-connection-lost": true, "nccl-timeout": true, "gloo-connection-lost": true, "rendezvous-timeout": true, "gloo-connect-failure": true,
	"mpi-worker-lost": true, "abort-sigabrt": true,
}

// follows reports whether an end is explained by the root: it came after it,
// within the time that a collective takes to give up, and says nothing of its own.
func (s *jobContext) follows(f, root *failure) bool {
	const givesUp = time.Hour // collectives wait up to 30 minutes by preset (torch, to 2.1)
	if f.rank == root.rank && f.restart > root.restart || f.over != root.over {
		return false
	}
	if !f.at.IsZero() && !root.at.IsZero() && (f.at.Before(root.at.Add(-2*time.Second)) || f.at.Sub(root.at) > givesUp) {
		return false
	}
	if !fromOtherRanks[f.cause] && outlives(f, root) {
		return false
	}
	return weighs(f) > weighs(root) || f.cause == root.cause
}

// outlives reports that a rank still crashes, and has done so more often,
// where the root's rank runs again: the root explains some of its ends at most.
func outlives(f, root *failure) bool {
	return f.rank.State == train.RankCrashing && root.rank.State == train.RankRunning && f.restart > root.restart
}

func (s *jobContext) failureFinding(c *cause, f *failure) train.Finding {
	s.current = c
	found := s.newFinding(s.failureSeverity(f), f.at)
	found.Ranks = []int{f.rank.Index}
	if len(s.job.Ranks) > 1 {
		found.RootRank = f.rank.Index
	}
	if f.hit != nil && f.hit.Cause == f.cause {
		found.Evidence = append(found.Evidence, s.hitEvidence(f))
		if f.hit.Rank >= 0 && len(s.job.Ranks) == 1 {
			found.RootRank = f.hit.Rank // several processes in one pod
		}
	}
	found.Evidence = append(found.Evidence, f.proof)
	found.Title = fmt.Sprintf("%s ended: %s", f.name(), f.proof.Text)
	if f.hit != nil && f.hit.Cause == f.cause {
		found.Title = fmt.Sprintf("%s: %s", f.name(), logs.Title(f.hit, f.cause, c.text))
		if c.explain == nil && c.text.Meaning != "" {
			found.Explanation, found.Next = c.text.Meaning, append(c.text.Steps(), s.showStep(&match{failure: f}))
		}
	}
	found.Confidence = train.Likely
	s.explain(c, &found, &match{failure: f, captures: f.captures})
	return found
}

func (s *jobContext) hitEvidence(f *failure) train.Evidence {
	text := f.hit.Text
	if f.hit.Frame != "" {
		text += " (" + f.hit.Frame + ")"
	}
	return train.Evidence{
		Kind: train.EvidenceLog, Object: podRef(f.pod.Pod), Text: plain(text), Time: f.hit.Time, Rank: f.rank.Index, Stream: f.stream, Line: f.hit.Line,
	}
}

func (s *jobContext) addFailure(into *train.Finding, f *failure) {
	into.Ranks = sorted(append(into.Ranks, f.rank.Index))
	into.Evidence = append(into.Evidence, f.proof)
	if severity := s.failureSeverity(f); severity.Rank() < into.Severity.Rank() {
		into.Severity = severity
	}
}

// failureSeverity: an end that stopped the job, or that repeats, is an error.
// One after which the rank runs again is a warning while that is fresh.
func (s *jobContext) failureSeverity(f *failure) train.Severity {
	switch {
	case s.job.Phase == train.Failed:
		return train.SeverityError
	case s.job.Phase == train.Succeeded:
		return train.SeverityInfo
	case lostReasons[f.reason]:
		return train.SeverityError
	case !f.over && (f.rank.State == train.RankCrashing || f.rank.State == train.RankFailed || f.rank.State == train.RankLost || f.rank.State == train.RankWaiting):
		return train.SeverityError
	case f.over && !f.ready.IsZero() && s.olderThan(f.ready, recovered):
		return train.SeverityInfo
	}
	return train.SeverityWarning
}

func sorted(ranks []int) []int {
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
