package jobrows

import (
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// useSpark is the length of the sparkline, and the time that it covers.
const (
	useSpark    = 6
	useSparkFor = 30 * time.Minute
	useStep     = useSparkFor / useSpark
)

// Widths in cells: "100 %", " ↓41" and the sparkline, so that they stay aligned
// while numbers change.
const (
	useCells    = 5
	lowestCells = 4
	usedCells   = useCells + lowestCells + 1 + useSpark
)

// useColumns are those from the GPUs of a job.
func (f *Facts) useColumns() columns.Set[*train.Job] {
	return columns.Set[*train.Job]{
		{Column: drawn{Title: TitleUse, Importance: 72, Min: useCells, Want: usedCells, Max: usedCells, Cell: f.Use, Compare: columns.ByNumber(f.meanUse), Descending: true}},
		{Column: drawn{Title: TitleMemory, Importance: 28, Right: true, Wide: true, Cell: f.gpuFact(func(ink draw.Ink, g *store.JobGPUs) string {
			return draw.MiB(ink.Theme, g.MemoryUsed.Value, g.MemoryUsed.Known(), g.MemoryTotal.Value, g.MemoryTotal.Known())
		})}},
		{Column: drawn{Title: TitlePower, Importance: 27, Right: true, Wide: true, Cell: f.gpuFact(func(ink draw.Ink, g *store.JobGPUs) string {
			return draw.WattsOf(ink.Theme, g.Power.Value, g.Power.Known(), g.PowerLimit.Value, g.PowerLimit.Known())
		})}},
	}
}

// gpusOf returns the measurements of a job that holds GPUs now, nil without
// any.
func (f *Facts) gpusOf(j job) *store.JobGPUs {
	if j.LogsOnly || j.GPUs == 0 || j.Phase.Terminal() || j.Phase == train.Queued || j.Phase == train.Suspended {
		return nil
	}
	return f.Snapshot.JobGPUs(j)
}

// noUse is the cell of a job without a number: a dash where there should be
// one.
func noUse(j job, ink draw.Ink) draw.Cell {
	if j.Phase == train.Running && j.GPUs > 0 {
		return draw.Cell{Text: draw.Fit(ink.Theme.Glyphs.Dash, useCells, true, ""), Role: themes.Dim}
	}
	return draw.Cell{}
}

// Use is the cell of the load of a job's GPUs: the mean, the lowest where that
// is far below, and the trend.
func (f *Facts) Use(j job, ink draw.Ink) draw.Cell {
	g := f.gpusOf(j)
	if g == nil || !g.Mean.Known() {
		return noUse(j, ink)
	}
	role := themes.Text
	if g.Fresh == 0 { // old numbers are greyed, and gone when they are too old
		role = themes.Dim
	}
	lowest, lowestRole := "", role
	if draw.FarBelow(g.Lowest.Value, g.Mean.Value) {
		lowest = ink.Theme.Glyphs.SortDown + draw.Whole(g.Lowest.Value)
		if g.Fresh > 0 {
			lowestRole = themes.Waiting
		}
	}
	var past [useSpark]float32
	newest := g.At.Truncate(useStep) // not of now: a step that has just begun has no number yet
	f.Snapshot.JobSpark(j, train.GPUUtilization, past[:], nil, newest.Add(useStep-useSparkFor), useStep)
	return draw.Cell{Spans: []draw.Span{
		{Text: draw.Fit(draw.Percent(ink.Theme, g.Mean.Value, true), useCells, true, ""), Role: role},
		{Text: " " + draw.Fit(lowest, lowestCells-1, false, ""), Role: lowestRole, Whole: true},
		{Text: " " + draw.SparkBetween(ink.Theme, past[:], 0, 100), Role: themes.Dim, Whole: true},
	}}
}

// gpuFact is a fact about a job's GPUs.
func (f *Facts) gpuFact(of func(draw.Ink, *store.JobGPUs) string) func(job, draw.Ink) draw.Cell {
	return func(j job, ink draw.Ink) draw.Cell {
		g := f.gpusOf(j)
		switch {
		case g == nil:
			return noUse(j, ink)
		case g.Fresh == 0:
			return draw.Cell{Text: of(ink, g), Role: themes.Dim}
		}
		return draw.Cell{Text: of(ink, g), Role: themes.Text}
	}
}

// meanUse is the mean load of the GPUs.
func (f *Facts) meanUse(j job) (percent float64, known bool) {
	if g := f.gpusOf(j); g != nil && g.Mean.Known() {
		return g.Mean.Value, true
	}
	return 0, false
}
