package views

import (
	"cmp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// OwnColumn is a column that a person chose: one of the screen's by its title,
// or a label or an annotation of the rows' objects.
type OwnColumn struct {
	Title             string
	Label, Annotation string
	// Width is that of the column, 0 for as wide as it needs.
	Width int
}

// Columned is a screen whose columns a person may choose.
type Columned interface {
	// UseColumns shows these columns in this order; the others are wide ones,
	// behind them. None restores those of the screen. unknown are titles that
	// it does not have.
	UseColumns(own []OwnColumn) (unknown []string)
	// ColumnTitles are the titles of its own columns.
	ColumnTitles() []string
	// SortBy sorts by a column.
	SortBy(title string, descending bool)
	// SetWide shows or hides the wide columns.
	SetWide(wide bool)
}

// chosenFrom is the importance of the last of the chosen columns: above that of
// all others, so that those give way first.
const chosenFrom = 200

// UseColumns implements Columned.
func (r *Rows[R]) UseColumns(own []OwnColumn) (unknown []string) {
	if r.standard == nil && len(own) == 0 {
		return nil
	}
	if r.standard == nil {
		r.standard = slices.Clone(r.Columns)
	}
	r.chose = len(own) > 0
	if !r.chose {
		r.SetColumns(slices.Clone(r.standard))
		return nil
	}
	var columns []draw.Column[R]
	for i, o := range own {
		column, known := r.column(o)
		if !known {
			unknown = append(unknown, o.Title)
			continue
		}
		column.Importance, column.Wide, column.Keep = chosenFrom+len(own)-i, false, true
		columns = append(columns, column)
	}
	for _, column := range r.standard {
		if !slices.ContainsFunc(columns, func(c draw.Column[R]) bool { return c.Title == column.Title }) {
			column.Wide = true
			columns = append(columns, column)
		}
	}
	r.SetColumns(columns)
	return unknown
}

// Chose reports whether a person chose the columns: the screen then hides none.
func (r *Rows[R]) Chose() bool { return r.chose }

// ColumnTitles implements Columned.
func (r *Rows[R]) ColumnTitles() []string {
	all := r.standard
	if all == nil {
		all = r.Columns
	}
	titles := make([]string, len(all))
	for i := range all {
		titles[i] = all[i].Title
	}
	return titles
}

// column is the column that a person means.
func (r *Rows[R]) column(o OwnColumn) (draw.Column[R], bool) {
	if o.Label != "" || o.Annotation != "" {
		return r.metaColumn(o), true
	}
	at := slices.IndexFunc(r.standard, func(c draw.Column[R]) bool { return strings.EqualFold(c.Title, o.Title) })
	if at < 0 {
		return draw.Column[R]{}, false
	}
	column := r.standard[at]
	if o.Width > 0 {
		column.Min, column.Max, column.Want, column.Grow = o.Width, o.Width, o.Width, false
	}
	return column, true
}

// mostOfMeta is how wide a label or an annotation gets without a width.
const mostOfMeta = 32

// metaColumn shows a label or an annotation.
func (r *Rows[R]) metaColumn(o OwnColumn) draw.Column[R] {
	value := func(row R) string {
		labels, annotations := r.meta(row)
		if o.Label != "" {
			return labels[o.Label]
		}
		return redact.Text(annotations[o.Annotation])
	}
	key := cmp.Or(o.Label, o.Annotation)
	title := cmp.Or(o.Title, strings.ToUpper(key[strings.LastIndexByte(key, '/')+1:]))
	column := draw.Column[R]{
		Title: title, Min: 8, Max: mostOfMeta,
		Cell: func(row R, ink draw.Ink) draw.Cell {
			r.lookUp = ink.Meta // for the order too, which has no ink
			return draw.Cell{Text: value(row), Role: themes.Dim}
		},
		Compare: func(a, b R) int { return cmp.Compare(value(a), value(b)) },
	}
	if o.Width > 0 {
		column.Min, column.Max, column.Want = o.Width, o.Width, o.Width
	}
	return column
}

// meta are the labels and annotations of a row's object.
func (r *Rows[R]) meta(row R) (labels, annotations map[string]string) {
	if r.lookUp != nil {
		labels, annotations = r.lookUp(r.Ref(row))
	}
	if r.Labels != nil && labels == nil {
		labels = r.Labels(row)
	}
	return labels, annotations
}

var _ Columned = (*Rows[train.Ref])(nil)
