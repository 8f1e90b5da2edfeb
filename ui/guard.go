package ui

import (
	"fmt"
	"runtime/debug"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// guarded runs the handler of a message. A screen that panics in it is reported
// and left as it was: the others still work.
func (m *model) guarded(do func() tea.Cmd) (cmd tea.Cmd) {
	defer func() {
		if broken := recover(); broken != nil {
			cmd = m.say(brokenScreen(m.top(), broken), true)
		}
	}()
	return do()
}

func brokenScreen(v views.View, broken any) string {
	return fmt.Sprintf("this is a bug: the screen %s broke: %v", v.Name(), broken)
}

// render draws a screen. A panic is shown as an error in its place.
func (p *painter) render(v views.View, f views.Frame) (lines []string) {
	defer func() {
		if broken := recover(); broken != nil {
			lines = p.brokenBody(v, f, broken)
		}
	}()
	return draw.Lines(v.Render(f), f.Height)
}

func (p *painter) brokenBody(v views.View, f views.Frame, broken any) []string {
	lines := []string{
		f.Line().Add(themes.NoticeFailed, fmt.Sprintf(" the screen %s broke: %s", v.Name(), draw.Clean(fmt.Sprint(broken)))).String(),
		f.Line().Add(themes.Text, " this is a bug of traintop; esc goes back, the other screens work. Where it happened:").String(),
		"",
	}
	for _, frame := range strings.Split(string(debug.Stack()), "\n") {
		lines = append(lines, f.Line().Add(themes.Dim, " "+draw.Clean(frame)).String())
	}
	return draw.Lines(lines, f.Height)
}

// title asks a screen for its title; one that panics has none.
func (p *painter) title(v views.View, f views.Frame) (t views.Title) {
	defer func() {
		if recover() != nil {
			t = views.Title{Text: v.Name()}
		}
	}()
	return v.Title(f)
}
