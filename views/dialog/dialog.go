// Package dialog is the question before an action: what will happen, the
// choices, and two buttons. It is not a screen: the shell draws it over the
// current one and passes it all keys.
package dialog

import (
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/input"
)

// Dialog is one question. Its texts may be hostile; they are cleaned when drawn.
type Dialog struct {
	Title string
	// Lines describe what will happen, or the result.
	Lines []Line
	// Fields are what a person chooses or types, in order.
	Fields []Field
	// FromTop begins in the first field also where that is one to choose from.
	FromTop bool
	// Does is the label of the confirm button, "" for a dialog that only
	// informs.
	Does string
	// Refused is why it cannot be done now, "" when it can: the button is grey
	// and the reason is above it.
	Refused string
	// Waiting names what is still being read; the button waits as well.
	Waiting string

	focus    int // fields first, then the buttons
	focusSet bool
	scroll   int
	deep     int // how far Lines can be scrolled, as last drawn
	// line edits the field that has the focus; cursor is where it was drawn.
	line   input.Line
	edits  int    // the number of that field from 1 on, 0 for none
	edited string // the text of the field under the cursor
	cursor struct{ x, y int }
}

// Line is one sentence in a role.
type Line struct {
	Role themes.Role
	Text string
}

// Field is one value to choose (Choices) or type.
type Field struct {
	Label string
	// Choices are what left and right cycle through; Chosen is the current one.
	Choices []string
	Chosen  int
	// Text is the typed text, where there are no Choices; Digits accepts only
	// digits. Hint is shown behind it.
	Text   string
	Digits bool
	Hint   string
}

// Result is the effect of a key on a dialog.
type Result uint8

const (
	Unanswered Result = iota // it stays open
	Cancelled                // nothing is to be done
	Pressed                  // do it
)

// presetFocus puts the focus on Cancel: an enter pressed too early changes nothing. A dialog that
// is to be filled in begins in its first field.
func (d *Dialog) presetFocus() {
	if d.focusSet {
		return
	}
	d.focusSet = true
	d.focus = d.cancel()
	for i, f := range d.Fields {
		if len(f.Choices) == 0 || d.FromTop {
			d.focus = i
			return
		}
	}
}

// Afresh presets Cancel again, for a dialog that is shown once more.
func (d *Dialog) Afresh() { d.focusSet, d.scroll = false, 0 }

func (d *Dialog) cancel() int { return len(d.Fields) }

func (d *Dialog) stops() int {
	if d.Does == "" {
		return len(d.Fields) + 1
	}
	return len(d.Fields) + 2
}

func (d *Dialog) field() *Field {
	if d.focus < len(d.Fields) {
		return &d.Fields[d.focus]
	}
	return nil
}

// Do carries out an action.
func (d *Dialog) Do(action keymap.Action) Result {
	d.presetFocus()
	switch action {
	case keymap.DialogCancel:
		return Cancelled
	case keymap.DialogEnter:
		return d.enter()
	case keymap.DialogNext:
		d.focus = (d.focus + 1) % d.stops()
	case keymap.DialogBack:
		d.focus = (d.focus + d.stops() - 1) % d.stops()
	case keymap.DialogMore:
		d.turn(1)
	case keymap.DialogLess:
		d.turn(-1)
	case keymap.DialogUp:
		d.scroll = max(0, d.scroll-1)
	case keymap.DialogDown:
		d.scroll = min(d.deep, d.scroll+1)
	default:
		if line := d.editor(); line != nil {
			before := line.Text()
			line.Do(action)
			d.keep(before)
		}
	}
	return Unanswered
}

// enter moves on to the next field, or presses the button.
func (d *Dialog) enter() Result {
	switch {
	case d.focus < len(d.Fields):
		d.focus++
		if d.focus == d.cancel() && d.Does != "" && len(d.Fields[d.focus-1].Choices) == 0 {
			d.focus++ // a person who has typed the last field means to confirm
		}
		return Unanswered
	case d.focus == d.cancel():
		return Cancelled
	case d.Refused != "" || d.Waiting != "":
		return Unanswered
	}
	return Pressed
}

// turn cycles through the choices of a field, or from button to button.
func (d *Dialog) turn(by int) {
	if f := d.field(); f != nil {
		if n := len(f.Choices); n > 0 {
			f.Chosen = (f.Chosen + n + by) % n
		}
		return
	}
	d.focus = min(max(d.focus+by, d.cancel()), d.stops()-1)
}

// maxTyped bounds the text of a field, in characters.
const maxTyped = 1000

// Typing reports whether the focus is on a text field.
func (d *Dialog) Typing() bool { return d.editor() != nil }

// Choosing reports whether the focus is on a field with choices.
func (d *Dialog) Choosing() bool {
	d.presetFocus()
	f := d.field()
	return f != nil && len(f.Choices) > 0
}

// Cursor is the cell of the box, in the last drawing, where text is typed.
func (d *Dialog) Cursor() (x, y int, typing bool) {
	return d.cursor.x, d.cursor.y, d.Typing()
}

// editor edits the text of the field that has the focus, nil where that has
// choices or is a button.
func (d *Dialog) editor() *input.Line {
	d.presetFocus()
	f := d.field()
	if f == nil || len(f.Choices) > 0 {
		d.edits = 0
		return nil
	}
	if d.edits != d.focus+1 || d.edited != f.Text {
		d.edits, d.edited, d.line = d.focus+1, f.Text, input.New(f.Text, maxTyped)
	}
	return &d.line
}

// keep copies the line's text into its field once it has changed: a path that
// no terminal can show stays as it is until it is edited.
func (d *Dialog) keep(before string) {
	if text := d.line.Text(); text != before {
		d.field().Text, d.edited = text, text
	}
}

// Type inserts typed or pasted text.
func (d *Dialog) Type(text string) {
	line := d.editor()
	if line == nil {
		return
	}
	if d.field().Digits {
		text = onlyDigits(text)
	}
	before := line.Text()
	line.Insert(text)
	d.keep(before)
}

func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
