package act

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
)

// maxLinePart limits how much cleanLines keeps of an unfinished line.
const maxLinePart = 16 << 10

// cleanLines prints text that was not written for a terminal, such as a log,
// on a terminal in raw mode: lines begin at the left, progress bars overwrite
// themselves, and no other control sequences pass. Half an escape sequence or
// rune waits for the rest of its line.
type cleanLines struct {
	to   io.Writer
	part []byte
}

// Write implements io.Writer.
func (c *cleanLines) Write(p []byte) (int, error) {
	if c.to == nil {
		return len(p), nil
	}
	c.part = append(c.part, p...)
	var out strings.Builder
	for {
		end := bytes.IndexAny(c.part, "\r\n")
		switch {
		case end >= 0:
			out.WriteString(printableLine(c.part[:end]))
			if c.part[end] == '\n' {
				out.WriteByte('\r')
			}
			out.WriteByte(c.part[end])
			c.part = c.part[end+1:]
			continue
		case len(c.part) > maxLinePart, bytes.IndexByte(c.part, ansi.ESC) < 0 && utf8.Valid(c.part):
			out.WriteString(printableLine(c.part))
			c.part = c.part[:0]
		}
		break
	}
	if _, err := io.WriteString(c.to, out.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// printableLine returns a part of a line without terminal control characters.
func printableLine(line []byte) string {
	return termtext.Form{Tabs: true, Bare: true}.Of(string(line))
}
