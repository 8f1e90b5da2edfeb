package gpus

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/views/draw"
)

// The heat map is a flow of blocks, one for each node:
//
//	gpu-0112 ▇▇▇▇▇▇▇▇
//	  llama-70b slow
//
// A block that needs more room than most takes the place of several.

// block is one node's part of the map.
type block struct {
	node  string
	rows  []*row // in order of index
	cells []cell
	x     int // of its left edge
	width int // all of it, without the gap
	line  int // its row of blocks
}

// cell is one glyph: a GPU, or several of them where a node has too many.
type cell struct {
	from, to int  // of block.rows
	gap      bool // separated from the one before: another board of slices
}

// blockMap is the layout of the map: computed when rows or width change.
type blockMap struct {
	laid   bool
	width  int
	shown  []*row // in the last layout
	blocks []block
	lines  int // rows of blocks
	name   int // width of names
}

func (m *blockMap) forget() { m.laid = false }

const (
	blockGap  = 3
	maxName   = 24
	maxCells  = 64 // of one node; more are drawn several to a cell
	leastName = 6
)

// lay computes the position of each node on lines of width cells. all are in
// order of node; those that are shown may be fewer, in any order.
func (m *blockMap) lay(all, shown []*row, width int) {
	if m.laid && m.width == width && len(m.shown) == len(shown) && (len(shown) == 0 || &m.shown[0] == &shown[0]) {
		return
	}
	*m = blockMap{laid: true, width: width, shown: shown}
	m.blocks = split(among(all, shown))
	slices.SortStableFunc(m.blocks, func(a, b block) int { return draw.CompareNames(a.node, b.node) })
	for i := range m.blocks {
		m.name = max(m.name, min(maxName, draw.Width(draw.Clean(m.blocks[i].node))))
	}
	m.name = max(leastName, min(m.name, width/2))
	m.flow()
}

// among are the blocks of all shown rows, in the order of all.
func among(all, shown []*row) []*row {
	if len(all) == len(shown) {
		return all
	}
	is := make(map[*row]bool, len(shown))
	for _, r := range shown {
		is[r] = true
	}
	var kept []*row
	for _, r := range all {
		if is[r] {
			kept = append(kept, r)
		}
	}
	return kept
}

// split cuts rows in order of node into blocks.
func split(rows []*row) []block {
	var blocks []block
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].GPU.Node == rows[from].GPU.Node {
			to++
		}
		b := block{node: rows[from].GPU.Node, rows: rows[from:to]}
		b.cells = cellsOf(b.rows)
		blocks = append(blocks, b)
		from = to
	}
	return blocks
}

// cellsOf makes one cell for each GPU, or for several when there are too many.
func cellsOf(rows []*row) []cell {
	total := 0
	for i := range rows {
		total += rows[i].Cells()
	}
	cells := make([]cell, 0, min(total, maxCells))
	if total <= maxCells {
		for i := range rows {
			sliced := rows[i].GPU.MIG.Instance != "" && i > 0 && rows[i].GPU.Index != rows[i-1].GPU.Index
			for n := range rows[i].Cells() {
				cells = append(cells, cell{i, i + 1, sliced && n == 0})
			}
		}
		return cells
	}
	each := (len(rows) + maxCells - 1) / maxCells
	for from := 0; from < len(rows); from += each {
		cells = append(cells, cell{from, min(len(rows), from+each), false})
	}
	return cells
}

// cellWidth is how many columns the cells take.
func cellWidth(cells []cell) int {
	width := len(cells)
	for _, c := range cells {
		if c.gap {
			width++
		}
	}
	return width
}

// flow puts the blocks into lines of slots, as wide as most blocks need.
func (m *blockMap) flow() {
	widths := make([]int, len(m.blocks))
	for i := range m.blocks {
		widths[i] = m.name + 1 + cellWidth(m.blocks[i].cells)
	}
	slot := max(leastSlot, usual(widths))
	slot = min(slot, m.width-gutter)
	slots := max(1, (m.width-gutter+blockGap)/(slot+blockGap))
	line, at := 0, 0
	for i := range m.blocks {
		b := &m.blocks[i]
		takes := min(slots, max(1, (widths[i]+blockGap+slot+blockGap-1)/(slot+blockGap)))
		if at+takes > slots {
			line, at = line+1, 0
		}
		b.line, b.x = line, gutter+at*(slot+blockGap)
		b.width = min(takes*(slot+blockGap)-blockGap, m.width-b.x)
		at += takes
	}
	if len(m.blocks) > 0 {
		m.lines = line + 1
	}
}

const (
	gutter    = 2  // before the first block, for the cursor
	leastSlot = 18 // so that a name and a label fit below
)

// usual is the width that three of four blocks fit into.
func usual(widths []int) int {
	if len(widths) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(widths))
	return sorted[len(sorted)*3/4]
}

// from is the first block of a row of blocks.
func (m *blockMap) from(line int) int {
	at, _ := slices.BinarySearchFunc(m.blocks, line, func(b block, line int) int { return cmp.Compare(b.line, line) })
	return at
}

// spot is a position in the map: a block and one of its rows.
type spot struct{ block, row int }

var nowhere = spot{-1, -1}

// find looks for a GPU.
func (m *blockMap) find(key string) spot {
	for i := range m.blocks {
		for j, r := range m.blocks[i].rows {
			if r.Key == key {
				return spot{i, j}
			}
		}
	}
	return nowhere
}

// lineOf is the row of blocks that a block is in, 0 for none.
func (m *blockMap) lineOf(block int) int {
	if block < 0 {
		return 0
	}
	return m.blocks[block].line
}

// beside is the GPU so many positions before or after another, the same at an
// end.
func (m *blockMap) beside(key string, by int) string {
	at := m.find(key)
	if at == nowhere {
		return key
	}
	i, row := at.block, at.row+by
	for row < 0 && i > 0 {
		i--
		row += len(m.blocks[i].rows)
	}
	for i < len(m.blocks)-1 && row >= len(m.blocks[i].rows) {
		row -= len(m.blocks[i].rows)
		i++
	}
	if row < 0 || row >= len(m.blocks[i].rows) {
		return key
	}
	return m.blocks[i].rows[row].Key
}
