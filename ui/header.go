package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// head is the header: where one is, what is held, whether the data is fresh;
// below it, where there is room, the favourite namespaces.
func (m *model) head() []string {
	m.clock.headSeconds = false
	if !m.header {
		return nil
	}
	lines := []string{m.whereLine()}
	if m.height >= favouritesFrom && len(m.favourites) > 1 {
		lines = append(lines, m.favouritesLine())
	}
	return lines
}

func (m *model) whereLine() string {
	namespace := draw.Clean(m.namespace)
	if m.namespace == "" {
		namespace = "all namespaces"
	}
	line := m.line().Add(themes.Accent, " "+draw.Cut(draw.Clean(m.session.Context), max(12, m.width/3), m.theme.Glyphs.Ellipsis)).
		Add(themes.Dim, " "+m.theme.Glyphs.Dot+" ").Add(themes.Strong, namespace)
	if m.selector != nil {
		line.Add(themes.Dim, " -l ").Add(themes.Strong, draw.Clean(m.selector.String()))
	}
	if m.session.ReadOnly {
		line.Add(themes.Dim, " [R]")
	}
	room := line.Left() - 1
	health := m.healthLine(room)
	m.addGPUs(line, room-health.Left())
	return line.Right(health).String()
}

// gpuBar is how wide the bar of held accelerators is.
const gpuBar = 10

// addGPUs tells how many accelerators are held when there is room for it
// beside what stands at the right.
func (m *model) addGPUs(line *draw.Line, reserved int) {
	t := m.snapshot.GPUs()
	if t.Allocatable == 0 {
		return
	}
	text := fmt.Sprintf("%s of %s GPUs held ", draw.Count(t.Held), draw.Count(t.Allocatable))
	room := line.Left() - reserved - 4
	if t.Held == 0 && !m.snapshot.Complete(kinds.PodKind, "") {
		// Nobody knows yet, or may know, what pods hold.
		if text = draw.Count(t.Allocatable) + " GPUs"; room >= len(text) {
			line.Add(themes.Text, "    "+text)
		}
		return
	}
	if room < len(text) {
		return
	}
	line.Add(themes.Text, "    "+text)
	if room >= len(text)+gpuBar {
		share := float64(t.Held) / float64(t.Allocatable)
		bar := draw.Bar(m.theme, share, gpuBar)
		line.Add(themes.BarFull, bar)
	}
}

// healthLine says in words how the sources are, as far as there is room: the
// program's sources one by one, and how much was refused.
func (m *model) healthLine(room int) *draw.Line {
	line := draw.NewLine(m.theme, max(0, room), false)
	ages := &draw.Ages{Now: m.snapshot.Now}
	for _, s := range gathered(m.snapshot.Health()) {
		state := draw.Source(m.theme, s.worst.State)
		text := "  " + state.Mark + " " + draw.Clean(s.name) + " " + state.Word
		if s.listing > 0 && s.worst.State == train.SourceListing {
			text += " " + strconv.Itoa(s.listing)
		}
		if s.worst.State.Trouble() {
			text += " " + ages.Since(s.worst.Since)
		}
		if draw.Width(text)+1 <= line.Left() {
			line.Add(state.Role, text)
		}
		if s.forbidden > 0 {
			text := fmt.Sprintf("  %s %d forbidden, :sources", m.theme.Glyphs.Warning, s.forbidden)
			if draw.Width(text)+1 <= line.Left() {
				line.Add(themes.Waiting, text)
			}
		}
	}
	m.clock.headSeconds = ages.Seconds
	return line.Add(themes.Text, " ")
}

// gathering is one source with everything below it: "kube" and "kube/pods",
// all files.
type gathering struct {
	name               string
	worst              train.Health
	listing, forbidden int
}

// gathered sums health by source, in order of name. What a source was
// refused, or what a cluster does not have, does not make it unwell.
func gathered(all []train.Health) []gathering {
	var sums []gathering
	for _, h := range all {
		name := h.Source // "kube/pods", "file PATH"
		if i := strings.IndexAny(name, "/ "); i > 0 {
			name = name[:i]
		}
		if len(sums) == 0 || sums[len(sums)-1].name != name {
			sums = append(sums, gathering{name: name})
		}
		s := &sums[len(sums)-1]
		if !h.State.Settled() {
			s.listing++
		}
		switch {
		case h.State == train.SourceForbidden && h.Resource != "":
			s.forbidden++
		case s.worst.State == "" || severity(h.State) > severity(s.worst.State):
			s.worst = h
		}
	}
	for i := range sums {
		if sums[i].worst.State == "" {
			sums[i].worst.State = train.SourceForbidden
		}
	}
	return sums
}

func severity(s train.SourceState) int {
	switch s {
	case train.SourceFailed:
		return 6
	case train.SourceRetrying:
		return 5
	case train.SourceForbidden:
		return 4
	case train.SourceConnecting:
		return 3
	case train.SourceListing:
		return 2
	case train.SourceLive, train.SourceRead:
		return 1
	}
	return 0
}

// favouritesLine names the namespaces behind the digits.
func (m *model) favouritesLine() string {
	line := m.line()
	add := func(digit int, name, namespace string) {
		text := draw.Clean(name)
		if line.Left() < draw.Width(text)+5 {
			return
		}
		role := themes.Dim
		if namespace == m.namespace {
			role = themes.Strong
		}
		line.Add(themes.Key, " "+strconv.Itoa(digit)+" ").Add(role, text).Add(themes.Dim, " ")
	}
	add(0, "all", "")
	for i, namespace := range m.favourites {
		add(i+1, namespace, namespace)
	}
	return line.String()
}
