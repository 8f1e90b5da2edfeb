package alerts

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/termtext"
)

// Due is a notice that is to be sent now.
type Due struct {
	Notice Notice
	// Receivers are the names of the rule's receivers; none is all that the
	// watcher was given.
	Receivers []string
}

// goesTo reports whether a receiver gets the notice.
func (d *Due) goesTo(receiver string) bool {
	return receiver == StandardOutput || len(d.Receivers) == 0 || slices.Contains(d.Receivers, receiver)
}

// due takes the notices that nothing holds back, in the order in which the
// incidents opened.
func (t *Tracker) due(now time.Time) []Due {
	var all []Due
	held := map[string][]*follow{}
	for _, f := range t.inOrder() {
		rule := t.ruleNamed(f.incident.Rule)
		f.remind(rule, now)
		if f.owed == "" || f.isHeld(rule, now) {
			continue
		}
		if f.owed == Opened && rule != nil && rule.Most > 0 {
			held[rule.Name] = append(held[rule.Name], f)
			continue
		}
		all = append(all, t.send(f, rule, now))
	}
	for _, name := range slices.Sorted(maps.Keys(held)) {
		all = append(all, t.sendBounded(held[name], t.ruleNamed(name), now)...)
	}
	maps.DeleteFunc(t.followed, func(_ string, f *follow) bool { return f.incident != nil && !f.incident.Open() && f.owed == "" })
	return all
}

// keptSuffix ends the IDs of notices that only keep an incident open somewhere.
const keptSuffix = "-kept"

// openNow are notices that repeat each open incident of which people were notified.
func (t *Tracker) openNow(now time.Time) (all []Due) {
	for _, f := range t.inOrder() {
		if i := f.incident; i.Open() && !f.unsent() {
			d := Due{Notice: Notice{ID: string(i.ID) + keptSuffix, Change: Repeated, At: now, Cluster: t.Cluster, Reach: t.reach(now), Incident: copied(i)}}
			if rule := t.ruleNamed(i.Rule); rule != nil {
				d.Receivers = rule.Receivers
			}
			all = append(all, d)
		}
	}
	return all
}

// inOrder are the troubles with an incident, the oldest first.
func (t *Tracker) inOrder() []*follow {
	of := map[*Incident][]*follow{}
	for _, key := range slices.Sorted(maps.Keys(t.followed)) {
		if f := t.followed[key]; f.incident != nil {
			of[f.incident] = append(of[f.incident], f)
		}
	}
	var all []*follow
	for _, i := range t.incidents {
		all = append(all, of[i]...)
	}
	return all
}

// remind makes an open incident due again.
func (f *follow) remind(rule *Rule, now time.Time) {
	i := f.incident
	if rule == nil || rule.Repeat <= 0 || f.owed != "" || i.Old || !i.Open() || !i.Acknowledged.IsZero() || f.sent.IsZero() {
		return
	}
	if now.Sub(f.sent) >= rule.Repeat {
		f.owed = Repeated
	}
}

// isHeld reports whether a notice has to wait: for the end of quiet hours or of
// a mute, because one about the same incident was sent just now, or, of an
// incident that was there before, until it lasted as long as its rule requires.
func (f *follow) isHeld(rule *Rule, now time.Time) bool {
	i := f.incident
	switch {
	case now.Before(i.Muted), rule != nil && rule.Quiet.Holds(now):
		return true
	case f.owed == Updated && !i.Acknowledged.IsZero():
		return true
	case f.owed == Updated && f.sent.IsZero():
		return rule != nil && now.Sub(i.Since) < rule.For
	case f.owed == Updated && f.from != nil && i.failedSince(f.from): // nobody waits for that
		return false
	}
	return f.owed == Updated && now.Sub(f.sent) < updatesApart
}

// send takes what is owed.
func (t *Tracker) send(f *follow, rule *Rule, now time.Time) Due {
	f.changes++
	t.version++
	d := Due{Notice: Notice{
		ID: fmt.Sprintf("%s-%s-%d", f.incident.ID, f.owed, f.changes), Change: f.owed, At: now, Cluster: t.Cluster, Reach: t.reach(now), Incident: copied(f.incident),
	}}
	d.Notice.Incident.Sent = nil
	if rule != nil {
		d.Receivers = rule.Receivers
	}
	if rule != nil && rule.Most > 0 {
		t.sentBy[rule.Name] = append(t.sentBy[rule.Name], now)
	}
	f.owed, f.sent = "", now
	return d
}

// sendBounded sends the incidents of a rule that sends a limited number in an
// hour: once there is room again, those that waited come in one notice.
func (t *Tracker) sendBounded(waiting []*follow, rule *Rule, now time.Time) (all []Due) {
	t.sentBy[rule.Name] = slices.DeleteFunc(t.sentBy[rule.Name], func(at time.Time) bool { return now.Sub(at) >= time.Hour })
	room := rule.Most - len(t.sentBy[rule.Name])
	if room <= 0 {
		return nil
	}
	if len(waiting) <= room {
		for _, f := range waiting {
			all = append(all, t.send(f, rule, now))
		}
		return all
	}
	for _, f := range waiting[:room-1] {
		all = append(all, t.send(f, rule, now))
	}
	return append(all, t.sendTogether(waiting[room-1:], rule, now))
}

// sendTogether makes one notice of several incidents. It has the ID of the
// first; each counts as if it had been sent alone.
func (t *Tracker) sendTogether(waiting []*follow, rule *Rule, now time.Time) Due {
	if len(waiting) == 1 {
		return t.send(waiting[0], rule, now)
	}
	d := t.send(waiting[0], rule, now)
	i := &d.Notice.Incident
	i.Title = fmt.Sprintf("%s at once, more than the %d an hour that the rule %s sends; the first: %s", termtext.Count(len(waiting), "incident"), rule.Most, rule.Name, i.Title)
	i.Shared = "rule " + rule.Name
	for _, f := range waiting[1:] {
		i.Jobs = append(i.Jobs, f.incident.Jobs...)
		f.changes++
		f.owed, f.sent = "", now
	}
	return d
}

func (t *Tracker) reach(now time.Time) string {
	if t.Reach == nil {
		return ""
	}
	return t.Reach(now)
}
