package smiscreen

import (
	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// podColumns are those of the pod of a row; order is the row's index in the
// order of ranks.
func podColumns[R any](of func(R) *pod, order func(R) int) columns.Set[R] {
	type drawn = draw.Column[R]
	name := func(row R) string { return of(row).Pod }
	node := func(row R) string { return of(row).Node }
	return columns.Set[R]{
		{Column: drawn{Title: titleRank, Importance: 100, Right: true, Max: 12, Cell: func(row R, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: rankOf(of(row).Target, ink)}
		}, Compare: columns.By(order)}},
		{Column: drawn{Title: titlePod, Importance: 50, Name: true, Min: 10, Want: 18, Max: 40, Cell: columns.Dim(name), Compare: columns.By(name)}},
		{Column: drawn{Title: titleNode, Importance: 55, Name: true, Min: 8, Want: 10, Max: 30, Cell: columns.Dim(node), Compare: columns.By(node)}},
	}
}

func rankOf(t actions.Target, ink draw.Ink) string {
	if t.Index < 0 {
		return ink.Theme.Glyphs.Dash
	}
	return t.Label
}
