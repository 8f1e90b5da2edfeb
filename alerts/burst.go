package alerts

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// burst is how many jobs that begin to have one cause at once are one incident:
// a registry that is down, a webhook that denies. burstWithin is how far apart
// two of them are at most.
const (
	burst       = 5
	burstWithin = 10 * time.Minute
)

// joinedPrefix begins the keys of incidents of many jobs with one cause. The cause
// follows, and the rule for a queued job and for a failure without a cause.
const joinedPrefix = "cause|"

// joinedKey is the key of the incident that joins a group with others, "" for a
// group that stays alone.
func (g *group) joinedKey() string {
	trouble := &g.troubles[0]
	switch {
	case trouble.Shared != "" || trouble.Job.ID == "":
		return ""
	case trouble.Cause == "":
		return joinedPrefix + "|" + g.rule.Name
	case trouble.Phase == train.Queued:
		return joinedPrefix + string(trouble.Cause) + "|" + g.rule.Name
	}
	return joinedPrefix + string(trouble.Cause)
}

// joined are the keys of open incidents of several jobs, by the jobs that are in
// trouble since.
func (t *Tracker) joined(now time.Time) map[train.JobID]string {
	var all map[train.JobID]string
	for key, f := range t.followed {
		if !strings.HasPrefix(key, joinedPrefix) || f.incident == nil {
			continue
		}
		if all == nil {
			all = map[train.JobID]string{}
		}
		if f.members == nil { // of a state that was continued
			f.members = map[train.JobID]time.Time{}
			for _, job := range f.incident.Jobs {
				f.members[job.ID] = f.last
			}
		}
		for id, last := range f.members {
			if now.Sub(last) < SettleFor || last.Equal(f.last) {
				all[id] = key
			}
		}
	}
	return all
}

// join notes which jobs of an incident of several are in trouble.
func (f *follow) join(g *group, now time.Time) {
	if !strings.HasPrefix(g.key, joinedPrefix) {
		return
	}
	if f.members == nil {
		f.members = map[train.JobID]time.Time{}
	}
	for i := range g.troubles {
		id := g.troubles[i].Job.ID
		if _, known := f.members[id]; !known {
			f.grown = now
		}
		f.members[id] = now
	}
}

// joinBursts makes one group of many jobs that are new and have the same cause.
// Jobs in a queue count once they waited too long.
func (t *Tracker) joinBursts(all []group, now time.Time) []group {
	isNew := func(g *group) bool {
		f := t.followed[g.key]
		if f != nil && f.incident != nil || strings.HasPrefix(g.key, joinedPrefix) {
			return false
		}
		if g.troubles[0].Phase == train.Queued {
			first := cmp.Or(g.troubles[0].Since, now)
			g.due = now.Sub(first) >= g.rule.For || f != nil && now.Sub(f.first) >= g.rule.For
			return g.due
		}
		return true
	}
	counts, fresh := t.recent(now), make([]string, len(all))
	for i := range all {
		if key := all[i].joinedKey(); key != "" && isNew(&all[i]) {
			fresh[i] = key
			counts[key]++
		}
	}
	at := map[string]int{}
	var left []group
	for i, g := range all {
		if base := fresh[i]; base != "" {
			if key, grows := t.freeKey(base, now); grows || counts[base] >= burst {
				g.key = key
			}
		}
		if k, known := at[g.key]; known {
			left[k].troubles = append(left[k].troubles, g.troubles...)
			continue
		}
		at[g.key] = len(left)
		left = append(left, g)
	}
	return left
}

// freeKey is the key under which jobs are joined now; grows is true where some
// were joined just now. An incident to which none was added for a while stays
// what it is: what begins later is another.
func (t *Tracker) freeKey(base string, now time.Time) (key string, grows bool) {
	key = base
	for n := 2; ; n++ {
		f := t.followed[key]
		if f == nil {
			return key, false
		}
		if f.incident == nil || !f.incident.Old && now.Sub(f.grown) < burstWithin {
			return key, true
		}
		key = fmt.Sprintf("%s#%d", base, n)
	}
}

// baseKey is a key without its count.
func baseKey(key string) string {
	base, _, _ := strings.Cut(key, "#")
	return base
}

// recent counts, by the key that would join them, the jobs of which people were
// sent just now, each alone.
func (t *Tracker) recent(now time.Time) map[string]int {
	counts, seen := map[string]int{}, map[train.JobID]bool{}
	for _, i := range t.incidents {
		if i.Old || i.Shared != "" || len(i.Jobs) != 1 || now.Sub(i.Opened) >= burstWithin || seen[i.Jobs[0].ID] {
			continue
		}
		seen[i.Jobs[0].ID] = true
		counts[joinedPrefix+string(i.Cause)]++
		counts[joinedPrefix+string(i.Cause)+"|"+i.Rule]++
	}
	return counts
}
