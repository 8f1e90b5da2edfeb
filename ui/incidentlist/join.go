package incidentlist

import (
	"slices"
	"time"

	"github.com/traintop/traintop/alerts"
)

// watcherStopped is how old the state of a watcher gets only when it has ended:
// a running one writes it each minute.
const watcherStopped = 3 * time.Minute

// notSeen is the outcome of an incident that only a watcher knows that ended.
const notSeen = "not seen since the watcher stopped"

// join makes one list of the session's own incidents and those that watchers on
// this machine saved, with the marks of people, the newest first.
func join(own []alerts.Incident, states []*savedState, marks alerts.Marks, now time.Time) []alerts.Incident {
	l := joined{all: slices.Clone(own), at: make(map[alerts.IncidentID]int, len(own)), about: make(map[string][]int, len(own))}
	for i := range l.all {
		l.all[i].Sent = nil // to the screen itself
		l.index(i)
	}
	for _, watcher := range states {
		l.add(&watcher.state, now)
	}
	for i := range l.all {
		if mark, marked := marks[l.all[i].ID]; marked {
			l.all[i].Acknowledged, l.all[i].Muted = mark.Acknowledged, mark.Muted
		}
	}
	slices.SortStableFunc(l.all, func(a, b alerts.Incident) int { return b.Opened.Compare(a.Opened) })
	return l.all
}

// joined are incidents of the session and of some watchers, by their IDs and by
// what they are about.
type joined struct {
	all   []alerts.Incident
	at    map[alerts.IncidentID]int
	about map[string][]int
}

func (l *joined) index(i int) {
	l.at[l.all[i].ID] = i
	if subject := subjectOf(&l.all[i]); subject != "" {
		l.about[subject] = append(l.about[subject], i)
	}
}

// add joins what one watcher saved. Of its incidents one at most is another's:
// the one with the same ID first.
func (l *joined) add(state *alerts.State, now time.Time) {
	taken := map[int]bool{}
	var others []*alerts.Incident
	for _, saved := range state.Incidents {
		if i, known := l.at[saved.ID]; known {
			taken[i] = true
			enrich(&l.all[i], saved)
		} else {
			others = append(others, saved)
		}
	}
	for _, saved := range others {
		same := slices.IndexFunc(l.about[subjectOf(saved)], func(i int) bool { return !taken[i] && sameTrouble(&l.all[i], saved) })
		if same >= 0 {
			i := l.about[subjectOf(saved)][same]
			taken[i] = true
			enrich(&l.all[i], saved)
			l.at[saved.ID] = i
			continue
		}
		l.all = append(l.all, alone(saved, state.LastSeen, now))
		taken[len(l.all)-1] = true
		l.index(len(l.all) - 1)
	}
}

// enrich adds what a watcher knows of an incident: since when, and what it sent.
// The ID becomes the watcher's, by which marks are shared.
func enrich(i *alerts.Incident, saved *alerts.Incident) {
	i.ID, i.Sent = saved.ID, slices.Concat(i.Sent, saved.Sent)
	slices.SortStableFunc(i.Sent, func(a, b alerts.Delivery) int { return a.At.Compare(b.At) })
	if !saved.Old {
		i.Old, i.Opened = false, saved.Opened
	}
	if i.Acknowledged.IsZero() {
		i.Acknowledged = saved.Acknowledged
	}
	if i.Muted.IsZero() {
		i.Muted = saved.Muted
	}
}

// subjectOf is what an incident is about: one job, or what jobs share; "" for
// several jobs that share nothing.
func subjectOf(i *alerts.Incident) string {
	switch {
	case i.Shared != "":
		return string(i.Cause) + "\n" + i.Shared
	case len(i.Jobs) == 1:
		return "\n" + string(i.Jobs[0].ID)
	}
	return ""
}

// sameTrouble reports whether two incidents about the same are one. The IDs that
// two watchers give it differ where it is unknown since when something is wrong,
// and where one of them knows more of the cause. A job has one open incident,
// but that a later attempt with another cause begins a new one.
func sameTrouble(a, b *alerts.Incident) bool {
	if a.Cause == b.Cause {
		return !a.Opened.After(endOf(b)) && !b.Opened.After(endOf(a))
	}
	return a.Open() && b.Open() && a.Jobs[0].Attempt == b.Jobs[0].Attempt
}

// endOf is when an incident was resolved, or an instant after all others.
func endOf(i *alerts.Incident) time.Time {
	if i.Open() {
		return time.Unix(1<<40, 0)
	}
	return i.Resolved
}

// alone is an incident that only a watcher knows. Where the watcher has ended,
// an open one is over: this session looks at the cluster and does not see it.
func alone(saved *alerts.Incident, lastSeen, now time.Time) alerts.Incident {
	i := *saved
	i.Jobs, i.Sent = slices.Clone(saved.Jobs), slices.Clone(saved.Sent)
	if i.Open() && now.Sub(lastSeen) > watcherStopped {
		i.Resolved, i.Outcome = lastSeen, notSeen
	}
	return i
}

// sameToRead reports whether a person reads the same of two incidents.
func sameToRead(a, b alerts.Incident) bool {
	return a.ID == b.ID && a.Title == b.Title && a.Rule == b.Rule && a.Severity == b.Severity && a.Rank == b.Rank &&
		a.Shared == b.Shared && len(a.Jobs) == len(b.Jobs) && slices.EqualFunc(a.Sent, b.Sent, sameDelivery) &&
		a.Evidence == b.Evidence && a.Next == b.Next && a.NextCommand == b.NextCommand && a.Changed == b.Changed && a.Outcome == b.Outcome && a.Old == b.Old &&
		a.Since.Equal(b.Since) && a.Resolved.Equal(b.Resolved) && a.Acknowledged.Equal(b.Acknowledged) && a.Muted.Equal(b.Muted) &&
		int(10*a.GPUHours()) == int(10*b.GPUHours())
}

func sameDelivery(a, b alerts.Delivery) bool {
	return a.Receiver == b.Receiver && a.Change == b.Change && a.Failed == b.Failed && a.At.Equal(b.At)
}
