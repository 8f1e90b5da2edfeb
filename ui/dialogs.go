package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// open shows a dialog over the screen, in place of an open one.
func (m *model) open(d *tasks.Dialog) {
	d.Afresh()
	m.dialog = d
}

// dialogKey passes a key to the dialog. One that has no room on the screen takes no
// answer but to cancel: nobody confirms what cannot be read.
func (m *model) dialogKey(key tea.KeyPressMsg) tea.Cmd {
	action, bound := dialogAction(m.dialog, key.String())
	if m.painter.dialogHidden() {
		action, bound = keymap.Lookup(keymap.Dialog, key.String())
		if action != keymap.DialogCancel && action != keymap.Quit {
			return nil
		}
	}
	if !bound {
		if key.Text == "" {
			return nil
		}
		return m.dialogText(key.Text)
	}
	if action == keymap.Quit {
		return tea.Quit
	}
	d := m.dialog
	before := d.Values()
	switch d.Do(action) {
	case dialog.Cancelled:
		m.dialog = nil
		if d.Cancelled != nil {
			return d.Cancelled()
		}
	case dialog.Pressed:
		m.dialog = nil
		return d.Pressed()
	case dialog.Unanswered:
		return d.ReportChange(before)
	}
	return nil
}

// dialogAction is the action of a key in the dialog: where text is typed, the
// keys of every such line come first.
func dialogAction(d *tasks.Dialog, key string) (keymap.Action, bool) {
	if d.Typing() {
		if action, bound := keymap.Lookup(keymap.Typing, key); bound {
			return action, true
		}
	}
	return keymap.Lookup(keymap.Dialog, key)
}

func (m *model) dialogText(text string) tea.Cmd {
	d := m.dialog
	if m.painter.dialogHidden() {
		return nil
	}
	before := d.Values()
	d.Type(text)
	return d.ReportChange(before)
}

// dialogBounds is the position of the dialog over the body.
type dialogBounds struct {
	left, top int
}

// dialogHidden reports whether the screen has no room for the open dialog.
func (p *painter) dialogHidden() bool {
	if p.isTooSmall() {
		return true
	}
	_, fits := p.dialogBox(p.m.page.bodyHeight)
	return !fits
}

// dialogBox draws the box of the dialog for a body of height lines; fits is false
// where it is higher.
func (p *painter) dialogBox(height int) (box []string, fits bool) {
	box = p.m.dialog.Render(p.m.theme, p.m.width, height)
	return box, len(box) <= height
}

// laidOver draws the dialog over the lines of a body, or reports that there is no
// room for it.
func (p *painter) laidOver(body []string) []string {
	if p.m.dialog == nil {
		return body
	}
	box, fits := p.dialogBox(len(body))
	if !fits {
		return draw.Lines(p.noRoom(), len(body))
	}
	width := draw.Width(ansi.Strip(box[0]))
	left, top := (p.m.width-width)/2, (len(body)-len(box))/3
	p.m.page.dialog = dialogBounds{left, top}
	over := append([]string{}, body...)
	for i, line := range box {
		over[top+i] = beside(over[top+i], left) + line + ansi.Cut(over[top+i], left+width, p.m.width)
	}
	return over
}

// noRoom reports that the dialog cannot be shown. Its first words fit the least
// width.
func (p *painter) noRoom() (lines []string) {
	to := "ask"
	if p.m.dialog.Does == "" {
		to = "answer"
	}
	for _, part := range draw.Wrap("no room to "+to+": make the terminal larger, or press esc", p.m.width) {
		lines = append(lines, p.line().Add(themes.NoticeFailed, part).String())
	}
	return lines
}

// beside is the beginning of a line in exactly width cells.
func beside(line string, width int) string {
	cut := ansi.Cut(line, 0, width)
	return cut + draw.Spaces(width-ansi.StringWidth(cut))
}
