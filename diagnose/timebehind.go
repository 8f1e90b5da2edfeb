package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// nameBehind names the rank that the others wait for in a hang, where one
// stands out: by its last step, by what watchdogs say of collectives, by a GPU
// that stands still while the others spin, by its last line.
func (s *jobContext) nameBehind(f *train.Finding, speakers []liveLog) {
	if v, how := behindBySteps(speakers); v != nil {
		s.nameRank(f, v.rank.Index, how)
		f.Evidence = append(f.Evidence, s.lastLine(v))
		return
	}
	if hitsOf(s.Snapshot, s.job) > 0 {
		for _, told := range logs.Find(s.Snapshot, s.job, s.causes.words) {
			if told.Cause == "one-rank-behind" && told.RootRank >= 0 {
				s.nameRank(f, told.RootRank, plain(told.Title))
				f.Evidence = append(f.Evidence, told.Evidence...)
				return
			}
		}
	}
	for _, signal := range s.signals.Job(s.job.ID) {
		if signal.Kind == "spinning" && len(signal.Ranks) == 1 {
			s.nameRank(f, signal.Ranks[0], "its GPU stands still while the others spin")
			return
		}
	}
	if v, how := behindByTime(speakers); v != nil {
		s.nameRank(f, v.rank.Index, how)
		f.Evidence = append(f.Evidence, s.lastLine(v))
	}
}

func (s *jobContext) nameRank(f *train.Finding, rank int, how string) {
	f.RootRank = rank
	f.Title += fmt.Sprintf("; rank %d is behind", rank)
	f.Explanation += fmt.Sprintf(" Rank %d is the one to look at first: %s.", rank, how)
	for i := range s.job.Ranks {
		if r := &s.job.Ranks[i]; r.Index == rank && r.Pod != "" {
			f.Next = s.stackSteps(r)
		}
	}
}

// behindBySteps is the one rank whose last step is below that of all others.
func behindBySteps(speakers []liveLog) (v *liveLog, how string) {
	var stepping []*liveLog
	for i := range speakers {
		if table := &speakers[i].log.Samples; len(table.Rows) > 0 && table.Unit == series.UnitSteps {
			stepping = append(stepping, &speakers[i])
		}
	}
	if len(stepping) < 2 {
		return nil, ""
	}
	last := func(v *liveLog) float64 { step, _ := v.lastStep(); return step }
	slices.SortStableFunc(stepping, func(a, b *liveLog) int { return cmp.Compare(last(a), last(b)) })
	least, next := last(stepping[0]), last(stepping[1])
	if !(least < next) {
		return nil, ""
	}
	return stepping[0], fmt.Sprintf("its last step is %s, that of the others %s or later", number(least), number(next))
}

// behindByTime is the one rank that fell silent well before all others did
// together, among ranks that print alike.
func behindByTime(speakers []liveLog) (v *liveLog, how string) {
	const apart, together = time.Minute, 30 * time.Second
	if len(speakers) < 3 {
		return nil, ""
	}
	order := slices.Clone(speakers)
	slices.SortStableFunc(order, func(a, b liveLog) int { return a.newest.Compare(b.newest) })
	first, next, last := &order[0], &order[1], &order[len(order)-1]
	if next.newest.Sub(first.newest) < apart || last.newest.Sub(next.newest) > together || len(first.log.Samples.Rows) == 0 {
		return nil, ""
	}
	return first, fmt.Sprintf("it fell silent at %s (UTC), the others at %s", first.newest.UTC().Format("15:04:05"), last.newest.UTC().Format("15:04:05"))
}
