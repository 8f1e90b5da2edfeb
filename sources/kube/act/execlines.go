package act

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
)

// maxLinePart bounds what cleanLines keeps of a line that does not end.
const maxLinePart = 16 << 10

// cleanLines prints for a terminal in raw mode what was written for none, a log
// for the most part: lines begin at the left, progress bars overwrite
// themselves, and nothing else of it controls the terminal. What may be half an
// escape sequence or half a rune waits for the rest of its line.
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

// printableLine is a part of a line without what controls a terminal.
func printableLine(line []byte) string {
	return termtext.Form{Tabs: true, Bare: true}.Of(string(line))
}
