package job

import (
	"strconv"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// wallGroup cells are together, so that ranks can be counted.
const wallGroup = 10

// drawWall draws one mark for each rank, in rank order, or a cell for each GPU
// where they are measured. When there are more ranks than room, a mark
// represents several and shows the oddest of them.
func (t *ranksTab) drawWall(f views.Frame, height int) []string {
	ranks := t.job.Ranks
	if len(ranks) == 0 || height < 2 {
		return nil
	}
	if t.gpus.sum != nil && t.cells != cellState {
		return t.heatWall(f, height)
	}
	label := t.wallLabel()
	perLine := max(1, (f.Width-label-1)/(wallGroup+1)) * wallGroup
	each := t.ranksPerCell(perLine, height)
	lines := t.wallLines(f, label, perLine, each, func(from, to int) (string, themes.Role) {
		state := draw.Rank(f.Theme, oddest(ranks[from:to]))
		return state.Mark, state.Role
	})
	if each > 1 {
		return append(lines, f.Line().Add(themes.Dim, " a mark is "+strconv.Itoa(each)+" ranks, as the oddest of them is").String())
	}
	return append(lines, "")
}

// wallLabel is the width of the rank that a line begins with.
func (t *ranksTab) wallLabel() int {
	return len(strconv.Itoa(t.job.Ranks[len(t.job.Ranks)-1].Index)) + 2
}

// ranksPerCell is how many ranks share a cell so that all fit.
func (t *ranksTab) ranksPerCell(perLine, height int) int {
	each := 1
	for (len(t.job.Ranks)+each*perLine-1)/(each*perLine) > height-1 {
		each++
	}
	return each
}

// wallLines are lines of cells, each of some ranks.
func (t *ranksTab) wallLines(f views.Frame, label, perLine, each int, cellOf func(from, to int) (string, themes.Role)) []string {
	ranks := t.job.Ranks
	var lines []string
	for from := 0; from < len(ranks); from += each * perLine {
		line := f.Line().Fit(themes.Dim, strconv.Itoa(ranks[from].Index), label, true).Add(themes.Dim, " ")
		for cell := range perLine {
			at := from + cell*each
			if at >= len(ranks) {
				break
			}
			if cell > 0 && cell%wallGroup == 0 {
				line.Add(themes.Text, " ")
			}
			glyph, role := cellOf(at, min(len(ranks), at+each))
			line.Add(role, glyph)
		}
		lines = append(lines, line.String())
	}
	return lines
}

func oddest(ranks []train.Rank) train.RankState {
	odd := ranks[0].State
	for i := range ranks {
		if draw.RankUrgency(ranks[i].State) < draw.RankUrgency(odd) {
			odd = ranks[i].State
		}
	}
	return odd
}
