package runtime

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// withoutEnded returns the logs of ranks that still run: that of one that has
// ended is complete, and its silence means nothing.
func withoutEnded(s *rule.JobContext, logs []rule.LiveLog) []rule.LiveLog {
	if len(endedRanks(s)) == 0 {
		return logs
	}
	return slices.DeleteFunc(slices.Clone(logs), func(l rule.LiveLog) bool { return l.Rank.State == train.RankSucceeded })
}

// endedRanks returns the ranks of a job that ended with success.
func endedRanks(s *rule.JobContext) []*train.Rank {
	var ended []*train.Rank
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; r.State == train.RankSucceeded {
			ended = append(ended, r)
		}
	}
	return ended
}

// isDone reports whether training is over according to the logs. The log of an
// ended rank holds for that rank, and not for those that run on.
func isDone(s *rule.JobContext, run *series.Run, speakers []rule.LiveLog) bool {
	if run == nil {
		return false
	}
	finished := func(m train.Mark) bool { return m.Kind == train.MarkFinished }
	if len(endedRanks(s)) > 0 {
		return slices.ContainsFunc(speakers, func(l rule.LiveLog) bool { return slices.ContainsFunc(l.Log.Marks, finished) })
	}
	o := &run.Progress
	return slices.ContainsFunc(run.Marks, finished) || o.TotalSteps > 0 && o.Step >= o.TotalSteps-1
}

// nameEnded adds which ranks ended before a silence: those that run may wait
// for them in a collective.
func nameEnded(s *rule.JobContext, f *train.Finding) {
	ended := endedRanks(s)
	if len(ended) == 0 {
		return
	}
	first := slices.MinFunc(ended, func(a, b *train.Rank) int { return a.Since.Compare(b.Since) })
	at := ""
	if !first.Since.IsZero() {
		at = " at " + first.Since.UTC().Format("15:04:05") + " (UTC)"
	}
	f.Title += fmt.Sprintf("; %s ended with success%s", rule.RankName(first), at)
	if n := len(ended) - 1; n > 0 {
		f.Title += ", and " + termtext.Count(n, "other rank") + " too"
	}
	f.Explanation = strings.Replace(f.Explanation, "All ranks run, but none", "The other ranks run, but none", 1)
	f.Explanation += fmt.Sprintf(" %s has ended: a rank that has fewer batches than the others ends first, and they wait for it in the next collective.", rule.RankName(first))
	f.Evidence = append(f.Evidence, rule.StatusEvidence(rule.CoreRef("Pod", first.Namespace, first.Pod), "status.phase", "ended with success", first.Since, first.Index))
}
