package nodes

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// hideUnknown hides the columns that no source measures, unless they are
// requested with the wide ones.
func (v *View) hideUnknown(rows []entry) {
	known := map[string]bool{}
	note := func(title string, is bool) { known[title] = known[title] || is }
	for i := range rows {
		e := &rows[i]
		note(titleUse, e.gpus.useOf > 0)
		note(titleHour, e.gpus.useOf > 0)
		note(titleTemp, e.gpus.hottestOf > 0)
		note(titlePower, e.gpus.powerOf > 0)
		note(titleErrors, e.gpus.errors != "")
		for title, q := range rates {
			_, known := e.used(q)
			note(title, known)
		}
	}
	if v.Chose() {
		return // a person wants to see them
	}
	for i := range v.Columns {
		if is, measured := known[v.Columns[i].Title]; measured {
			v.Columns[i].Wide = !is
		}
	}
}

var rates = map[string]train.UsageQuantity{
	titleNetIn: train.UsedNetworkReceived, titleNetOut: train.UsedNetworkSent,
	titleRDMAIn: train.UsedRDMAReceived, titleRDMAOut: train.UsedRDMASent,
}

// used is the node's use of one resource.
func (e *entry) used(q train.UsageQuantity) (float64, bool) {
	if e.usage == nil {
		return 0, false
	}
	return e.usage.Values.Get(q)
}

// words name what slows GPUs or leaves them idle; hardware faults have a column
// of their own.
func (e *entry) words() []string {
	var words []string
	for _, s := range e.report.Node(e.Name) {
		t := gpurows.Trouble{Kind: s.Kind, Severity: s.Severity}
		if t.Alarming() && !t.Broken() && !isLink(s.Kind) && !slices.Contains(words, s.Word) {
			words = append(words, s.Word)
		}
	}
	return words
}

// measuredCells are one cell for each GPU or slice, nil where nothing was
// measured or there are too many.
func (e *entry) measuredCells(ink draw.Ink, total int) []draw.Span {
	if e.gpus.measured == 0 {
		return nil
	}
	rows := gpurows.Of(e.in, e.report, e.in.GPUsOn(e.Name), e.in.GPUsMissing(e.Name))
	if len(rows) > 2*maxCells || total > 2*maxCells {
		return nil
	}
	var spans []draw.Span
	for i := range rows {
		glyph, role := rows[i].Cell(ink.Theme, gpurows.ByJob, nil, ink.Ages.Now)
		for range rows[i].Cells() {
			if last := len(spans) - 1; last >= 0 && spans[last].Role == role {
				spans[last].Text += glyph
				continue
			}
			spans = append(spans, draw.Span{Text: glyph, Role: role})
		}
	}
	return spans
}

func (e *entry) faded(role themes.Role, known bool) themes.Role {
	if !known || e.gpus.stale {
		return themes.Dim
	}
	return role
}

func use(e entry, ink draw.Ink) draw.Cell {
	known := e.gpus.useOf > 0
	return draw.Cell{Text: draw.Percent(ink.Theme, e.gpus.use, known), Role: e.faded(themes.HeatRole(e.gpus.use/100), known)}
}

func temperature(e entry, ink draw.Ink) draw.Cell {
	known := e.gpus.hottestOf > 0
	return draw.Cell{Text: draw.Celsius(ink.Theme, e.gpus.hottest, known), Role: e.faded(themes.Text, known)}
}

func power(e entry, ink draw.Ink) draw.Cell {
	known := e.gpus.powerOf > 0
	return draw.Cell{Text: draw.Watts(ink.Theme, e.gpus.power, known), Role: e.faded(themes.Text, known)}
}

func errors(e entry, ink draw.Ink) draw.Cell {
	switch {
	case e.gpus.errors != "":
		return draw.Cell{Text: e.gpus.errors, Role: themes.Bad}
	case e.gpus.measured == 0:
		return columns.Unmeasured(ink)
	}
	return draw.Cell{Text: "none", Role: themes.Dim}
}

// hourCells is how many cells the last hour of a node has.
const hourCells = 10

// hour is the mean use of the node's GPUs over the last hour.
func hour(e entry, ink draw.Ink) draw.Cell {
	var sums, counts [hourCells]float32
	from := ink.Ages.Now.Add(-time.Hour)
	for _, state := range e.in.GPUsOn(e.Name) {
		var one [hourCells]float32
		gpurows.Hour(e.in, state, from, one[:])
		for i, v := range one {
			if v == v {
				sums[i], counts[i] = sums[i]+v, counts[i]+1
			}
		}
	}
	for i := range sums {
		if counts[i] == 0 {
			sums[i] = float32(math.NaN())
		} else {
			sums[i] /= counts[i]
		}
	}
	return draw.Cell{Text: gpurows.Spark(ink.Theme, sums[:]), Role: themes.Dim}
}

func rate(q train.UsageQuantity) func(entry, draw.Ink) draw.Cell {
	return func(e entry, ink draw.Ink) draw.Cell {
		v, known := e.used(q)
		return draw.Cell{Text: draw.Rate(ink.Theme, v, known), Role: e.fadedUsage(known, ink)}
	}
}

func (e *entry) fadedUsage(known bool, ink draw.Ink) themes.Role {
	if !known || e.usage.Freshness(ink.Ages.Now) != train.Fresh {
		return themes.Dim
	}
	return themes.Text
}

func cpuUsed(e entry, ink draw.Ink) draw.Cell {
	cores, known := e.used(train.UsedCPU)
	if !known {
		return columns.Unmeasured(ink)
	}
	return draw.Cell{Text: draw.Cores(int64(1000 * cores)), Role: e.fadedUsage(true, ink)}
}

func memoryUsed(e entry, ink draw.Ink) draw.Cell {
	bytes, known := e.used(train.UsedMemory)
	if !known {
		return columns.Unmeasured(ink)
	}
	return draw.Cell{Text: termtext.Quantity(int64(bytes)), Role: e.fadedUsage(true, ink)}
}

func byUsage(q train.UsageQuantity) func(a, b entry) int {
	return columns.ByNumber(func(e entry) (float64, bool) { return e.used(q) })
}
