package job

import (
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// gpuFacts sums up the job's GPUs, with source and time of the measurements; ""
// without any.
func (v *View) gpuFacts(f views.Frame) string {
	g := f.Snapshot.JobGPUs(v.job)
	if g == nil {
		return ""
	}
	t := f.Theme
	role := themes.Strong
	if g.Fresh == 0 {
		role = themes.Dim
	}
	line, source := f.Line().Add(themes.Text, " "), measuredBy(f, g)
	fact := func(role themes.Role, what, value, more string) {
		if value != "" && line.Left() > draw.Width(what)+draw.Width(value)+draw.Width(more)+draw.Width(source)+2 {
			line.Add(themes.Dim, what).Add(role, value).Add(themes.Dim, more+"   ")
		}
	}
	if g.Mean.Known() {
		fact(role, "GPUs ", draw.Percent(t, g.Mean.Value, true), " busy")
	}
	if g.Lowest.Known() && draw.FarBelow(g.Lowest.Value, g.Mean.Value) {
		fact(themes.Waiting, "", "lowest "+draw.Percent(t, g.Lowest.Value, true), v.ofRank(f, g.LowestGPU))
	}
	if g.Measured < g.Wanted {
		fact(themes.Waiting, "", draw.Of(g.Measured, g.Wanted), " measured")
	}
	if g.MemoryUsed.Known() {
		fact(role, "memory ", draw.MiB(t, g.MemoryUsed.Value, true, g.MemoryTotal.Value, g.MemoryTotal.Known()), "")
	}
	if g.Power.Known() {
		fact(role, "", draw.WattsOf(t, g.Power.Value, true, g.PowerLimit.Value, g.PowerLimit.Known()), "")
	}
	switch {
	case g.TensorMean.Known():
		fact(role, "tensor ", draw.Share(t, g.TensorMean.Value, true), "")
	case g.SMMean.Known():
		fact(role, "SM ", draw.Share(t, g.SMMean.Value, true), "")
	}
	if g.Hottest.Known() {
		fact(role, "hottest ", draw.Celsius(t, g.Hottest.Value, true), "")
	}
	return line.Add(themes.Dim, source).String()
}

// measuredBy names the sources of a job's numbers and how old they are.
func measuredBy(f views.Frame, g *store.JobGPUs) string {
	names := make([]string, len(g.Sources))
	for i, source := range g.Sources {
		names[i] = source.String()
	}
	text := strings.Join(names, ", ")
	if age := f.Ages.Since(g.At); age != "" {
		text += " " + age + " ago"
	}
	return text
}

// ofRank names the rank that holds a GPU.
func (v *View) ofRank(f views.Frame, id train.GPUID) string {
	state := f.Snapshot.GPUState(id)
	if state == nil || state.Rank < 0 || len(v.job.Ranks) < 2 {
		return ""
	}
	return " on rank " + draw.Whole(float64(state.Rank))
}
