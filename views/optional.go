package views

import "github.com/traintop/traintop/keymap"

// Progressing is a screen that knows its progress; the shell passes it to the
// terminal, which shows it on its tab or in the taskbar (OSC 9;4).
type Progressing interface {
	// Progress is between 0 and 1; known is false when there is none to show.
	Progress(f Frame) (share float64, known bool)
}

// Draggable is a screen that the mouse can drag.
type Draggable interface {
	// Drag is called while the left button is held, with how many cells the
	// mouse moved to the right since the last call.
	Drag(cells int, f Frame)
}

// KeyWording is a screen on which a key of its scope now does something else
// than elsewhere, or nothing.
type KeyWording interface {
	// KeyWord is the word of the footer for an action, given the one of the table
	// of keys; "" names no key.
	KeyWord(action keymap.Action, word string) string
}
