package logs

import (
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// grid is the arrangement of a page's panes.
type grid struct {
	page          int // panes on a full page
	columns, rows int // of this one
	first         int // index in shown of the first pane
	boxes         []box
}

// box is the position of a pane: its head line is at y.
type box struct{ x, y, width, height int }

// The smallest usable and the smallest readable size of a pane; found by feel:
// two fit side by side on 80 columns, four on 160.
const (
	leastWide, leastHigh = 39, 4
	wellWide, wellHigh   = 72, 9
)

// paneCounts are the numbers of panes to choose from, with their columns.
var paneCounts = []struct{ panes, columns int }{
	{1, 1}, {2, 1}, {2, 2}, {4, 2}, {6, 2}, {6, 3}, {9, 3}, {12, 3}, {12, 4}, {16, 4},
}

// arrange chooses the grid for a body: as many panes as were requested and have
// room, or as are readable.
func (v *paneSet) arrange(width, height int) {
	g := grid{columns: 1, rows: 1}
	if !v.alone {
		g.columns, g.rows = v.chooseGrid(width, height)
	}
	g.page = g.columns * g.rows
	if v.focused() != nil {
		g.first = v.firstOnPage(g.page)
	}
	count := min(g.page, len(v.shown)-g.first)
	g.rows = min(g.rows, (count+g.columns-1)/g.columns)
	top := 0
	for r := range g.rows {
		bottom := height * (r + 1) / g.rows
		inRow := min(g.columns, count-r*g.columns)
		left := 0
		for c := range inRow {
			right := width*(c+1)/inRow - 1
			if c == inRow-1 {
				right = width
			}
			g.boxes = append(g.boxes, box{left, top, right - left, bottom - top})
			left = right + 1
		}
		top = bottom
	}
	v.grid = g
}

// chooseGrid returns the columns and rows of panes.
func (v *paneSet) chooseGrid(width, height int) (columns, rows int) {
	columns, rows = 1, 1
	for _, c := range paneCounts {
		high := (c.panes + c.columns - 1) / c.columns
		wide, tall := (width-c.columns+1)/c.columns, height/high
		switch {
		case wide < leastWide && c.columns > 1 || tall < leastHigh:
			continue
		case v.panes > 0 && c.panes > v.panes:
			continue
		case v.panes == 0 && (wide < wellWide && c.columns > 1 || tall < wellHigh):
			continue
		case v.panes == 0 && c.panes > max(1, 2*len(v.shown)-1):
			continue // mostly empty
		}
		columns, rows = c.columns, high
		if c.panes >= len(v.shown) {
			break
		}
	}
	return columns, rows
}

// morePanes requests the next larger number of panes, or the next smaller one.
func (v *paneSet) morePanes(step int) views.Effect {
	now := v.pageSize()
	if v.panes > 0 {
		now = v.panes
	}
	next := now
	for _, c := range paneCounts {
		if step > 0 && c.panes > now && (next == now || c.panes < next) || step < 0 && c.panes < now && (next == now || c.panes > next) {
			next = c.panes
		}
	}
	v.panes, v.alone = next, false
	if step > 0 && next > now && len(v.shown) <= now {
		v.panes = now
		return views.Notice{Text: "all " + draw.Plural(len(v.shown), "rank") + " have a pane"}
	}
	return nil
}

// pageSize is the number of panes on a full page.
func (v *paneSet) pageSize() int {
	if v.alone {
		return 1
	}
	return max(1, v.grid.page)
}

// firstOnPage is the first pane of the page with the focus, as an index in
// shown. The last page is filled with ranks of the one before.
func (v *paneSet) firstOnPage(page int) int {
	return max(0, min(v.focus/page*page, len(v.shown)-page))
}

// onPage are the ranks that have a pane now.
func (v *paneSet) onPage() []int {
	page := v.pageSize()
	first := v.firstOnPage(page)
	return v.shown[first:min(len(v.shown), first+page)]
}

// hit is the pane at a cell, as an index in shown, and the row of its body.
func (g *grid) hit(x, y int) (at, row int, hit bool) {
	for i, b := range g.boxes {
		if x >= b.x && x < b.x+b.width && y >= b.y && y < b.y+b.height {
			return g.first + i, y - b.y - 1, true
		}
	}
	return 0, 0, false
}

// drawGrid draws the panes of the page.
func (v *drawer) drawGrid(f views.Frame) []string {
	v.arrange(f.Width, f.Height)
	for _, at := range v.onPage() {
		v.loadPane(f, v.allRanks[at])
	}
	v.stepTogether(f)
	onPage := v.onPage()
	for i, b := range v.grid.boxes {
		v.setRows(f, v.allRanks[onPage[i]], b)
	}
	lines := make([]string, 0, f.Height)
	for y := range f.Height {
		line := f.Line()
		for i, b := range v.grid.boxes {
			if y < b.y || y >= b.y+b.height {
				continue
			}
			line.PadTo(b.x - 1)
			s := v.allRanks[onPage[i]]
			if y == b.y {
				v.head(f, line, s, b, v.grid.first+i == v.focus)
				continue
			}
			if b.x > 0 {
				line.Add(themes.Rule, f.Theme.Glyphs.Divider)
			}
			v.drawRow(f, line, s, y-b.y-1, b)
		}
		lines = append(lines, line.String())
	}
	return lines
}

// ruled is a rule of n cells.
func ruled(t *themes.Theme, n int) string { return strings.Repeat(t.Glyphs.Rule, max(0, n)) }
