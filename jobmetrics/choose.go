package jobmetrics

import (
	"cmp"
	"slices"
	"time"
)

// notShown counts jobs without series of their own, by reason.
type notShown struct{ limit, ended, notTraining, sameName int }

func (n *notShown) samples(all []sample) []sample {
	for _, one := range [...]struct {
		reason string
		jobs   int
	}{{"limit", n.limit}, {"ended", n.ended}, {"not_training", n.notTraining}, {"same_name", n.sameName}} {
		all = append(all, sample{id: jobsNotShown, value: float64(one.jobs), labels: labelsOf(jobsNotShown, one.reason)})
	}
	return all
}

// choose returns the jobs that are shown: all training jobs but those that ended
// some time ago, as many as the limit allows. Of jobs with the same name the
// newest is shown, since two of them cannot have the same series.
func (t *tracker) choose(now time.Time) (chosen []*trackedJob, left notShown) {
	byName := make(map[jobName]*trackedJob, len(t.jobs))
	for _, k := range t.jobs {
		if !k.ended.IsZero() && now.Sub(k.ended) > t.keep {
			k.shown = false
			left.ended++
			continue
		}
		if other := byName[k.name]; other == nil {
			byName[k.name] = k
		} else {
			newer, older := k, other
			if newest(k, other) > 0 {
				newer, older = other, k
			}
			byName[k.name], older.shown = newer, false
			left.sameName++
		}
	}
	chosen = make([]*trackedJob, 0, len(byName))
	for _, k := range byName {
		chosen = append(chosen, k)
	}
	if len(chosen) > t.maxJobs {
		slices.SortFunc(chosen, moreImportant)
		left.limit = len(chosen) - t.maxJobs
		for _, k := range chosen[t.maxJobs:] {
			k.shown = false
		}
		chosen = chosen[:t.maxJobs]
	}
	for _, k := range chosen {
		k.shown = true
	}
	return chosen, left
}

// newest orders jobs of one name: one whose object was read first, then the one
// that was created last.
func newest(a, b *trackedJob) int {
	return cmp.Or(truth(a.job.Gone)-truth(b.job.Gone), b.job.Created.Compare(a.job.Created), cmp.Compare(a.job.ID, b.job.ID))
}

// moreImportant orders jobs where not all can be shown: those that have not
// ended first, then those that are shown already, so that series do not come and
// go, then those with more GPUs, then older ones.
func moreImportant(a, b *trackedJob) int {
	return cmp.Or(
		truth(a.job.Phase.Terminal())-truth(b.job.Phase.Terminal()), truth(b.shown)-truth(a.shown),
		cmp.Compare(b.job.GPUs, a.job.GPUs), a.job.Created.Compare(b.job.Created), cmp.Compare(a.job.ID, b.job.ID),
	)
}

func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
