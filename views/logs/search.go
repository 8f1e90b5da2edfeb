package logs

import (
	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/views/draw"
)

// search marks lines in all panes, counts them and moves from one to the next.
type search struct {
	scan
	text       string // as typed
	expression *loglines.Matcher
}

// SetFilter searches for the text of the "/" prompt. The focused pane shows its
// nearest hit; where it follows, the newest one.
func (v *View) SetFilter(text string) error {
	switch v.layer {
	case layerRanks:
		return v.ranks.SetFilter(text)
	case layerDifferent:
		return v.odd.SetFilter(text)
	}
	return v.setSearch(text)
}

// Filter is the search, or the filter of the list in front.
func (v *View) Filter() string {
	switch v.layer {
	case layerRanks:
		return v.ranks.Filter()
	case layerDifferent:
		return v.odd.Filter()
	}
	return v.search.text
}

func (v *finder) setSearch(text string) error {
	if text == "" {
		v.search.end()
		v.endJump()
		v.search = search{}
		return nil
	}
	e, err := expression(text)
	if err != nil {
		return err
	}
	v.search.end()
	v.search = search{scan: newScan(match{want: []*loglines.Matcher{e}}), text: text, expression: e}
	v.jumpTo(v.search.match, v.nearest(), "match", false)
	return nil
}

// nearest is the direction in which a search begins: back from the end while
// the pane follows, else forward from its position.
func (v *paneSet) nearest() int {
	if v.merged && v.merge.follow() {
		return -1
	}
	if s := v.focused(); s != nil && !v.merged && s.pane.follow {
		return -1
	}
	return 1
}

// markedBytes bounds how much of a line is searched for hits to mark, besides
// its visible part.
const markedBytes = 8 << 10

// hits are the positions to mark in a line.
func (s *search) hits(text string, cells int) [][]int {
	if s.expression == nil {
		return nil
	}
	plain := draw.LogPlain(text)
	if most := max(markedBytes, 4*cells); len(plain) > most {
		plain = plain[:most]
	}
	return s.expression.FindAll(plain, -1)
}
