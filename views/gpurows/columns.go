package gpurows

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Titles of the columns that keys sort by.
const (
	TitleNode    = "NODE"
	TitleJob     = "JOB, RANK"
	TitleUse     = "USE"
	TitleMemory  = "MEMORY"
	TitleTemp    = "TEMP"
	TitlePower   = "POWER"
	TitleTrouble = "TROUBLE"
	TitleAge     = "AGE"
)

type column = draw.Column[*Row]

// Columns are those of a table of GPUs. Ages are measured from the instant of
// the ink. withNode leaves the node out where all rows are one's.
func Columns(withNode bool) []column {
	all := []column{
		{Title: TitleNode, Importance: 100, Min: 8, Want: 16, Max: 44, Cell: func(r *Row, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.GPU.Node} }, Compare: ByPlace},
		{Title: "GPU", Importance: 98, Min: 4, Max: 24, Cell: index, Compare: ByPlace},
		{Title: "MODEL", Importance: 30, Min: 6, Want: 14, Max: 24, Cell: func(r *Row, _ draw.Ink) draw.Cell { return draw.Cell{Text: Model(r.GPU.Model), Role: themes.Dim} }, Compare: func(a, b *Row) int { return cmp.Compare(a.GPU.Model, b.GPU.Model) }},
		{Title: TitleJob, Importance: 94, Min: 10, Want: 20, Max: 44, Cell: holder, Compare: byHolder},
		{Title: TitleUse, Importance: 96, Right: true, Cell: use, Compare: by(func(r *Row) (float64, bool) { return r.Use(time.Time{}) }), Descending: true},
		{Title: "1h", Importance: 40, Cell: hour},
		{Title: "TENSOR", Importance: 50, Right: true, Cell: amount(train.GPUTensorActive), Compare: of1(train.GPUTensorActive), Descending: true},
		{Title: TitleMemory, Importance: 60, Right: true, Cell: memory, Compare: of1(train.GPUMemoryUsed), Descending: true},
		{Title: TitleTemp, Importance: 70, Right: true, Cell: amount(train.GPUTemperature), Compare: of1(train.GPUTemperature), Descending: true},
		{Title: TitlePower, Importance: 75, Right: true, Cell: power, Compare: of1(train.GPUPower), Descending: true},
		{Title: "CLOCK", Importance: 45, Right: true, Cell: amount(train.GPUSMClock), Compare: of1(train.GPUSMClock), Descending: true},
	}
	all = append(all, wideColumns()...)
	all = append(all,
		column{Title: TitleAge, Importance: 35, Right: true, Cell: age, Compare: func(a, b *Row) int { return b.At.Compare(a.At) }},
		column{Title: TitleTrouble, Importance: 90, Min: 9, Want: 26, Grow: true, Cell: trouble, Compare: func(a, b *Row) int { return cmp.Or(cmp.Compare(a.Trouble.Rank(), b.Trouble.Rank()), ByPlace(a, b)) }},
	)
	if !withNode {
		return all[1:]
	}
	return all
}

func wideColumns() []column {
	wide := func(title string, q train.Quantity) column {
		return column{Title: title, Importance: 20, Right: true, Wide: true, Cell: amount(q), Compare: of1(q), Descending: true}
	}
	return []column{
		wide("SM", train.GPUSMActive), wide("DRAM", train.GPUDRAMActive), wide("MEM TEMP", train.GPUMemoryTemp),
		wide("NVLINK", train.GPUNVLinkSent), wide("PCIE IN", train.GPUPCIeReceived), wide("XID", train.GPUXid), wide("ECC", train.GPUECCUncorrected), wide("REMAPPED", train.GPURowsRemapped),
		{Title: "THROTTLED BY", Importance: 18, Max: 32, Wide: true, Cell: throttle},
		{Title: "SOURCE", Importance: 16, Max: 32, Wide: true, Cell: source},
		{Title: "UUID", Importance: 10, Max: 44, Wide: true, Cell: func(r *Row, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.GPU.UUID, Role: themes.Dim} }},
		{Title: "BUS", Importance: 8, Max: 20, Wide: true, Cell: func(r *Row, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.GPU.Bus, Role: themes.Dim} }},
	}
}

// ByTrouble puts what is wrong on top, then orders by place.
func ByTrouble(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Trouble.Rank(), b.Trouble.Rank()), ByPlace(a, b))
}

// ByPlace orders by node, number and slice.
func ByPlace(a, b *Row) int {
	switch {
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

// by orders by a number; what is not known is less than any.
func by(of func(*Row) (float64, bool)) func(a, b *Row) int {
	return func(a, b *Row) int {
		x, known := of(a)
		if !known {
			x = math.Inf(-1)
		}
		y, known := of(b)
		if !known {
			y = math.Inf(-1)
		}
		return cmp.Compare(x, y)
	}
}

func of1(q train.Quantity) func(a, b *Row) int {
	return by(func(r *Row) (float64, bool) { return r.Values.Get(q) })
}

// index is the number with the slice's profile or how many share it.
func index(r *Row, ink draw.Ink) draw.Cell {
	text := r.GPU.Index
	switch {
	case !named(&r.GPU):
		return draw.Cell{Text: strconv.Itoa(r.Cells()) + "x", Role: themes.Dim}
	case text == "":
		text = ink.Theme.Glyphs.Untold
	}
	if r.GPU.MIG.Instance != "" || r.GPU.MIG.Profile != "" {
		text += " " + strings.TrimSpace(r.GPU.MIG.Profile+" #"+r.GPU.MIG.Instance)
	}
	if r.Sharing > 1 {
		text += " shared by " + strconv.Itoa(r.Sharing)
	} else if r.GPU.Share != "" {
		text += " share " + r.GPU.Share
	}
	return draw.Cell{Text: text}
}

// holder is "job · rank", the pod of no job, or that it is free.
func holder(r *Row, ink draw.Ink) draw.Cell {
	name := r.Name()
	switch {
	case r.Vacant && !r.Trouble.Broken():
		return draw.Cell{Text: "free", Role: themes.Good}
	case name == "":
		return draw.Cell{Text: ink.Theme.Glyphs.Untold, Role: themes.Dim}
	case r.Job == nil || r.Rank < 0:
		return draw.Cell{Text: name, Role: ink.Theme.NameRole(name)}
	}
	return draw.Cell{Spans: []draw.Span{
		{Text: name, Role: ink.Theme.NameRole(name)},
		{Text: " " + ink.Theme.Glyphs.Dot + " " + strconv.Itoa(r.Rank), Role: themes.Dim},
	}}
}

// faded is the role of a number that may be old.
func (r *Row) faded(role themes.Role, now time.Time) themes.Role {
	if r.Freshness(now) != train.Fresh {
		return themes.Dim
	}
	return role
}

func use(r *Row, ink draw.Ink) draw.Cell {
	percent, known := r.Use(ink.Ages.Now)
	cell := draw.Cell{Text: draw.Percent(ink.Theme, percent, known), Role: themes.Dim}
	if known {
		cell.Role = r.faded(themes.HeatRole(percent/100), ink.Ages.Now)
	}
	return cell
}

// amount is the cell of one quantity with its unit.
func amount(q train.Quantity) func(*Row, draw.Ink) draw.Cell {
	return func(r *Row, ink draw.Ink) draw.Cell {
		if !r.Measured(ink.Ages.Now) {
			return draw.Cell{Text: ink.Theme.Glyphs.Untold, Role: themes.Dim}
		}
		cell := draw.Cell{Text: draw.Amount(ink.Theme, &r.Values, q), Role: themes.Dim}
		if r.Values.Known(q) {
			cell.Role = r.faded(themes.Text, ink.Ages.Now)
		}
		return cell
	}
}

func memory(r *Row, ink draw.Ink) draw.Cell {
	used, known := r.Get(train.GPUMemoryUsed, ink.Ages.Now)
	total, told := r.Get(train.GPUMemoryTotal, ink.Ages.Now)
	return draw.Cell{Text: draw.MiB(ink.Theme, used, known, total, told), Role: r.known(known, ink)}
}

func power(r *Row, ink draw.Ink) draw.Cell {
	watts, known := r.Get(train.GPUPower, ink.Ages.Now)
	limit, told := r.Get(train.GPUPowerLimit, ink.Ages.Now)
	return draw.Cell{Text: draw.WattsOf(ink.Theme, watts, known, limit, told), Role: r.known(known, ink)}
}

func (r *Row) known(known bool, ink draw.Ink) themes.Role {
	if !known {
		return themes.Dim
	}
	return r.faded(themes.Text, ink.Ages.Now)
}

func throttle(r *Row, ink draw.Ink) draw.Cell {
	bits, known := r.Get(train.GPUThrottle, ink.Ages.Now)
	if !known {
		return draw.Cell{Text: ink.Theme.Glyphs.Untold, Role: themes.Dim}
	}
	role := themes.Dim
	var names []string
	for _, reason := range train.ThrottleReasons {
		if uint64(bits)&reason.Bit != 0 {
			names = append(names, reason.Name)
			if reason.Bad {
				role = themes.Waiting
			}
		}
	}
	return draw.Cell{Text: strings.Join(names, " "), Role: role}
}

func source(r *Row, ink draw.Ink) draw.Cell {
	if len(r.Sources) == 0 {
		return draw.Cell{Text: "not measured", Role: themes.Dim}
	}
	names := make([]string, len(r.Sources))
	for i, s := range r.Sources {
		names[i] = s.String()
	}
	return draw.Cell{Text: strings.Join(names, ", "), Role: themes.Dim}
}

func age(r *Row, ink draw.Ink) draw.Cell {
	if len(r.Sources) == 0 || r.At.IsZero() {
		return draw.Cell{Text: ink.Theme.Glyphs.Untold, Role: themes.Dim}
	}
	return draw.Cell{Text: ink.Ages.Since(r.At), Role: themes.Dim}
}

func trouble(r *Row, ink draw.Ink) draw.Cell {
	switch {
	case r.Trouble != nil:
		return draw.Cell{Spans: r.Trouble.Spans()}
	case r.OfJob != nil:
		return draw.Cell{Spans: r.OfJob.Spans()}
	case len(r.Sources) > 0 && r.Freshness(ink.Ages.Now) == train.Expired:
		return draw.Cell{Text: "not measured for " + ink.Ages.Since(r.At), Role: themes.Dim}
	case len(r.Sources) == 0:
		return draw.Cell{Text: "not measured", Role: themes.Dim}
	}
	return draw.Cell{}
}
