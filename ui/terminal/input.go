package terminal

import (
	"bytes"
	"os"
	"runtime"

	"golang.org/x/term"
)

// Begin and end of a paste (xterm, bracketed paste mode), and ctrl-c.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
	ctrlC       = "\x03"
)

// Input is a terminal's input in which ctrl-c ends a paste that the terminal began
// and did not end. Bubble Tea (2.0.9) takes all that is typed for a part of the paste
// until it ends, ctrl-c too.
type Input struct {
	*os.File
	pasting bool
	// last are the last bytes that were read, in which a mark may have begun.
	last []byte
}

// NewInput returns standard input, nil where it is no terminal. Windows has a reader
// for its own console, which takes nothing in between.
func NewInput() *Input {
	if runtime.GOOS == "windows" || !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	return &Input{File: os.Stdin}
}

// Read implements io.Reader. A ctrl-c that comes alone was typed: what is pasted
// comes in larger parts.
func (i *Input) Read(p []byte) (int, error) {
	n, err := i.File.Read(p)
	return i.pass(p, n), err
}

// pass notices pastes in the n bytes that were read into p, and returns how many there
// are then.
func (i *Input) pass(p []byte, n int) int {
	if i.pasting && string(p[:n]) == ctrlC && len(p) >= len(pasteEnds)+len(ctrlC) {
		i.pasting, i.last = false, nil
		return copy(p, pasteEnds+ctrlC)
	}
	text := append(i.last, p[:n]...)
	if begins, ends := bytes.LastIndex(text, []byte(pasteBegins)), bytes.LastIndex(text, []byte(pasteEnds)); begins != ends {
		i.pasting = begins > ends
	}
	i.last = append([]byte(nil), text[max(0, len(text)-len(pasteBegins)+1):]...)
	return n
}
