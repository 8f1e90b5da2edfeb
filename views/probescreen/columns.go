package probescreen

import (
	"cmp"
	"fmt"
	"time"

	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

func answerColumns() []draw.Column[*answer] {
	return []draw.Column[*answer]{
		{Title: "RANK", Importance: 100, Right: true, Max: 24, Cell: func(a *answer, _ draw.Ink) draw.Cell { return draw.Cell{Text: rankOf(a)} }, Compare: func(a, b *answer) int { return cmp.Compare(a.order, b.order) }},
		{Title: "STATE", Importance: 99, Cell: state, Compare: func(a, b *answer) int { return cmp.Compare(a.urgency(), b.urgency()) }},
		{Title: "POD", Importance: 60, Name: true, Min: 10, Want: 20, Max: 40, Cell: func(a *answer, _ draw.Ink) draw.Cell { return draw.Cell{Text: a.Pod, Role: themes.Dim} }, Compare: func(a, b *answer) int { return cmp.Compare(a.Pod, b.Pod) }},
		{Title: "NODE", Importance: 50, Name: true, Min: 8, Want: 12, Max: 30, Cell: func(a *answer, _ draw.Ink) draw.Cell { return draw.Cell{Text: a.Node, Role: themes.Dim} }, Compare: func(a, b *answer) int { return cmp.Compare(a.Node, b.Node) }},
		{Title: "ANSWER", Importance: 98, Min: 24, Want: 42, Grow: true, Cell: line, Compare: func(a, b *answer) int { return cmp.Compare(a.result.Line, b.result.Line) }},
		{Title: "TOOK", Importance: 30, Right: true, Cell: took, Compare: func(a, b *answer) int { return cmp.Compare(a.took, b.took) }, Descending: true},
	}
}

func rankOf(a *answer) string {
	if a.Index < 0 {
		return "-"
	}
	return a.Label
}

// state is the mark of an answer with its name.
func state(a *answer, ink draw.Ink) draw.Cell {
	g := &ink.Theme.Glyphs
	s := draw.State{Mark: g.Waiting, Word: "asked", Role: themes.Dim}
	switch {
	case !a.arrived:
	case a.result.State == probes.Bad:
		s = draw.State{Mark: g.Failed, Word: "bad", Role: themes.Bad}
	case a.odd:
		s = draw.State{Mark: g.Warning, Word: "differs", Role: themes.Odd}
	case a.result.State == probes.Unclear:
		s = draw.State{Mark: g.Unknown, Word: "unclear", Role: themes.Waiting}
	case a.result.State == probes.Good:
		s = draw.State{Mark: g.Done, Word: "good", Role: themes.Good}
	default:
		s = draw.State{Mark: g.Dot, Word: "told", Role: themes.Text}
	}
	return draw.Cell{Text: s.String(), Role: s.Role}
}

func line(a *answer, ink draw.Ink) draw.Cell {
	switch {
	case !a.arrived:
		return draw.Cell{Text: ink.Theme.Glyphs.Ellipsis, Role: themes.Dim}
	case a.result.State == probes.Bad:
		return draw.Cell{Text: a.result.Line, Role: themes.Bad}
	case a.odd:
		return draw.Cell{Text: a.result.Line, Role: themes.Odd}
	case a.result.State == probes.Unclear:
		return draw.Cell{Text: views.WithoutPod(a.Target, a.result.Line), Role: themes.Dim}
	}
	return draw.Cell{Text: a.result.Line}
}

func took(a *answer, _ draw.Ink) draw.Cell {
	if a.took <= 0 {
		return draw.Cell{}
	}
	if a.took < time.Second {
		return draw.Cell{Text: fmt.Sprintf("%d ms", a.took.Milliseconds()), Role: themes.Dim}
	}
	return draw.Cell{Text: fmt.Sprintf("%.1f s", a.took.Seconds()), Role: themes.Dim}
}
