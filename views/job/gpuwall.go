package job

import (
	"strconv"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// rankStep is the step of ranks per line of the wall where each rank has
// several cells: machines have powers of two.
const rankStep = 8

// heatWall draws a cell for each GPU where they fit, or else for each rank, in
// rank order. Odd ones are drawn with a sign and in a role that no healthy cell
// has, and named below.
func (t *ranksTab) heatWall(f views.Frame, height int) []string {
	ranks := t.job.Ranks
	label := t.wallLabel()
	perLine := max(1, (f.Width-label-1)/(t.gpus.most+1))
	if perLine >= rankStep {
		perLine -= perLine % rankStep
	}
	if t.gpus.most > 1 && (len(ranks)+perLine-1)/perLine <= height-1 {
		return append(t.gpuLines(f, label, perLine), t.wallLegend(f, "a GPU"))
	}
	perLine = max(1, (f.Width-label-1)/(wallGroup+1)) * wallGroup
	each := t.ranksPerCell(perLine, height)
	what := "a rank"
	if each > 1 {
		what = strconv.Itoa(each) + " ranks"
	}
	lines := t.wallLines(f, label, perLine, each, func(from, to int) (string, themes.Role) { return t.heatOf(f, from, to) })
	return append(lines, t.wallLegend(f, what))
}

// gpuLines are the lines of a wall of GPUs: those of a rank are together.
func (t *ranksTab) gpuLines(f views.Frame, label, perLine int) []string {
	ranks := t.job.Ranks
	var lines []string
	for from := 0; from < len(ranks); from += perLine {
		line := f.Line().Fit(themes.Dim, strconv.Itoa(ranks[from].Index), label, true)
		for rankIndex := from; rankIndex < min(len(ranks), from+perLine); rankIndex++ {
			line.Add(themes.Text, " ")
			t.addGPUs(line, f, rankIndex)
		}
		lines = append(lines, line.String())
	}
	return lines
}

// addGPUs adds the cells of a rank's GPUs. A rank that is odd as a whole is
// marked in all of them.
func (t *ranksTab) addGPUs(line *draw.Line, f views.Frame, rankIndex int) {
	gpus := t.gpus.ofRank[rankIndex]
	marked := false
	for i := range t.gpus.most {
		if i >= len(gpus) {
			glyph, role := " ", themes.Dim
			if i < t.job.Ranks[rankIndex].GPUs {
				glyph, role = draw.Heat(f.Theme, 0, false)
			}
			line.Add(role, glyph)
			continue
		}
		_, share, known := t.gpus.number(gpus[i], t.cells)
		fresh := gpus[i].Freshness(f.Now())
		glyph, role := heat(f.Theme, share, fresh, known)
		if odd, is := t.gpuRole(gpus[i]); is && fresh == train.Fresh {
			role, glyph, marked = odd, oddSign(f.Theme, odd), true
		} else if odd := t.gpus.odd[rankIndex]; odd != nil && !marked && i == len(gpus)-1 {
			role, glyph = odd.role, oddSign(f.Theme, odd.role)
		}
		line.Add(role, glyph)
	}
}

// oddSign marks an odd cell: without colours only the sign shows it.
func oddSign(t *themes.Theme, role themes.Role) string {
	if role == themes.Bad {
		return t.Glyphs.Failed
	}
	return t.Glyphs.Warning
}

// heatOf is the cell of some ranks: that of the first odd one, or of one that
// does not run, or else their mean.
func (t *ranksTab) heatOf(f views.Frame, from, to int) (string, themes.Role) {
	sum, n := 0.0, 0.0
	old := train.Fresh
	waiting := -1
	for rankIndex := from; rankIndex < to; rankIndex++ {
		if odd := t.gpus.odd[rankIndex]; odd != nil {
			return oddSign(f.Theme, odd.role), odd.role
		}
		if waiting < 0 && draw.RankUrgency(t.job.Ranks[rankIndex].State) < calmUrgency {
			waiting = rankIndex
		}
		if share, fresh, known := t.gpus.shareOf(f, rankIndex, t.cells); known {
			sum, n, old = sum+share, n+1, max(old, fresh)
		}
	}
	if waiting >= 0 {
		state := draw.Rank(f.Theme, t.job.Ranks[waiting].State)
		return state.Mark, state.Role
	}
	return heat(f.Theme, sum/max(1, n), old, n > 0)
}

// wallLegend explains a cell, and names the odd ranks.
func (t *ranksTab) wallLegend(f views.Frame, what string) string {
	line := f.Line().Add(themes.Dim, " each cell is "+what+": "+t.cells.word())
	odd := 0
	for rankIndex, o := range t.gpus.odd {
		if o == nil {
			continue
		}
		text := " rank " + strconv.Itoa(t.job.Ranks[rankIndex].Index) + " " + draw.Clean(o.word)
		if odd++; line.Left() < draw.Width(text)+12 {
			continue
		}
		line.Add(themes.Text, "  ").Add(o.role, oddSign(f.Theme, o.role)+text)
	}
	if odd > 1 && line.Left() >= 9 {
		line.Add(themes.Dim, "  "+draw.Count(odd)+" odd")
	}
	return line.String()
}
