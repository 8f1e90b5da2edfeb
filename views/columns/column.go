// Package columns declares a column of a table once: how a screen draws it and
// what a command prints. The folders below it hold the columns of jobs
// (jobrows) and of GPUs (gpurows); screens and commands choose among them by
// title.
package columns

import (
	"strings"

	"github.com/traintop/traintop/views/draw"
)

// Column is a column of a table of R.
type Column[R any] struct {
	draw.Column[R]
	// Text is what a command prints of a row, "" for an unknown value. nil
	// prints what a screen draws, in ASCII.
	Text func(R) string
	// Most is how many letters a command prints of it, 0 for all.
	Most int
	// Blank prints nothing for "": the column may be empty.
	Blank bool
}

// Set are the columns that rows of R may have.
type Set[R any] []Column[R]

// Named are the columns with these titles, in the order of the titles. Of two
// columns with one title the first is used. A title that no column has is a
// mistake in the program.
func (s Set[R]) Named(titles ...string) Set[R] {
	named := make(Set[R], len(titles))
	for i, title := range titles {
		named[i] = *s.find(title)
	}
	return named
}

func (s Set[R]) find(title string) *Column[R] {
	for i := range s {
		if s[i].Title == title {
			return &s[i]
		}
	}
	panic("no column has the title " + title)
}

// Weigh gives columns another importance: which of them is hidden first depends
// on the other columns of a screen.
func (s Set[R]) Weigh(importance map[string]int) Set[R] {
	for title, weight := range importance {
		s.find(title).Importance = weight
	}
	return s
}

// Drawn are the columns in the form that the table of a screen needs.
func (s Set[R]) Drawn() []draw.Column[R] {
	drawn := make([]draw.Column[R], len(s))
	for i := range s {
		drawn[i] = s[i].Column
	}
	return drawn
}

// On turns columns of R into columns of S, rows that hold an R. A row that
// holds none has empty cells and comes before all others.
func On[S, R any](s Set[R], of func(S) (R, bool)) Set[S] {
	on := make(Set[S], len(s))
	for i := range s {
		on[i] = lift(s[i], of)
	}
	return on
}

func lift[S, R any](c Column[R], of func(S) (R, bool)) Column[S] {
	lifted := Column[S]{Most: c.Most, Blank: c.Blank, Column: draw.Column[S]{
		Title: c.Title, Right: c.Right, Importance: c.Importance, Min: c.Min, Max: c.Max, Want: c.Want,
		Share: c.Share, Reserve: c.Reserve, Grow: c.Grow, Wrap: c.Wrap, Name: c.Name, Ends: c.Ends, Wide: c.Wide, Descending: c.Descending,
	}}
	lifted.Cell = func(row S, ink draw.Ink) draw.Cell {
		if r, has := of(row); has {
			return c.Cell(r, ink)
		}
		return draw.Cell{}
	}
	if c.Compare != nil {
		lifted.Compare = func(a, b S) int {
			x, hasX := of(a)
			y, hasY := of(b)
			switch {
			case hasX && hasY:
				return c.Compare(x, y)
			case hasX:
				return 1
			case hasY:
				return -1
			}
			return 0
		}
	}
	if c.Text != nil {
		lifted.Text = func(row S) string {
			if r, has := of(row); has {
				return c.Text(r)
			}
			return ""
		}
	}
	return lifted
}

// text is what a command prints of a row, "" for an unknown value.
func (c *Column[R]) text(row R) string {
	if c.Text != nil {
		return c.Text(row)
	}
	switch text := strings.TrimSpace(c.Cell(row, PlainInk()).String()); text {
	case PlainInk().Theme.Glyphs.Dash, PlainInk().Theme.Glyphs.Unmeasured:
		return ""
	default:
		return text
	}
}
