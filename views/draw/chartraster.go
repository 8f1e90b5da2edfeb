package draw

import (
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"
	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/themes"
)

// Dots of one cell, across and down: those of a Braille pattern.
const (
	DotsX = 2
	DotsY = 4
)

// Raster is the plotting area of a chart. A cell is 2 by 4 dots of one
// colour, or a sign. Dots count from the lower left corner, cells from the
// upper left one.
//
// The dots of each layer are a grid of ntcharts; a cell shows those of the
// highest layer that drew in it. ntcharts knows neither layers nor roles, so
// the cells keep them. It is given dots inside the plot only, never values.
type Raster struct {
	width, height int
	cells         []rasterCell
	layers        [LayerSign + 1]dotLayer
}

type rasterCell struct {
	sign  rune // drawn in place of the dots unless 0
	role  themes.Role
	layer Layer
}

// dotLayer is the dots of one layer; its zero value has none.
type dotLayer struct {
	grid     *graph.BrailleGrid
	patterns [][]rune // of the grid, nil when a dot was set since
}

// Layer orders drawings for the same cell: the higher one gets all of it.
type Layer uint8

// Layers, the lowest first.
const (
	LayerNone Layer = iota
	LayerRule       // rules across the plot
	LayerBand       // areas behind lines
	LayerRest       // lines of lesser importance
	LayerLine
	LayerSign // words and marks
)

// Pen is how dots are drawn.
type Pen struct {
	Role  themes.Role
	Layer Layer
	// Sparse leaves out every other dot, so that faint curves are faint without
	// colours.
	Sparse bool
}

// Reset makes the raster empty, and of this many cells.
func (r *Raster) Reset(width, height int) {
	r.width, r.height = max(0, width), max(0, height)
	r.layers = [LayerSign + 1]dotLayer{}
	n := r.width * r.height
	if cap(r.cells) < n {
		r.cells = make([]rasterCell, n)
		return
	}
	r.cells = r.cells[:n]
	clear(r.cells)
}

// Size is how many cells it has across and down.
func (r *Raster) Size() (width, height int) { return r.width, r.height }

// dot sets one dot; dots outside are left out.
func (r *Raster) dot(x, y int, pen Pen) {
	if x < 0 || y < 0 || pen.Sparse && (x+y)&1 != 0 {
		return
	}
	column, row := x/DotsX, r.height-1-y/DotsY
	if column >= r.width || row < 0 {
		return
	}
	if r.cells[row*r.width+column].take(pen) {
		r.grid(pen.Layer).Set(canvas.Point{X: x, Y: r.height*DotsY - 1 - y})
	}
}

// grid is the grid of a layer, for a dot to be set.
func (r *Raster) grid(of Layer) *graph.BrailleGrid {
	l := &r.layers[of]
	if l.grid == nil {
		across, down := float64(r.width*DotsX-1), float64(r.height*DotsY-1)
		l.grid = graph.NewBrailleGrid(r.width, r.height, 0, across, 0, down)
	}
	l.patterns = nil
	return l.grid
}

// pattern is the Braille pattern of a cell, as its offset in the block.
func (r *Raster) pattern(row, column int) uint8 {
	l := &r.layers[r.cells[row*r.width+column].layer]
	if l.grid == nil {
		return 0
	}
	if l.patterns == nil {
		l.patterns = l.grid.BraillePatterns()
	}
	return uint8(l.patterns[row][column] - runes.BrailleBlockOffset)
}

// take gives the cell to a pen, unless a higher layer has it.
func (c *rasterCell) take(pen Pen) bool {
	if pen.Layer < c.layer {
		return false
	}
	if pen.Layer > c.layer {
		c.sign, c.layer = 0, pen.Layer
	}
	c.role = pen.Role
	return true
}

// column sets the dots of one column from one height to another.
func (r *Raster) column(x, from, to int, pen Pen) {
	if from > to {
		from, to = to, from
	}
	for y := max(0, from); y <= min(to, r.height*DotsY-1); y++ {
		r.dot(x, y, pen)
	}
}

// segment draws a straight line between two dots, its ends included. It costs
// no more than the columns of the raster, wherever the ends are.
func (r *Raster) segment(x0, y0, x1, y1 int, pen Pen) {
	if x0 > x1 {
		x0, y0, x1, y1 = x1, y1, x0, y0
	}
	last := r.width*DotsX - 1
	if x1 < 0 || x0 > last {
		return
	}
	if x0 == x1 {
		r.column(x0, y0, y1, pen)
		return
	}
	from := y0
	if x0 < 0 {
		from = between(x0, y0, x1, y1, -1)
	}
	for x := max(0, x0); x <= min(last, x1); x++ {
		to := y1
		if x < x1 {
			to = between(x0, y0, x1, y1, x)
		}
		// The part that the column before has reached is not drawn again beside
		// it.
		begin := from
		switch {
		case x == x0:
		case to > from:
			begin++
		case to < from:
			begin--
		}
		r.column(x, begin, to, pen)
		from = to
	}
}

// between is the height of a line half a dot after x, rounded; a half goes
// towards the first end, so that a diagonal is one dot wide.
func between(x0, y0, x1, y1, x int) int {
	dx, rise := int64(x1-x0), int64(y1-y0)*int64(2*(x-x0)+1)
	if rise < 0 {
		return y0 - int((-rise+dx-1)/(2*dx))
	}
	return y0 + int((rise+dx-1)/(2*dx))
}

// Sign puts a sign into a cell.
func (r *Raster) Sign(column, row int, sign rune, pen Pen) {
	if column < 0 || row < 0 || column >= r.width || row >= r.height {
		return
	}
	if c := &r.cells[row*r.width+column]; c.take(pen) {
		c.sign = sign
	}
}

// Text writes a clean text from a cell on, as far as the row reaches. A letter
// that is not one cell wide is written as "?".
func (r *Raster) Text(column, row int, text string, pen Pen) {
	for _, letter := range text {
		if letter > 0x7e && ansi.StringWidth(string(letter)) != 1 {
			letter = '?'
		}
		r.Sign(column, row, letter, pen)
		column++
	}
}

// Free reports whether some cells of a row are free of layers above one.
func (r *Raster) Free(column, row, width int, above Layer) bool {
	if column < 0 || row < 0 || column+width > r.width || row >= r.height {
		return false
	}
	for _, c := range r.cells[row*r.width+column : row*r.width+column+width] {
		if c.layer > above {
			return false
		}
	}
	return true
}

// Rule draws a vertical rule through all rows, behind everything else.
func (r *Raster) Rule(column int, sign rune, pen Pen) {
	for row := range r.height {
		r.Sign(column, row, sign, pen)
	}
}
