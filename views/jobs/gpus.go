package jobs

import (
	"cmp"
	"math"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Titles of the columns of what GPUs do.
const (
	titleUse    = "GPU 30m"
	titleMemory = "GPU MEMORY"
	titlePower  = "GPU POWER"
)

// useSpark is how long the sparkline is, and how far it reaches back.
const (
	useSpark    = 6
	useSparkFor = 30 * time.Minute
	useStep     = useSparkFor / useSpark
)

// Widths in cells: "100 %", " ↓41" and the sparkline, so that they stand below
// each other while numbers move.
const (
	useCells    = 5
	lowestCells = 4
	usedCells   = useCells + lowestCells + 1 + useSpark
)

// used are the columns of what the GPUs of a job do.
func (v *View) used() []column {
	return []column{
		{Title: titleUse, Importance: 72, Min: useCells, Want: usedCells, Max: usedCells, Cell: v.use, Compare: v.byUse, Descending: true},
		{Title: titleMemory, Importance: 28, Right: true, Wide: true, Cell: v.gpuFact(func(ink draw.Ink, g *store.JobGPUs) string {
			return draw.MiB(ink.Theme, g.MemoryUsed.Value, g.MemoryUsed.Known(), g.MemoryTotal.Value, g.MemoryTotal.Known())
		})},
		{Title: titlePower, Importance: 27, Right: true, Wide: true, Cell: v.gpuFact(func(ink draw.Ink, g *store.JobGPUs) string {
			return draw.WattsOf(ink.Theme, g.Power.Value, g.Power.Known(), g.PowerLimit.Value, g.PowerLimit.Known())
		})},
	}
}

// gpusOf is what is measured of a job that holds GPUs now, nil when nothing is.
func (v *View) gpusOf(j job) *store.JobGPUs {
	if j.LogsOnly || j.GPUs == 0 || j.Phase.Terminal() || j.Phase == train.Queued || j.Phase == train.Suspended {
		return nil
	}
	return v.frame.Snapshot.JobGPUs(j)
}

// noUse is the cell of a job without a number: a dash where there should be one.
func noUse(j job, ink draw.Ink) draw.Cell {
	if j.Phase == train.Running && j.GPUs > 0 {
		return draw.Cell{Text: draw.Fit(ink.Theme.Glyphs.Dash, useCells, true, ""), Role: themes.Dim}
	}
	return draw.Cell{}
}

// use is how busy a job's GPUs are: the mean, the lowest where that is far
// below, and how it went.
func (v *View) use(j job, ink draw.Ink) draw.Cell {
	g := v.gpusOf(j)
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
	v.frame.Snapshot.JobSpark(j, train.GPUUtilization, past[:], nil, newest.Add(useStep-useSparkFor), useStep)
	return draw.Cell{Spans: []draw.Span{
		{Text: draw.Fit(draw.Percent(ink.Theme, g.Mean.Value, true), useCells, true, ""), Role: role},
		{Text: " " + draw.Fit(lowest, lowestCells-1, false, ""), Role: lowestRole, Whole: true},
		{Text: " " + draw.SparkBetween(ink.Theme, past[:], 0, 100), Role: themes.Dim, Whole: true},
	}}
}

// gpuFact is a fact of what a job's GPUs do.
func (v *View) gpuFact(of func(draw.Ink, *store.JobGPUs) string) func(job, draw.Ink) draw.Cell {
	return func(j job, ink draw.Ink) draw.Cell {
		g := v.gpusOf(j)
		switch {
		case g == nil:
			return noUse(j, ink)
		case g.Fresh == 0:
			return draw.Cell{Text: of(ink, g), Role: themes.Dim}
		}
		return draw.Cell{Text: of(ink, g), Role: themes.Text}
	}
}

// byUse orders by how busy the GPUs are; jobs without a number come last when
// the busiest are first.
func (v *View) byUse(a, b job) int {
	number := func(j job) float64 {
		if g := v.gpusOf(j); g != nil && g.Mean.Known() {
			return g.Mean.Value
		}
		return math.Inf(-1)
	}
	return cmp.Compare(number(a), number(b))
}

// measured reports whether anything is measured of GPUs at all: where nothing
// is, the column could only be empty.
func measured(s *store.Snapshot) bool {
	any := false
	s.MeasuredNodes(func(string, uint64) bool { any = true; return false })
	return any
}

// useVersion changes now and then while the list is sorted by how busy GPUs
// are: the numbers move all the time, and rows that jump cannot be read.
func (v *View) useVersion(f views.Frame) uint64 {
	if title, _ := v.Sorting(); title != titleUse {
		return 0
	}
	return uint64(max(0, f.Now().Unix()/useSorted))
}

// useSorted is how many seconds such an order stands.
const useSorted = 30
