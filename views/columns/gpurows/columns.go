package gpurows

import (
	"cmp"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// Titles of the columns, for screens and commands that choose among them.
const (
	TitleNode     = "NODE"
	TitleGPU      = "GPU"
	TitleModel    = "MODEL"
	TitleHolder   = "JOB, RANK"
	TitlePod      = "POD"
	TitleJob      = "JOB"
	TitleRank     = "RANK"
	TitleUse      = "USE"
	TitleHour     = "1h"
	TitleLastHour = "LAST HOUR"
	TitleTensor   = "TENSOR"
	TitleMemory   = "MEMORY"
	TitleTemp     = "TEMP"
	TitlePower    = "POWER"
	TitleClock    = "CLOCK"
	TitleSM       = "SM"
	TitleXid      = "XID"
	TitleThrottle = "THROTTLED BY"
	TitleUUID     = "UUID"
	TitleAge      = "AGE"
	TitleTrouble  = "TROUBLE"
)

// All are the titles of all columns of GPUs, in order. The node is the first:
// tables of one node leave it out.
var All = []string{
	TitleNode, TitleGPU, TitleModel, TitleHolder, TitleUse, TitleHour, TitleTensor, TitleMemory, TitleTemp, TitlePower, TitleClock,
	TitleSM, "DRAM", "MEM TEMP", "NVLINK", "PCIE IN", TitleXid, "ECC", "REMAPPED", TitleThrottle, "SOURCE", TitleUUID, "BUS",
	TitleAge, TitleTrouble,
}

type (
	column = columns.Column[*Row]
	drawn  = draw.Column[*Row] // the part of a column that screens draw
)

// Columns are all columns that a table of GPUs may have. Ages are measured from
// the instant of the ink. A quantity that an exporter measures is one line here
// (measured, or onDemand among the wide ones), and its title in the lists of
// those who show it.
func Columns() columns.Set[*Row] {
	all := columns.Set[*Row]{
		{Column: drawn{Title: TitleNode, Importance: 100, Name: true, Min: 8, Want: 16, Max: 44, Cell: func(r *Row, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.GPU.Node} }, Compare: ByPlace}},
		{Column: drawn{Title: TitleGPU, Importance: 98, Min: 4, Max: 24, Cell: index, Compare: ByPlace}, Text: func(r *Row) string { return PrintedName(r.GPUState) }},
		{Column: drawn{Title: TitleModel, Importance: 30, Name: true, Min: 6, Want: 14, Max: 24, Cell: columns.Dim(func(r *Row) string { return shortModel(r.GPU.Model) }), Compare: columns.By(model)}, Text: model},
		{Column: drawn{Title: TitleHolder, Importance: 94, Name: true, Min: 10, Want: 20, Max: 44, Cell: holder, Compare: byHolder}},
		{Column: drawn{Title: TitlePod, Importance: 55, Name: true, Min: 10, Want: 18, Max: 40, Cell: columns.Dim(pod), Compare: columns.By(pod)}, Text: podText},
		{Column: drawn{Title: TitleJob, Importance: 80, Name: true, Min: 10, Max: 48, Cell: columns.Dim(job), Compare: byHolder}, Text: job},
		{Column: drawn{Title: TitleRank, Importance: 70, Right: true, Cell: columns.Dim(rank), Compare: columns.By(func(r *Row) int { return r.Rank })}, Text: rank},
		{Column: drawn{Title: TitleUse, Importance: 96, Right: true, Cell: use, Compare: columns.ByNumber(func(r *Row) (float64, bool) { return r.Use(time.Time{}) }), Descending: true}, Text: useText},
		{Column: drawn{Title: TitleHour, Importance: 40, Cell: hour}},
		{Column: drawn{Title: TitleLastHour, Importance: 40, Cell: lastHour}},
		measured(TitleTensor, 50, train.GPUTensorActive),
		{Column: drawn{Title: TitleMemory, Importance: 60, Right: true, Cell: memory, Compare: byQuantity(train.GPUMemoryUsed), Descending: true}, Text: memoryText},
		measured(TitleTemp, 70, train.GPUTemperature),
		{Column: drawn{Title: TitlePower, Importance: 75, Right: true, Cell: power, Compare: byQuantity(train.GPUPower), Descending: true}, Text: powerText},
		measured(TitleClock, 45, train.GPUSMClock),
		onDemand(TitleSM, train.GPUSMActive),
		onDemand("DRAM", train.GPUDRAMActive),
		onDemand("MEM TEMP", train.GPUMemoryTemp),
		onDemand("NVLINK", train.GPUNVLinkSent),
		onDemand("PCIE IN", train.GPUPCIeReceived),
		onDemand(TitleXid, train.GPUXid),
		onDemand("ECC", train.GPUECCUncorrected),
		onDemand("REMAPPED", train.GPURowsRemapped),
		{Column: drawn{Title: TitleThrottle, Importance: 18, Max: 32, Wide: true, Cell: throttle}},
		{Column: drawn{Title: "SOURCE", Importance: 16, Max: 32, Wide: true, Cell: source}},
		{Column: drawn{Title: TitleUUID, Importance: 10, Max: 44, Wide: true, Cell: columns.Dim(func(r *Row) string { return r.GPU.UUID })}},
		{Column: drawn{Title: "BUS", Importance: 8, Max: 20, Wide: true, Cell: columns.Dim(func(r *Row) string { return r.GPU.Bus })}},
		{Column: drawn{Title: TitleAge, Importance: 35, Right: true, Reserve: 5, Cell: age, Compare: func(a, b *Row) int { return b.At.Compare(a.At) }}},
		{Column: drawn{Title: TitleTrouble, Importance: 90, Min: 9, Want: 26, Grow: true, Wrap: true, Cell: trouble, Compare: ByTrouble}, Text: faults},
	}
	for i := range all {
		all[i].Most = mostPrinted
	}
	return all
}

// mostPrinted bounds a cell of a printed table: names of models and pods fit.
const mostPrinted = 59

// measured is the column of one quantity.
func measured(title string, importance int, q train.Quantity) column {
	return column{
		Column: drawn{Title: title, Importance: importance, Right: true, Cell: amount(q), Compare: byQuantity(q), Descending: true},
		Text:   func(r *Row) string { return printed(draw.Amount(columns.PlainInk().Theme, &r.Values, q)) },
	}
}

// onDemand is the column of a quantity that screens show among the wide ones.
func onDemand(title string, q train.Quantity) column {
	c := measured(title, 20, q)
	c.Wide = true
	return c
}

// ByTrouble orders faulty GPUs first, then by node and index.
func ByTrouble(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Trouble.Order(), b.Trouble.Order()), ByPlace(a, b))
}

// ByPlace orders by node, number and slice.
func ByPlace(a, b *Row) int {
	switch {
	case a.GPU.Node != b.GPU.Node:
		return draw.CompareNames(a.GPU.Node, b.GPU.Node)
	case before(&a.GPU, &b.GPU):
		return -1
	case before(&b.GPU, &a.GPU):
		return 1
	}
	return 0
}

func byHolder(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Rank, b.Rank), ByPlace(a, b))
}

func byQuantity(q train.Quantity) func(a, b *Row) int {
	return columns.ByNumber(func(r *Row) (float64, bool) { return r.Values.Get(q) })
}
