package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/ui/incidentlist"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// sessionIncidents are those of the session. They are made of each diagnosis, off the
// event loop; here is what was found last.
type sessionIncidents struct {
	m *model
	// session are those of the session, and instant those of the shown instant
	// of a live session's past, nil before one was shown.
	session incidentSum
	instant *incidentSum
	rules   []alerts.Rule
	// frame is what the screens show: this version of this list.
	frame   views.Incidents
	drawn   *incidentlist.List
	version uint64
	// moments are those of the session, for the timeline.
	moments []Moment
}

// incidentSum is a list and what it had last.
type incidentSum struct {
	list  *incidentlist.List
	found incidentlist.Found
}

// mutedFor is how long a key mutes an incident.
const mutedFor = time.Hour

// begin is the start of a session.
func (i *sessionIncidents) begin() {
	version := i.frame.Version + 1
	*i = sessionIncidents{m: i.m, rules: alerts.RulesFrom(i.m.o.IncidentRules)}
	i.session.list = i.newList(i.m.session.IncidentState)
	i.frame = views.Incidents{Rules: i.rules, Version: version}
	i.drawn = i.session.list
}

func (i *sessionIncidents) newList(state string) *incidentlist.List {
	s := &i.m.session
	return incidentlist.New(incidentlist.Options{Cluster: cmp.Or(s.IncidentCluster, s.Context), Rules: i.rules, Marks: s.IncidentMarks, State: state, Address: s.IncidentAddress})
}

// current are the incidents that are shown.
func (i *sessionIncidents) current() *incidentSum {
	if i.instant != nil && i.m.travel.past() {
		return i.instant
	}
	return &i.session
}

// ofInstant makes the incidents of an instant that is being loaded: in a replay
// those of the session, else some of their own, so that going back over the past
// of a cluster does not disturb what is followed now.
func (i *sessionIncidents) ofInstant() *incidentlist.List {
	if i.m.session.Replayed {
		return i.session.list
	}
	if i.instant == nil {
		i.instant = &incidentSum{list: i.newList("")}
	}
	return i.instant.list
}

// take takes what a list found, and rings for jobs that are pinned.
func (i *sessionIncidents) take(list *incidentlist.List, f incidentlist.Found) tea.Cmd {
	of := &i.session
	if i.instant != nil && i.instant.list == list {
		of = i.instant
	}
	if list == nil || of.list != list {
		return nil // of an earlier session, or the diagnosis broke
	}
	if f.Version > of.found.Version {
		of.found = f
		i.refresh()
	}
	var all []tea.Cmd
	if len(f.Problems) > 0 {
		i.m.dirty = true
		all = append(all, i.m.say(strings.Join(f.Problems, "; "), true))
	}
	if of == &i.session && (!i.m.travel.replays() || i.m.travel.playing) {
		all = append(all, i.ring(f.Opened))
	}
	return tea.Batch(all...)
}

// refresh shows the incidents of what is shown.
func (i *sessionIncidents) refresh() {
	of := i.current()
	i.moments = momentsOf(i.session.found.Seen)
	if i.drawn == of.list && i.version == of.found.Version {
		return
	}
	i.m.dirty = true
	i.frame = views.Incidents{All: of.found.Incidents, Rules: i.rules, Version: i.frame.Version + 1}
	i.drawn, i.version = of.list, of.found.Version
}

// ring rings the terminal for incidents of pinned jobs, and names the first.
func (i *sessionIncidents) ring(opened []alerts.Notice) tea.Cmd {
	pinned := slices.DeleteFunc(slices.Clone(opened), func(n alerts.Notice) bool {
		return !slices.ContainsFunc(n.Incident.Jobs, func(j alerts.AffectedJob) bool { return i.m.kept.pins.Jobs[j.ID] })
	})
	if len(pinned) == 0 {
		return nil
	}
	i.m.dirty = true
	text := alerts.MessageOf(pinned[0]).Heading
	if more := len(pinned) - 1; more > 0 {
		text += "; and " + draw.More(more, "incident")
	}
	said := i.m.say(text, true)
	if i.m.o.Ring == nil {
		return said
	}
	sequence := i.m.o.Ring(string(pinned[0].Incident.ID), text)
	if sequence == "" {
		return said
	}
	return tea.Batch(said, tea.Raw(sequence))
}

// mark takes, gives back, mutes or unmutes incidents.
func (i *sessionIncidents) mark(e views.MarkIncidents) tea.Cmd {
	list, set, word := i.current().list, func(*alerts.Mark, time.Time) {}, ""
	switch e.Mark {
	case views.TakeIncident:
		word, set = "taken: only the end is sent", func(m *alerts.Mark, now time.Time) { m.Acknowledged = now }
	case views.GiveBackIncident:
		word, set = "given back", func(m *alerts.Mark, _ time.Time) { m.Acknowledged = time.Time{} }
	case views.MuteIncident:
		word, set = "muted for an hour", func(m *alerts.Mark, now time.Time) { m.Muted = now.Add(mutedFor) }
	case views.UnmuteIncident:
		word, set = "no longer muted", func(m *alerts.Mark, _ time.Time) { m.Muted = time.Time{} }
	}
	said := i.m.say(draw.Plural(len(e.IDs), "incident")+" "+word, false)
	return tea.Batch(said, i.m.host.InBackground(func() tea.Msg {
		return incidentsMarked{list, list.Mark(e.IDs, set)}
	}))
}

// incidentsMarked is the list after a person marked some of it.
type incidentsMarked struct {
	list  *incidentlist.List
	found incidentlist.Found
}

func (r incidentsMarked) arrive(m *model) tea.Cmd { return m.incidents.take(r.list, r.found) }

// momentsOf are the instants at which incidents opened, were resolved and were
// sent. One that was there before anybody looked did not open then.
func momentsOf(all []alerts.Incident) (moments []Moment) {
	for k := range all {
		in := &all[k]
		of := subjectOf(in)
		add := func(at time.Time, text string, trouble bool) {
			m := Moment{At: at, Text: text, Trouble: trouble}
			if len(in.Jobs) == 1 {
				m.Job = in.Jobs[0].ID
			}
			moments = append(moments, m)
		}
		if !in.Old {
			add(in.Opened, "incident opened: "+of+": "+in.Title, true)
		}
		if !in.Open() {
			add(in.Resolved, "incident resolved: "+of+": "+in.Outcome, false)
		}
		for _, d := range in.Sent {
			if d.Failed != "" {
				add(d.At, fmt.Sprintf("not sent to %s: %s: %s", d.Receiver, of, d.Failed), true)
			} else {
				add(d.At, fmt.Sprintf("sent to %s: %s %s", d.Receiver, of, d.Change), false)
			}
		}
	}
	return moments
}

// subjectOf names what an incident is about.
func subjectOf(in *alerts.Incident) string {
	switch {
	case in.Shared != "" && len(in.Jobs) > 0:
		return in.Shared + ", " + draw.Plural(len(in.Jobs), "job")
	case in.Shared != "" || len(in.Jobs) == 0:
		return in.Shared
	}
	return in.Jobs[0].String()
}
