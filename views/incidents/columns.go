package incidents

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// state is what people and time have made of an incident, the most urgent first.
type state int

const (
	open   state = iota // nobody took it
	muted               // nothing is sent about it for a while
	taken               // somebody took it
	before              // it was there before the first watcher began
	past                // it is over
)

// stateWords and stateRoles are by state.
var (
	stateWords = [...]string{open: "open", muted: "muted", taken: "taken", before: "before", past: "resolved"}
	stateRoles = [...]themes.Role{open: themes.Bad, muted: themes.Dim, taken: themes.Accent, before: themes.Waiting, past: themes.Good}
)

func stateOf(i *alerts.Incident, now time.Time) state {
	switch {
	case !i.Open():
		return past
	case now.Before(i.Muted):
		return muted
	case !i.Acknowledged.IsZero():
		return taken
	case i.Old:
		return before
	}
	return open
}

// openFirst is the first order: by state, the newest first.
func (v *View) openFirst(a, b *alerts.Incident) int {
	return cmp.Or(cmp.Compare(stateOf(a, v.now), stateOf(b, v.now)), b.Opened.Compare(a.Opened))
}

// Titles that keys sort by.
const (
	titleState = "STATE"
	titleSince = "SINCE"
	titleJob   = "JOB"
)

func (v *View) columns() []draw.Column[*alerts.Incident] {
	type incident = *alerts.Incident
	text := func(of func(incident) string, role themes.Role) func(incident, draw.Ink) draw.Cell {
		return func(i incident, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(i), Role: role} }
	}
	by := func(of func(incident) string) func(a, b incident) int {
		return func(a, b incident) int { return cmp.Compare(of(a), of(b)) }
	}
	rule := func(i incident) string { return i.Rule }
	return []draw.Column[incident]{
		{Title: titleState, Importance: 95, Reserve: 10, Cell: v.stateCell, Compare: v.openFirst},
		{Title: titleSince, Importance: 70, Right: true, Reserve: 5, Cell: func(i incident, ink draw.Ink) draw.Cell { return draw.Cell{Text: ink.Ages.Since(i.Since)} }, Compare: func(a, b incident) int { return b.Since.Compare(a.Since) }},
		{Title: "RULE", Importance: 50, Cell: text(rule, themes.Dim), Compare: by(rule)},
		{Title: titleJob, Importance: 100, Name: true, Min: 12, Share: 30, Max: 60, Cell: text(v.name, themes.Text), Compare: by(v.name)},
		{Title: "RANK", Importance: 40, Right: true, Cell: rankCell, Compare: func(a, b incident) int { return cmp.Compare(a.Rank, b.Rank) }},
		{Title: "COST", Importance: 45, Right: true, Cell: costCell, Descending: true, Compare: func(a, b incident) int { return cmp.Compare(a.GPUHours(), b.GPUHours()) }},
		{Title: "SENT", Importance: 60, Cell: sentCell, Compare: func(a, b incident) int { return cmp.Compare(len(a.Sent), len(b.Sent)) }},
		{Title: "WHY", Importance: 90, Min: 12, Want: 28, Share: 28, Grow: true, Wrap: true, Cell: v.whyCell, Compare: by(func(i incident) string { return string(i.Cause) })},
	}
}

func (v *View) stateCell(i *alerts.Incident, ink draw.Ink) draw.Cell {
	g := &ink.Theme.Glyphs
	s := stateOf(i, ink.Ages.Now)
	sign := [...]string{open: g.Alert, muted: g.Suspended, taken: g.Marked, before: g.Dot, past: g.Done}[s]
	cell := draw.Cell{Text: sign + " " + stateWords[s], Role: stateRoles[s]}
	if s == muted {
		left := i.Muted.Sub(ink.Ages.Now)
		cell.Text += " " + ink.Ages.Of(left)
		ink.Ages.Soon(left)
	}
	return cell
}

// whyCell is what is wrong, or how it ended.
func (v *View) whyCell(i *alerts.Incident, ink draw.Ink) draw.Cell {
	role := themes.Text
	switch {
	case !i.Open():
		role = themes.Dim
	case i.Severity == train.SeverityError:
		role = themes.Bad
	case i.Severity == train.SeverityWarning:
		role = themes.Waiting
	}
	return draw.Cell{Text: i.Title, Role: role}
}

// name is what an incident is about, distinguished from others of the list.
func (v *View) name(i *alerts.Incident) string { return cmp.Or(v.names[i.ID], about(i)) }

// about is the job of an incident, or what its jobs share, with their count.
func about(i *alerts.Incident) string {
	of := i.Shared
	switch {
	case of == "" && len(i.Jobs) > 0:
		j := i.Jobs[0]
		of = j.String()
		if j.Namespace != "" {
			of = j.Namespace + "/" + j.Name
		}
	case len(i.Jobs) > 0:
		of += ", " + draw.Plural(len(i.Jobs), "job")
	}
	return of
}

func rankCell(i *alerts.Incident, ink draw.Ink) draw.Cell {
	if i.Rank < 0 {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	return draw.Cell{Text: strconv.Itoa(i.Rank)}
}

// costCell is what the jobs held so far, in GPU-hours.
func costCell(i *alerts.Incident, ink draw.Ink) draw.Cell {
	hours := i.GPUHours()
	switch {
	case hours < 0.05:
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	case hours < 1000:
		return draw.Cell{Text: fmt.Sprintf("%.1f GPU-h", hours)}
	}
	return draw.Cell{Text: draw.Count(int(hours+0.5)) + " GPU-h"}
}

// sentCell is when the newest notice arrived, and counts the receivers that were
// reached, and those that did not get the newest one that was meant for them.
func sentCell(i *alerts.Incident, ink draw.Ink) draw.Cell {
	reached, failed := map[string]bool{}, map[string]bool{}
	var newest time.Time
	for _, d := range i.Sent {
		failed[d.Receiver] = d.Failed != ""
		if d.Failed == "" {
			reached[d.Receiver], newest = true, d.At
		}
	}
	var cell draw.Cell
	if got := count(reached); got > 0 {
		cell.Spans = append(cell.Spans, draw.Span{Text: ink.Ages.Since(newest) + " ago to " + draw.Count(got), Role: themes.Text})
	}
	if not := count(failed); not > 0 {
		text := draw.Count(not) + " failed"
		if len(cell.Spans) > 0 {
			text = ", " + text
		}
		cell.Spans = append(cell.Spans, draw.Span{Text: text, Role: themes.Bad})
	}
	if len(cell.Spans) == 0 {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	return cell
}

func count(of map[string]bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}

// detail is why, in full where its column is cut, what changed or how it ended, why
// a receiver was not notified and when each was notified last, what to do, and the line that shows
// the cause.
func detail(i *alerts.Incident) string {
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+text)
		}
	}
	add("", i.Title)
	if i.Open() {
		add("changed: ", i.Changed)
	} else {
		add("over: ", i.Outcome)
	}
	if n := len(i.Sent); n > 0 && i.Sent[n-1].Failed != "" {
		add(i.Sent[n-1].Receiver+" was not told: ", i.Sent[n-1].Failed)
	}
	add("sent: ", sentWords(i))
	add("do: ", i.Next)
	add("$ ", i.NextCommand)
	add("seen: ", i.Evidence)
	return strings.Join(parts, "  ")
}

// sentWords are the receivers that were reached, each with the newest notice that it
// got and when that was.
func sentWords(i *alerts.Incident) string {
	var words []string
	reported := map[string]bool{}
	for _, d := range slices.Backward(i.Sent) {
		if d.Failed == "" && !reported[d.Receiver] {
			reported[d.Receiver] = true
			words = append(words, fmt.Sprintf("%s %s to %s", d.At.Local().Format(time.TimeOnly), d.Change, d.Receiver))
		}
	}
	return strings.Join(words, ", ")
}
