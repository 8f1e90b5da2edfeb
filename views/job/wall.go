package job

import (
	"strconv"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// wallGroup cells stand together, so that ranks can be counted.
const wallGroup = 10

// drawWall draws one mark for each rank, in rank order. When there are more
// ranks than room, a mark stands for several and shows the oddest of them.
func (t *ranksTab) drawWall(f views.Frame, height int) []string {
	ranks := t.job.Ranks
	if len(ranks) == 0 || height < 2 {
		return nil
	}
	label := len(strconv.Itoa(ranks[len(ranks)-1].Index)) + 2
	perLine := max(1, (f.Width-label-1)/(wallGroup+1)) * wallGroup
	each := 1
	for (len(ranks)+each*perLine-1)/(each*perLine) > height-1 {
		each++
	}
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
			state := draw.Rank(f.Theme, oddest(ranks[at:min(len(ranks), at+each)]))
			line.Add(state.Role, state.Mark)
		}
		lines = append(lines, line.String())
	}
	if each > 1 {
		return append(lines, f.Line().Add(themes.Dim, " a mark is "+strconv.Itoa(each)+" ranks, as the oddest of them is").String())
	}
	return append(lines, "")
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
