package columns

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// Unknown is what a command prints for an unknown value.
const Unknown = "-"

// Print writes rows as kubectl would: one line each, with so many spaces
// between columns.
func (s Set[R]) Print(w io.Writer, spaces int, rows []R) error {
	table := tabwriter.NewWriter(w, 0, 8, spaces, ' ', 0)
	cells := make([]string, len(s))
	for i := range s {
		cells[i] = s[i].Title
	}
	fmt.Fprintln(table, strings.Join(cells, "\t"))
	for _, row := range rows {
		for i := range s {
			cells[i] = s[i].printed(row)
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// printed is the cell of a row as a command prints it.
func (c *Column[R]) printed(row R) string {
	text := termtext.Form{Most: c.Most}.Of(c.text(row))
	if text == "" && !c.Blank {
		return Unknown
	}
	return text
}

// PlainInk draws in ASCII and without colours, and at no instant: every number
// counts as new.
var PlainInk = sync.OnceValue(func() draw.Ink {
	return draw.Ink{Theme: &themes.Theme{Glyphs: themes.ASCII()}, Ages: &draw.Ages{}}
})
