package draw

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// State is a state's mark, its name and the role that both are drawn in.
type State struct {
	Mark, Word string
	Role       themes.Role
}

// String is the mark and the name.
func (s State) String() string { return s.Mark + " " + s.Word }

// Unmarked is a text without the mark of a state before it.
func Unmarked(t *themes.Theme, text string) string {
	g := &t.Glyphs
	mark, word, has := strings.Cut(text, " ")
	if has && slices.Contains([]string{g.Running, g.Waiting, g.Suspended, g.Restarting, g.Done, g.Failed, g.Unknown, g.Warning}, mark) {
		return word
	}
	return text
}

// Phase is the mark of a job's phase.
func Phase(t *themes.Theme, p train.Phase) State {
	g := &t.Glyphs
	switch p {
	case train.Running:
		return State{g.Running, "running", themes.Good}
	case train.Pending:
		return State{g.Waiting, "pending", themes.Waiting}
	case train.Queued:
		return State{g.Waiting, "queued", themes.Queued}
	case train.Suspended:
		return State{g.Suspended, "suspended", themes.Queued}
	case train.Restarting:
		return State{g.Restarting, "restarting", themes.Redoing}
	case train.Succeeded:
		return State{g.Done, "succeeded", themes.Done}
	case train.Failed:
		return State{g.Failed, "failed", themes.Bad}
	}
	return State{g.Unknown, strings.ToLower(Clean(string(p))), themes.Odd}
}

// Rank is the mark of a rank's state.
func Rank(t *themes.Theme, s train.RankState) State {
	g := &t.Glyphs
	switch s {
	case train.RankRunning:
		return State{g.Running, string(s), themes.Good}
	case train.RankSucceeded:
		return State{g.Done, "succeeded", themes.Done}
	case train.RankFailed, train.RankLost:
		return State{g.Failed, string(s), themes.Bad}
	case train.RankCrashing:
		return State{g.Restarting, string(s), themes.Bad}
	case train.RankWaiting:
		return State{g.Warning, string(s), themes.Bad}
	case train.RankPending, train.RankStarting:
		return State{g.Waiting, string(s), themes.Waiting}
	case train.RankGated:
		return State{g.Suspended, string(s), themes.Queued}
	case train.RankTerminating:
		return State{g.Restarting, string(s), themes.Redoing}
	case train.RankMissing:
		return State{g.Unknown, string(s), themes.Odd}
	}
	return State{g.Unknown, Clean(string(s)), themes.Odd}
}

// RankUrgency orders rank states by how much attention they need: 0 first.
func RankUrgency(s train.RankState) int {
	switch s {
	case train.RankFailed, train.RankLost:
		return 0
	case train.RankCrashing, train.RankWaiting:
		return 1
	case train.RankPending, train.RankGated, train.RankMissing, train.RankTerminating:
		return 2
	case train.RankStarting:
		return 3
	case train.RankRunning:
		return 4
	case train.RankSucceeded:
		return 5
	}
	return 0
}

// SourceHealth is the mark of a source. A recording that is in trouble was
// read, and lacks a part: damage, a gap.
func SourceHealth(t *themes.Theme, h *train.Health) State {
	if h.State == train.SourceFailed && strings.HasPrefix(h.Source, "recording") {
		return State{t.Glyphs.Warning, "incomplete", themes.Waiting}
	}
	return Source(t, h.State)
}

// Source is the mark of a source's state.
func Source(t *themes.Theme, s train.SourceState) State {
	g := &t.Glyphs
	switch s {
	case train.SourceLive:
		return State{g.Running, string(s), themes.Good}
	case train.SourceRead:
		return State{g.Done, string(s), themes.Done}
	case train.SourceConnecting, train.SourceListing:
		return State{g.Waiting, string(s), themes.Waiting}
	case train.SourceRetrying:
		return State{g.Restarting, string(s), themes.Redoing}
	case train.SourceForbidden:
		return State{g.Warning, string(s), themes.Waiting}
	case train.SourceFailed:
		return State{g.Failed, string(s), themes.Bad}
	}
	return State{g.Unknown, Clean(string(s)), themes.Odd}
}

// Lines fills up or cuts to exactly height lines.
func Lines(lines []string, height int) []string {
	if height < 0 {
		height = 0
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:height]
}

// Message is a body with one message in the middle: that it is loading, that
// there is nothing, and why.
func Message(t *themes.Theme, width, height int, role themes.Role, texts ...string) []string {
	var lines []string
	for _, text := range texts {
		for _, part := range Wrap(Clean(text), max(1, width-4)) {
			lines = append(lines, NewLine(t, width, false).Add(themes.Text, Spaces((width-Width(part))/2)).Add(role, part).String())
		}
		role = themes.Dim
	}
	top := max(0, (height-len(lines))/3)
	return Lines(append(make([]string, top, top+len(lines)), lines...), height)
}
