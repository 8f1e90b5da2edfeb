// Package input is one line of text that a person edits: the textinput of
// bubbles, driven by actions of the key table. It is drawn here, because
// textinput counts runes where a terminal counts cells.
package input

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views/draw"
)

// Line is the text and its cursor. Its text is always safe for a terminal.
type Line struct {
	editor textinput.Model
	from   int // the first cluster that is shown
}

// New makes a line of at most most characters, the cursor behind its text.
func New(text string, most int) Line {
	editor := textinput.New()
	editor.CharLimit = most
	editor.SetVirtualCursor(false) // no tick for a cursor that the terminal blinks
	editor.Focus()
	l := Line{editor: editor}
	l.SetText(text)
	return l
}

// Text is the text of the line.
func (l *Line) Text() string { return l.editor.Value() }

// SetText replaces the text and puts the cursor behind it.
func (l *Line) SetText(text string) {
	l.editor.SetValue(draw.Clean(text))
	l.editor.CursorEnd()
}

// AtEnd reports whether the cursor is behind the text.
func (l *Line) AtEnd() bool { return l.editor.Position() == len([]rune(l.Text())) }

// Insert puts typed or pasted text at the cursor, line ends as spaces.
func (l *Line) Insert(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	l.editor, _ = l.editor.Update(tea.PasteMsg{Content: draw.Clean(text)})
	l.clean()
}

// keyOf maps each action to its key in textinput's own key map. The key that a
// person presses for it is a row of the key table.
var keyOf = map[keymap.Action]tea.KeyPressMsg{
	keymap.CursorLeft:      {Code: tea.KeyLeft},
	keymap.CursorRight:     {Code: tea.KeyRight},
	keymap.CursorWordLeft:  {Code: tea.KeyLeft, Mod: tea.ModAlt},
	keymap.CursorWordRight: {Code: tea.KeyRight, Mod: tea.ModAlt},
	keymap.CursorStart:     {Code: tea.KeyHome},
	keymap.CursorEnd:       {Code: tea.KeyEnd},
	keymap.EraseLeft:       {Code: tea.KeyBackspace},
	keymap.EraseRight:      {Code: tea.KeyDelete},
	keymap.EraseWordLeft:   {Code: tea.KeyBackspace, Mod: tea.ModAlt},
	keymap.EraseWordRight:  {Code: tea.KeyDelete, Mod: tea.ModAlt},
	keymap.EraseToStart:    {Code: 'u', Mod: tea.ModCtrl},
	keymap.EraseToEnd:      {Code: 'k', Mod: tea.ModCtrl},
}

// Do carries out an action that moves the cursor or erases, and reports
// whether the action is one.
func (l *Line) Do(action keymap.Action) bool {
	if _, edits := keyOf[action]; !edits {
		return false
	}
	before, behind := l.beside()
	times := 1
	switch action {
	case keymap.CursorLeft, keymap.EraseLeft:
		times = before
	case keymap.CursorRight, keymap.EraseRight:
		times = behind
	case keymap.EraseWordRight:
		if l.editor.Position()+1 == len([]rune(l.Text())) {
			action = keymap.EraseRight // textinput v2.2.1 panics on a word of one character at the end
		}
	}
	for range times {
		l.editor, _ = l.editor.Update(keyOf[action])
	}
	l.clean()
	return true
}

// beside counts the runes of the letters before and behind the cursor: a letter
// and its marks, or an emoji of several parts, are moved over and erased as
// one.
func (l *Line) beside() (before, behind int) {
	at := 0
	for _, c := range clusters(l.Text()) {
		if at >= l.editor.Position() {
			return before, c.runes
		}
		before = c.runes
		at += c.runes
	}
	return before, 0
}

// clean makes the text safe again where edits joined parts that were safe
// alone: marks of two letters on one, a joiner without its other half.
func (l *Line) clean() {
	text := l.Text()
	if draw.Clean(text) == text {
		return
	}
	head := draw.Clean(string([]rune(text)[:l.editor.Position()]))
	l.SetText(text)
	l.editor.SetCursor(len([]rune(head)))
}
