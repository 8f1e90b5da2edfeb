package incidentlist

import (
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
)

// mostSeen is how many incidents are remembered over jumps back.
const mostSeen = 1000

// sighting is an incident that was seen before a replay jumped back.
type sighting struct {
	alerts.Incident

	// until is the last instant at which it was seen.
	until time.Time
}

// remember adds incidents as they were at an instant. One that is known already
// keeps the earliest opening and the earliest end.
func remember(known []sighting, now []alerts.Incident, at time.Time) []sighting {
	all := slices.Clone(known)
	for i := range now {
		in := sighting{Incident: now[i], until: at}
		if k := slices.IndexFunc(all, func(s sighting) bool { return s.isSame(&in) }); k >= 0 {
			all[k] = all[k].merged(in)
		} else {
			all = append(all, in)
		}
	}
	slices.SortStableFunc(all, func(a, b sighting) int { return b.Opened.Compare(a.Opened) })
	return all[:min(len(all), mostSeen)]
}

// jumped is how far apart two looks are only where a replay jumped.
const jumped = time.Minute

// date sets the opening of incidents that a jump forward passed: it was due when
// the trouble had lasted as long as its rule requires, not when the jump ended.
func (l *List) date(before time.Time) {
	for i := range l.own {
		in := &l.own[i]
		if in.Opened.Equal(l.looked) && !in.Old && !in.Since.IsZero() && l.looked.Sub(before) > jumped {
			due := in.Since
			if rule := slices.IndexFunc(l.o.Rules, func(r alerts.Rule) bool { return r.Name == in.Rule }); rule >= 0 {
				due = due.Add(l.o.Rules[rule].For)
			}
			if due.After(before) && due.Before(in.Opened) {
				l.dated[in.ID] = due
			}
		}
		if at, is := l.dated[in.ID]; is {
			in.Opened = at
		}
	}
}

// recognise dates incidents that were there at the first look after a jump back
// and whose opening was seen before the jump.
func recognise(own []alerts.Incident, known []sighting) {
	for i := range own {
		in := sighting{Incident: own[i], until: own[i].Opened}
		if !in.Old {
			continue
		}
		if k := slices.IndexFunc(known, func(s sighting) bool { return !s.Old && !s.Opened.After(in.Opened) && s.isSame(&in) }); k >= 0 {
			own[i].Old, own[i].Opened = false, known[k].Opened
		}
	}
}

// isSame reports whether two sightings are of one incident: of the same cause and
// jobs, at the same time. IDs differ where it is unknown since when something is
// wrong.
func (s *sighting) isSame(other *sighting) bool {
	if s.ID == other.ID {
		return true
	}
	return s.Cause == other.Cause && s.subject() == other.subject() && !s.began().After(other.ended()) && !other.began().After(s.ended())
}

// subject is what an incident is about.
func (s *sighting) subject() string {
	if s.Shared != "" {
		return s.Shared
	}
	names := make([]string, len(s.Jobs))
	for i := range s.Jobs {
		names[i] = string(s.Jobs[i].ID)
	}
	return strings.Join(names, "\n")
}

func (s *sighting) began() time.Time {
	if !s.Since.IsZero() && s.Since.Before(s.Opened) {
		return s.Since
	}
	return s.Opened
}

func (s *sighting) ended() time.Time {
	if s.Open() {
		return s.until
	}
	return s.Resolved
}

// merged returns two sightings of one incident as one.
func (s *sighting) merged(later sighting) sighting {
	all := later
	switch {
	case later.Old && !s.Old, !s.Old && s.Opened.Before(later.Opened):
		all.Old, all.Opened = s.Old, s.Opened
	case later.Old && s.Opened.Before(later.Opened):
		all.Opened = s.Opened
	}
	if !s.Open() && (later.Open() || s.Resolved.Before(later.Resolved)) {
		all.Resolved, all.Outcome = s.Resolved, s.Outcome
	}
	if s.until.After(later.until) {
		all.until = s.until
	}
	return all
}

func incidentsOf(all []sighting) []alerts.Incident {
	incidents := make([]alerts.Incident, len(all))
	for i := range all {
		incidents[i] = all[i].Incident
	}
	return incidents
}
