package terminal

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// mostCells bounds the cells that are drawn: Bubble Tea (2.0.9) takes some 300 bytes
// for each, and a terminal may report that it has 65535 times 65535. A screen of 8K
// pixels with letters of 6x10 has 550,000.
const mostCells = 600_000

// CheckSize returns an error for a terminal that reports it is larger than any,
// which would take all memory before the first event. Standard output that is no
// terminal has no size.
func CheckSize() error {
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width*height <= mostCells {
		return nil //nolint:nilerr // what is no terminal is found by those that draw
	}
	return fmt.Errorf("the terminal says that it has %d columns and %d rows; `stty columns 120 rows 40` sets its size", width, height)
}

// Bounded keeps a size that a terminal takes later within what can be drawn: rows go
// first. It is a filter of events.
func Bounded(_ tea.Model, msg tea.Msg) tea.Msg {
	size, is := msg.(tea.WindowSizeMsg)
	if !is || size.Width*size.Height <= mostCells {
		return msg
	}
	size.Width = min(size.Width, mostCells)
	size.Height = mostCells / size.Width
	return size
}
