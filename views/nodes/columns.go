package nodes

import (
	"strconv"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

const (
	titleName   = "NAME"
	titleStatus = "STATUS"
	titleFree   = "FREE"
	titleAge    = "AGE"

	titleUse     = gpurows.TitleUse
	titleHour    = gpurows.TitleHour
	titleTemp    = gpurows.TitleTemp
	titlePower   = gpurows.TitlePower
	titleErrors  = "ERRORS"
	titleNetIn   = "NET IN"
	titleNetOut  = "NET OUT"
	titleRDMAIn  = "RDMA IN"
	titleRDMAOut = "RDMA OUT"
)

type column = draw.Column[entry]

func nodeColumns() []column {
	return []column{
		{Title: titleName, Importance: 100, Name: true, Min: 12, Want: 24, Max: 44, Cell: name, Compare: func(a, b entry) int { return draw.CompareNames(a.Name, b.Name) }},
		{Title: titleStatus, Importance: 95, Cell: status, Compare: columns.By(urgency)},
		{Title: "MODEL", Importance: 45, Min: 14, Max: 28, Cell: columns.Dim(model), Compare: columns.By(func(e entry) string { return e.Model })},
		{Title: "GPUS", Importance: 85, Right: true, Cell: gpus, Compare: columns.By(func(e entry) int { return e.Allocatable }), Descending: true},
		{Title: titleFree, Importance: 80, Right: true, Cell: free, Compare: columns.By(func(e entry) int { return e.free.Free }), Descending: true},
		{Title: "HELD", Importance: 70, Cell: cells},
		{Title: titleUse, Importance: 74, Right: true, Cell: use, Compare: columns.ByNumber(func(e entry) (float64, bool) { return e.gpus.use, e.gpus.useOf > 0 }), Descending: true},
		{Title: titleHour, Importance: 28, Cell: hour},
		{Title: titleTemp, Importance: 56, Right: true, Cell: temperature, Compare: columns.ByNumber(func(e entry) (float64, bool) { return e.gpus.hottest, e.gpus.hottestOf > 0 }), Descending: true},
		{Title: titlePower, Importance: 54, Right: true, Cell: power, Compare: columns.ByNumber(func(e entry) (float64, bool) { return e.gpus.power, e.gpus.powerOf > 0 }), Descending: true},
		{Title: titleErrors, Importance: 72, Min: 6, Want: 8, Max: 24, Cell: errors, Compare: columns.By(func(e entry) string { return e.gpus.errors }), Descending: true},
		{Title: titleNetIn, Importance: 26, Right: true, Cell: rate(train.UsedNetworkReceived), Compare: byUsage(train.UsedNetworkReceived), Descending: true},
		{Title: titleNetOut, Importance: 26, Right: true, Cell: rate(train.UsedNetworkSent), Compare: byUsage(train.UsedNetworkSent), Descending: true},
		{Title: titleRDMAIn, Importance: 27, Right: true, Cell: rate(train.UsedRDMAReceived), Compare: byUsage(train.UsedRDMAReceived), Descending: true},
		{Title: titleRDMAOut, Importance: 27, Right: true, Cell: rate(train.UsedRDMASent), Compare: byUsage(train.UsedRDMASent), Descending: true},
		{Title: "PODS", Importance: 30, Right: true, Cell: columns.Dim(func(e entry) string { return strconv.Itoa(e.Pods) }), Compare: columns.By(func(e entry) int { return e.Pods }), Descending: true},
		{Title: "CPU", Importance: 24, Right: true, Wide: true, Cell: columns.Dim(func(e entry) string { return draw.Cores(e.CPUHeld) + "/" + draw.Cores(e.CPU) })},
		{Title: "MEMORY", Importance: 24, Right: true, Wide: true, Cell: columns.Dim(func(e entry) string { return termtext.Quantity(e.MemoryHeld) + "/" + termtext.Quantity(e.Memory) })},
		{Title: "CPU USED", Importance: 22, Right: true, Wide: true, Cell: cpuUsed, Compare: byUsage(train.UsedCPU), Descending: true},
		{Title: "MEM USED", Importance: 22, Right: true, Wide: true, Cell: memoryUsed, Compare: byUsage(train.UsedMemory), Descending: true},
		{Title: "ZONE", Importance: 15, Name: true, Max: 24, Wide: true, Cell: columns.Dim(func(e entry) string { return e.Zone })},
		{Title: "KUBELET", Importance: 12, Max: 20, Wide: true, Cell: columns.Dim(func(e entry) string { return e.Kubelet })},
		{Title: "ROLES", Importance: 14, Max: 24, Wide: true, Cell: columns.Dim(func(e entry) string { return strings.Join(e.Roles, ",") })},
		{Title: titleAge, Importance: 40, Right: true, Reserve: 5, Cell: func(e entry, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(e.Created), Role: themes.Dim}
		}, Compare: func(a, b entry) int { return b.Created.Compare(a.Created) }},
		{Title: "BY WHOM, TROUBLE", Importance: 75, Min: 12, Want: 20, Share: 20, Grow: true, Cell: holders},
	}
}

func name(e entry, _ draw.Ink) draw.Cell {
	role := themes.Text
	if urgency(e) == 0 {
		role = themes.Strong
	}
	return draw.Cell{Text: e.Name, Role: role}
}

// model is the accelerator's name without the vendor, which would fill a narrow
// column on every row.
func model(e entry) string { return strings.TrimPrefix(e.Model, "NVIDIA-") }

func status(e entry, ink draw.Ink) draw.Cell {
	g := &ink.Theme.Glyphs
	switch {
	case !e.Ready:
		return draw.Cell{Text: g.Failed + " not ready", Role: themes.Bad}
	case e.Cordoned:
		return draw.Cell{Text: g.Suspended + " cordoned", Role: themes.Waiting}
	case e.Trouble != "":
		return draw.Cell{Text: g.Warning + " trouble", Role: themes.Bad}
	}
	return draw.Cell{Text: g.Running + " ready", Role: themes.Good}
}

// gpus is "held/allocatable", MIG slices apart.
func gpus(e entry, ink draw.Ink) draw.Cell {
	if e.Capacity == 0 && e.All() == 0 {
		return columns.Dash(ink)
	}
	role := themes.Text
	if e.Allocatable < e.Capacity {
		role = themes.Bad
	}
	return draw.Cell{Text: draw.DevicesOf(e.Held, e.Allocatable, e.Slices.Held, e.Slices.Allocatable), Role: role}
}

func free(e entry, ink draw.Ink) draw.Cell {
	switch {
	case e.Capacity == 0 && e.All() == 0:
		return columns.Dash(ink)
	case e.free.Free == 0:
		return draw.Cell{Text: "0", Role: themes.Dim}
	case views.PodsOutOfSight(e.in):
		return draw.Cell{Text: "<=" + draw.Devices(e.free.Free, e.free.Slices), Role: themes.Dim}
	}
	return draw.Cell{Text: draw.Devices(e.free.Free, e.free.Slices), Role: themes.Good}
}

// maxCells is how many accelerators are drawn as cells; a node that is cut into
// more slices gets a bar of this many.
const maxCells = 16

// cells draws one cell per accelerator, coloured by its holder; its height is
// the load where that is measured.
func cells(e entry, ink draw.Ink) draw.Cell {
	total := max(e.Capacity, e.All())
	if total <= 0 {
		return draw.Cell{}
	}
	if measured := e.measuredCells(ink, total); measured != nil {
		return draw.Cell{Spans: measured}
	}
	per := (total + maxCells - 1) / maxCells
	g := &ink.Theme.Glyphs
	var spans []draw.Span
	left := (total + per - 1) / per
	add := func(glyph string, gpus int, role themes.Role) {
		n := min(left, (gpus+per-1)/per)
		if n > 0 {
			spans = append(spans, draw.Span{Text: strings.Repeat(glyph, n), Role: role})
			left -= n
		}
	}
	for _, h := range held(e) {
		add(g.Full, h.gpus, ink.Theme.NameRole(h.name))
	}
	add(g.Broken, e.Capacity-e.Allocatable, themes.Bad)
	add(g.Free, left*per, themes.BarEmpty)
	return draw.Cell{Spans: spans}
}

// holding is a holder and how many accelerators of a node it holds.
type holding struct {
	name string
	gpus int
}

// held sums a node's holders by job, in the order of the pods; pods of no job
// are listed by themselves.
func held(e entry) []holding {
	var sums []holding
next:
	for _, h := range e.Holders {
		name := h.Pod
		if job := e.in.JobOf(kinds.PodKind, h.Namespace, h.Pod); job != nil {
			name = job.Ref.Name
		}
		for i := range sums {
			if sums[i].name == name {
				sums[i].gpus += h.GPUs
				continue next
			}
		}
		sums = append(sums, holding{name, h.GPUs})
	}
	return sums
}

// holders names who holds the accelerators; a fault of the node comes first.
func holders(e entry, ink draw.Ink) draw.Cell {
	var spans []draw.Span
	separate := func() {
		if len(spans) > 0 {
			spans = append(spans, draw.Span{Text: "  ", Role: themes.Dim})
		}
	}
	if e.Trouble != "" {
		spans = append(spans, draw.Span{Text: views.Trouble(e.Node, ink.Ages), Role: themes.Bad})
	}
	for _, word := range e.words() {
		separate()
		spans = append(spans, draw.Span{Text: word, Role: themes.Waiting})
	}
	for _, h := range held(e) {
		separate()
		spans = append(spans,
			draw.Span{Text: h.name, Role: ink.Theme.NameRole(h.name)},
			draw.Span{Text: " " + strconv.Itoa(h.gpus), Role: themes.Dim})
	}
	if taints := foreign(e.Node); taints != "" {
		separate()
		spans = append(spans, draw.Span{Text: taints, Role: themes.Dim})
	}
	if len(spans) == 0 {
		return draw.Cell{}
	}
	return draw.Cell{Spans: spans}
}

// foreign are the taints that nothing else in the row shows.
func foreign(n *train.Node) string {
	var others []string
	for _, taint := range n.Taints {
		if !strings.HasPrefix(taint, "node.kubernetes.io/") && !strings.HasPrefix(taint, "nvidia.com/gpu") {
			others = append(others, taint)
		}
	}
	return strings.Join(others, " ")
}
