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
	all := slices.Clone(own)
	at, about := make(map[alerts.IncidentID]int, len(all)), make(map[string]int, len(all))
	for i := range all {
		all[i].Sent = nil // to the screen itself
		at[all[i].ID], about[troubleKey(&all[i])] = i, i
	}
	for _, watcher := range states {
		for _, saved := range watcher.state.Incidents {
			i, known := at[saved.ID]
			key := troubleKey(saved)
			if !known && key != "" {
				i, known = about[key]
			}
			if known {
				enrich(&all[i], saved)
				continue
			}
			at[saved.ID] = len(all)
			if key != "" {
				about[key] = len(all)
			}
			all = append(all, alone(saved, watcher.state.LastSeen, now))
		}
	}
	for i := range all {
		if mark, marked := marks[all[i].ID]; marked {
			all[i].Acknowledged, all[i].Muted = mark.Acknowledged, mark.Muted
		}
	}
	slices.SortStableFunc(all, func(a, b alerts.Incident) int { return b.Opened.Compare(a.Opened) })
	return all
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

// troubleKey is what an open incident is about, "" for one that is over: where it
// is unknown since when something is wrong, the IDs of two watchers differ.
func troubleKey(i *alerts.Incident) string {
	switch {
	case !i.Open():
		return ""
	case i.Shared != "":
		return string(i.Cause) + "\n" + i.Shared
	case len(i.Jobs) == 1:
		return string(i.Cause) + "\n" + string(i.Jobs[0].ID)
	}
	return ""
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
