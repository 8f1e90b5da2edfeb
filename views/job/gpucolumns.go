package job

import (
	"math"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// Titles of the columns of a rank's GPUs.
const (
	titleGPUs   = "GPUS"
	titleUse    = "GPU USE"
	titlePower  = gpurows.TitlePower
	titleTensor = gpurows.TitleTensor
	titleSM     = gpurows.TitleSM
	titleRead   = "READ"
)

// Numbers of GPUs are side by side on screens from this width on; a cell each
// on narrower ones. A rank of more GPUs than that shows the first ones.
const (
	numbersFrom  = 110
	mostNumbers  = 16
	numberCells  = 3
	percentCells = 5
)

// gpuColumns are those of a rank's GPUs.
func (t *ranksTab) gpuColumns() []draw.Column[rank] {
	return []draw.Column[rank]{
		{Title: titleUse, Importance: 75, Cell: t.gpuCells, Compare: columns.By(t.lowest)},
		{Title: titlePower, Importance: 53, Right: true, Cell: t.powerCell, Compare: t.byMean(train.GPUPower), Descending: true},
		{Title: titleTensor, Importance: 54, Right: true, Cell: t.meanCell(train.GPUTensorActive), Compare: t.byMean(train.GPUTensorActive)},
		{Title: titleSM, Importance: 54, Right: true, Cell: t.meanCell(train.GPUSMActive), Compare: t.byMean(train.GPUSMActive)},
		{Title: titleRead, Importance: 45, Right: true, Reserve: 5, Cell: t.readCell},
	}
}

// showGPUs shows the columns that have values.
func (t *ranksTab) showGPUs() {
	if t.Chose() {
		return // a person wants to see them
	}
	known := t.gpus.sum != nil
	for i := range t.Columns {
		switch c := &t.Columns[i]; c.Title {
		case titleGPUs:
			c.Wide = known // its cells show how many there are
		case titleUse, titleRead:
			c.Wide = !known
		case titlePower:
			c.Wide = !known || !t.gpus.reported[cellPower]
		case titleTensor:
			c.Wide = !known || !t.gpus.reported[cellTensor]
		case titleSM: // where nothing else is known
			c.Wide = !known || !t.gpus.reported[cellSM] || t.gpus.reported[cellTensor]
		}
	}
}

// gpusOf are the GPUs of a rank that were measured.
func (t *ranksTab) gpusOf(r rank) []*train.GPUState {
	if r.rankIndex >= len(t.gpus.ofRank) {
		return nil
	}
	return t.gpus.ofRank[r.rankIndex]
}

// gpuCells are the numbers of a rank's GPUs in the colour of each, or a cell
// for each and the mean where there is little room.
func (t *ranksTab) gpuCells(r rank, ink draw.Ink) draw.Cell {
	gpus := t.gpusOf(r)
	if len(gpus) == 0 {
		return columns.Dash(ink)
	}
	if len(gpus) > 2 && t.frame.Width < numbersFrom {
		return t.compact(r, gpus, ink)
	}
	kind := t.cells.inCells()
	spans := make([]draw.Span, 0, min(len(gpus), mostNumbers)+1)
	for i, state := range gpus {
		if i == mostNumbers {
			spans = append(spans, draw.Span{Text: " +" + draw.Count(len(gpus)-i), Role: themes.Dim})
			break
		}
		gap := " "
		if i == 0 {
			gap = ""
		}
		number, role := t.numberOf(state, kind, ink)
		spans = append(spans, draw.Span{Text: gap + draw.Fit(number, numberCells, true, ""), Role: role})
	}
	return draw.Cell{Spans: spans}
}

// numberOf is the number of a GPU's cell and its role: that of its heat or of
// its fault, or grey when it is old.
func (t *ranksTab) numberOf(state *train.GPUState, kind cellKind, ink draw.Ink) (string, themes.Role) {
	v, share, known := t.gpus.number(state, kind)
	fresh := state.Freshness(t.frame.Now())
	_, role := heat(ink.Theme, share, fresh, known)
	if !known {
		return ink.Theme.Glyphs.Unmeasured, role
	}
	if odd, is := t.gpuRole(state); is && fresh == train.Fresh {
		role = odd
	}
	return draw.Whole(v), role
}

func (t *ranksTab) compact(r rank, gpus []*train.GPUState, ink draw.Ink) draw.Cell {
	kind := t.cells.inCells()
	spans := make([]draw.Span, 0, len(gpus)+1)
	sum, n := 0.0, 0.0
	for i, state := range gpus {
		v, share, known := t.gpus.number(state, kind)
		if known {
			sum, n = sum+v, n+1
		}
		if i < mostNumbers {
			fresh := state.Freshness(t.frame.Now())
			glyph, role := heat(ink.Theme, share, fresh, known)
			if odd, is := t.gpuRole(state); is && known && fresh == train.Fresh {
				role = odd
			}
			spans = append(spans, draw.Span{Text: glyph, Role: role})
		}
	}
	mean := ink.Theme.Glyphs.Unmeasured
	if n > 0 {
		mean = draw.Whole(sum / n)
	}
	return draw.Cell{Spans: append(spans, draw.Span{Text: draw.Fit(mean, percentCells, true, ""), Role: themes.Text})}
}

// meanOf is the mean of a quantity over a rank's GPUs, and whether it is old.
func (t *ranksTab) meanOf(r rank, q train.Quantity) (mean float64, n int, fresh train.Freshness) {
	for _, state := range t.gpusOf(r) {
		if v, known := state.Values.Get(q); known {
			mean += v
			n++
			fresh = max(fresh, state.Freshness(t.frame.Now()))
		}
	}
	return mean / float64(max(1, n)), n, fresh
}

func aged(fresh train.Freshness) themes.Role {
	if fresh != train.Fresh {
		return themes.Dim
	}
	return themes.Text
}

func (t *ranksTab) meanCell(q train.Quantity) func(rank, draw.Ink) draw.Cell {
	return func(r rank, ink draw.Ink) draw.Cell {
		mean, n, fresh := t.meanOf(r, q)
		if n == 0 {
			return columns.Dash(ink)
		}
		return draw.Cell{Text: draw.Share(ink.Theme, mean, true), Role: aged(fresh)}
	}
}

// powerCell is the power of a rank's GPUs together. Where one of them does not
// report it, the sum would be too small.
func (t *ranksTab) powerCell(r rank, ink draw.Ink) draw.Cell {
	mean, n, fresh := t.meanOf(r, train.GPUPower)
	if n == 0 || n < len(t.gpusOf(r)) {
		return columns.Dash(ink)
	}
	return draw.Cell{Text: draw.Watts(ink.Theme, mean*float64(n), true), Role: aged(fresh)}
}

// readCell is how long ago the oldest of a rank's numbers was measured.
func (t *ranksTab) readCell(r rank, ink draw.Ink) draw.Cell {
	gpus := t.gpusOf(r)
	if len(gpus) == 0 {
		return columns.Dash(ink)
	}
	oldest := gpus[0]
	for _, state := range gpus[1:] {
		if state.At.Before(oldest.At) {
			oldest = state
		}
	}
	return draw.Cell{Text: ink.Ages.Since(oldest.At), Role: aged(oldest.Freshness(t.frame.Now()))}
}

// lowest is the use of a rank's least busy GPU: the others wait for that one.
// Ranks without a number come last.
func (t *ranksTab) lowest(r rank) float64 {
	lowest := math.Inf(1)
	for _, state := range t.gpusOf(r) {
		if v, known := state.Values.Get(train.GPUUtilization); known {
			lowest = min(lowest, v)
		}
	}
	return lowest
}

func (t *ranksTab) byMean(q train.Quantity) func(a, b rank) int {
	return columns.ByNumber(func(r rank) (float64, bool) {
		mean, n, _ := t.meanOf(r, q)
		return mean * float64(n), n > 0
	})
}

// sortSeconds is how long an order by GPU values is kept: the numbers change
// all the time, and rows that jump cannot be read.
const sortSeconds = 30

// sortVersion changes now and then while ranks are sorted by such numbers.
func (t *ranksTab) sortVersion(f views.Frame) uint64 {
	switch title, _ := t.Sorting(); title {
	case titleUse, titlePower, titleTensor, titleSM:
		return uint64(max(0, f.Now().Unix()/sortSeconds))
	}
	return 0
}
