package draw

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// Ink is the input that cells are drawn with.
type Ink struct {
	Theme *themes.Theme
	Ages  *Ages
	// Meta are the labels and annotations of an object; nil reads none.
	Meta func(train.Ref) (labels, annotations map[string]string)
}

// Cell is the content of one column of one row.
type Cell struct {
	Text string
	Role themes.Role
	// Spans, when there are any, are drawn in place of Text.
	Spans []Span
}

// Span is a part of a cell in a role of its own.
type Span struct {
	Text string
	Role themes.Role
	// Whole leaves the part out where there is no room for all of it: half a
	// bar would mislead.
	Whole bool
}

// String is the whole of a cell, safe to be drawn.
func (c Cell) String() string {
	if len(c.Spans) == 0 {
		return Clean(c.Text)
	}
	var b strings.Builder
	for _, s := range c.Spans {
		b.WriteString(Clean(s.Text))
	}
	return b.String()
}

// Column declares a column of a table.
type Column[R any] struct {
	// Title is the heading and the name in saved settings.
	Title string
	// Right aligns numbers.
	Right bool
	// Importance decides which columns are hidden on a narrow terminal: the
	// lowest first.
	Importance int
	// Min and Max bound the width in cells. A column is never drawn narrower
	// than Min and its title; with 0 never narrower than its content. Max 0 is
	// no bound. A column of names is wider than Max where cells are left that
	// no other column has use for.
	Min, Max int
	// Want is the width for which less important columns are hidden; 0 asks for
	// no more than Min.
	Want int
	// Share is the part of the line, in percent, for which less important
	// columns are hidden too.
	Share int
	// Reserve is the width in cells that the column takes even while its content
	// is narrower, so that nothing beside it moves when values change.
	Reserve int
	// Grow uses the width that the others leave.
	Grow bool
	// Wrap continues the text of the last column on further lines while all rows
	// stay on the screen.
	Wrap bool
	// Ends is a column of texts of which the end shows more: where one is cut,
	// what all of them begin with is left out.
	Ends bool
	// Name is a column of names: those that are too long are shortened so that
	// they stay different.
	Name bool
	// Keep shows the column even while no row has a value: a person asked for it.
	Keep bool
	// Wide columns show on demand only.
	Wide bool
	// Cell is the row's cell in this column.
	Cell func(row R, ink Ink) Cell
	// Compare orders rows by this column; nil for one that does not sort.
	Compare func(a, b R) int
	// Descending is the direction when first sorted by it.
	Descending bool
}

// columnSpan is the cells that a column has on the screen.
type columnSpan struct{ column, x, width int }

// layout chooses which columns fit and how wide each is. full is the width
// that each column's content wants, negative for columns that are hidden.
func layout[R any](columns []Column[R], full []int, width, gap int) []columnSpan {
	natural := bounded(columns, full)
	widths, left := fitting(columns, natural, width, gap)
	left += fromBars(columns, natural, widths, width, left)
	widen := func(i, most int) {
		more := max(0, min(left, most-widths[i]))
		widths[i] += more
		left -= more
	}
	// A few cells complete a short word; names and sentences can spare them.
	for _, i := range byLack(columns, natural, widths) {
		lacks := natural[i] - widths[i]
		if columns[i].Name && lacks <= aboutAnEllipsis {
			left += fromSentence(columns, natural, widths, lacks-left)
		}
		if lacks <= fewCells && lacks <= left {
			widen(i, natural[i])
		}
	}
	// The remaining width goes to names, then to sentences, then to the other columns
	// in order of the cells that they lack, the least first: a few long words
	// must not cut every short one.
	for _, i := range byLack(columns, natural, widths) {
		if columns[i].Name {
			widen(i, natural[i])
		}
	}
	for i := range columns {
		if columns[i].Grow && widths[i] > 0 {
			widen(i, natural[i])
		}
	}
	for _, i := range byLack(columns, natural, widths) {
		widen(i, natural[i])
	}
	for _, i := range byLack(columns, full, widths) {
		widen(i, full[i])
	}
	var laidOut []columnSpan
	x := 0
	for i := range columns {
		if widths[i] == 0 {
			continue
		}
		if columns[i].Grow {
			widths[i] += left
			left = 0
		}
		laidOut = append(laidOut, columnSpan{i, x, widths[i]})
		x += widths[i] + gap
	}
	return laidOut
}

// bounded are widths within the bounds of their columns.
func bounded[R any](columns []Column[R], full []int) []int {
	widths := slices.Clone(full)
	for i := range columns {
		if most := columns[i].Max; most > 0 {
			widths[i] = min(widths[i], most)
		}
	}
	return widths
}

// sentenceShare is the part of the line, in percent, that a sentence gets before
// bars and sparklines behind numbers do; found by feel.
const sentenceShare = 28

// fromBars narrows columns that are wider than they have to be, the least
// important first, until a sentence that is cut has its share of the line. It
// returns the cells that they leave.
func fromBars[R any](columns []Column[R], natural, widths []int, width, left int) (cells int) {
	grows := slices.IndexFunc(columns, func(c Column[R]) bool { return c.Grow })
	if grows < 0 || widths[grows] == 0 {
		return 0
	}
	wanted := min(natural[grows], sentenceShare*width/100)
	for i, c := range columns { // names come first
		if c.Name && widths[i] > 0 {
			left -= max(0, natural[i]-widths[i])
		}
	}
	left = max(0, left)
	order := byImportance(columns)
	slices.Reverse(order)
	for _, i := range order {
		if widths[grows]+left+cells >= wanted {
			break
		}
		if c := columns[i]; widths[i] > 0 && !c.Grow && !c.Name && c.Want > c.Min {
			least := narrowest(c, natural[i])
			cells += widths[i] - least
			widths[i] = least
		}
	}
	return cells
}

// fromSentence takes some cells from the column that grows, all of them or none, and
// returns how many it gave.
func fromSentence[R any](columns []Column[R], natural, widths []int, cells int) int {
	grows := slices.IndexFunc(columns, func(c Column[R]) bool { return c.Grow })
	if cells <= 0 || grows < 0 || widths[grows]-cells < narrowest(columns[grows], natural[grows]) {
		return 0
	}
	widths[grows] -= cells
	return cells
}

// fewCells is how little a column may lack to get it before names and sentences
// get their part; found by feel. A name that lacks aboutAnEllipsis gets it from the
// sentence: cutting it would hide as much as it saves.
const (
	fewCells        = 5
	aboutAnEllipsis = 2
)

// byLack lists the visible columns that do not grow, the one that lacks the
// fewest cells first.
func byLack[R any](columns []Column[R], natural, widths []int) []int {
	order := make([]int, 0, len(columns))
	for i := range columns {
		if widths[i] > 0 && !columns[i].Grow {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return natural[a] - widths[a] - natural[b] + widths[b] })
	return order
}

// fitting gives a width to the most important columns that fit side by side, 0
// to the others, and returns the rest of the width.
func fitting[R any](columns []Column[R], natural []int, width, gap int) (widths []int, left int) {
	widths = make([]int, len(columns))
	left = width + gap
	for nth, i := range byImportance(columns) {
		if natural[i] < 0 {
			continue
		}
		needs := narrowest(columns[i], natural[i])
		if want := min(max(columns[i].Want, columns[i].Share*width/100), natural[i]); want > needs && want+gap <= left {
			needs = want
		}
		if needs+gap > left {
			if nth > 0 {
				continue
			}
			needs = max(1, width)
		}
		widths[i] = needs
		left -= needs + gap
	}
	return widths, max(0, left)
}

func narrowest[R any](c Column[R], natural int) int {
	if least := max(c.Min, Width(c.Title)); c.Min > 0 && least < natural {
		return least
	}
	return natural
}

// byImportance lists column indexes, the most important first. There are a
// dozen columns, so the simplest sort will do.
func byImportance[R any](columns []Column[R]) []int {
	order := make([]int, 0, len(columns))
	for i := range columns {
		at := len(order)
		for at > 0 && columns[order[at-1]].Importance < columns[i].Importance {
			at--
		}
		order = append(order, 0)
		copy(order[at+1:], order[at:])
		order[at] = i
	}
	return order
}
