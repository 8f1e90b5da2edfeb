package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// nameBehind names the rank that the others wait for in a hang, where it can
// be distinguished: by its last step, by watchdog reports of collectives, by a
// GPU that is idle while the others spin, by its last line.
func nameBehind(s *rule.JobContext, f *train.Finding, speakers []rule.LiveLog) {
	if v, how := behindBySteps(speakers); v != nil {
		nameRank(s, f, v.Rank.Index, how)
		f.Evidence = append(f.Evidence, s.LastLine(v))
		return
	}
	if rule.HitsOf(s.Snapshot, s.Job) > 0 {
		for _, reported := range logfindings.Find(s.Snapshot, s.Job, s.Causes.Words) {
			if reported.Cause == "one-rank-behind" && reported.RootRank >= 0 {
				nameRank(s, f, reported.RootRank, rule.Plain(reported.Title))
				f.Evidence = append(f.Evidence, reported.Evidence...)
				return
			}
		}
	}
	for _, signal := range s.Signals.Job(s.Job.ID) {
		if signal.Kind == "spinning" && len(signal.Ranks) == 1 {
			nameRank(s, f, signal.Ranks[0], "its GPU stands still while the others spin")
			return
		}
	}
	if v, how := behindByTime(speakers); v != nil {
		nameRank(s, f, v.Rank.Index, how)
		f.Evidence = append(f.Evidence, s.LastLine(v))
	}
}

func nameRank(s *rule.JobContext, f *train.Finding, rank int, how string) {
	f.RootRank = rank
	f.Title += fmt.Sprintf("; rank %d is behind", rank)
	f.Explanation += fmt.Sprintf(" Rank %d is the one to look at first: %s.", rank, how)
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; r.Index == rank && r.Pod != "" {
			f.Next = stackSteps(s, r)
		}
	}
}

// behindBySteps returns the one rank whose last step is below that of all
// others.
func behindBySteps(speakers []rule.LiveLog) (v *rule.LiveLog, how string) {
	var stepping []*rule.LiveLog
	for i := range speakers {
		if table := &speakers[i].Log.Samples; len(table.Rows) > 0 && table.Unit == series.UnitSteps {
			stepping = append(stepping, &speakers[i])
		}
	}
	if len(stepping) < 2 {
		return nil, ""
	}
	last := func(v *rule.LiveLog) float64 { step, _ := v.LastStep(); return step }
	slices.SortStableFunc(stepping, func(a, b *rule.LiveLog) int { return cmp.Compare(last(a), last(b)) })
	least, next := last(stepping[0]), last(stepping[1])
	if !(least < next) {
		return nil, ""
	}
	return stepping[0], fmt.Sprintf("its last step is %s, that of the others %s or later", rule.Number(least), rule.Number(next))
}

// behindByTime returns the one rank that fell silent well before all others
// did together, among ranks that print alike.
func behindByTime(speakers []rule.LiveLog) (v *rule.LiveLog, how string) {
	const apart, together = time.Minute, 30 * time.Second
	if len(speakers) < 3 {
		return nil, ""
	}
	order := slices.Clone(speakers)
	slices.SortStableFunc(order, func(a, b rule.LiveLog) int { return a.Newest.Compare(b.Newest) })
	first, next, last := &order[0], &order[1], &order[len(order)-1]
	if next.Newest.Sub(first.Newest) < apart || last.Newest.Sub(next.Newest) > together || len(first.Log.Samples.Rows) == 0 {
		return nil, ""
	}
	return first, fmt.Sprintf("it fell silent at %s (UTC), the others at %s", first.Newest.UTC().Format("15:04:05"), last.Newest.UTC().Format("15:04:05"))
}
