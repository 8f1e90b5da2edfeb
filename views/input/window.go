package input

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/views/draw"
)

// Window is the part of the text that fits into so many cells and contains the
// cursor, and the cell of the cursor. It scrolls no further than it must.
func (l *Line) Window(width int) (shown string, cursor int) {
	all := clusters(l.Text())
	at, ends := l.measure(all)
	cells := func(from, to int) int { return ends[to] - ends[from] }
	under := 1 // the cursor takes a cell behind the text
	if at < len(all) {
		under = max(1, all[at].cells)
	}
	l.from = min(l.from, at)
	for l.from > 0 && cells(l.from-1, len(all))+1 <= width {
		l.from-- // text erased at the end makes room for the text before
	}
	for l.from < at && cells(l.from, at)+under > width {
		l.from++
	}
	var b strings.Builder
	for i := l.from; i < len(all) && cells(l.from, i+1) <= width; i++ {
		b.WriteString(all[i].text)
	}
	return b.String(), cells(l.from, at)
}

// measure finds the cluster under the cursor, and how many cells lie before
// each cluster and before the end.
func (l *Line) measure(all []cluster) (at int, ends []int) {
	ends = make([]int, len(all)+1)
	runes := 0
	for i, c := range all {
		ends[i+1] = ends[i] + c.cells
		runes += c.runes
		if runes <= l.editor.Position() {
			at = i + 1
		}
	}
	return at, ends
}

// cluster is one letter on a terminal.
type cluster struct {
	text         string
	runes, cells int
}

func clusters(text string) []cluster {
	var all []cluster
	for text != "" {
		first, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		all = append(all, cluster{first, utf8.RuneCountInString(first), draw.Width(first)})
		text = text[len(first):]
	}
	return all
}
