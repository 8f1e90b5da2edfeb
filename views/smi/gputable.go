package smi

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/smi"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/gpurows"
)

// table is what is shown of a tab that is no text.
type table interface {
	Do(keymap.Action, views.Frame) (views.Effect, bool)
	Click(x, y int, double bool, f views.Frame) views.Effect
	Wheel(lines int, f views.Frame)
	SetFilter(string) error
	Filter() string
	Flags() string
	Selected(views.Frame) []train.Ref
	Text(views.Frame) string
	Body(views.Frame, func() []string) []string
	// means reports whether the action is one of tables.
	means(keymap.Action) bool
	target() (actions.Target, bool)
}

func (v *View) table() table {
	if v.tab == tabProcesses {
		return &v.procs
	}
	return &v.gpus
}

// fill takes the rows of the table that is shown.
func (v *View) fill(f views.Frame) {
	if v.tab == tabProcesses {
		v.procs.load(v, f)
		return
	}
	v.gpus.load(v, f)
}

// rows is what both tables have in common.
type rows[R any] struct {
	views.Rows[R]
	of func(R) actions.Target
}

func (t *rows[R]) means(keymap.Action) bool { return true }

func (t *rows[R]) target() (actions.Target, bool) {
	row, ok := t.Current()
	if !ok {
		return actions.Target{}, false
	}
	return t.of(row), true
}

// place is the screen of the rank, else of the node.
func place(t actions.Target) views.Effect {
	switch {
	case t.Job != "" && t.Rank >= 0:
		return views.OpenScreen{Place: views.Place{Screen: "rank", Job: t.Job, Rank: t.Rank}}
	case t.Node != "":
		return views.OpenScreen{Place: views.Place{Screen: "node", Name: t.Node}}
	}
	return views.Notice{Text: "this pod is of no rank and on no node"}
}

// titleWhy is the column that says why there are no numbers, or only old ones.
const titleWhy = "WHY"

// gpuTable is the table of GPUs.
type gpuTable struct{ rows[*gpuRow] }

// gpuRow is one GPU, or why a container told of none.
type gpuRow struct {
	*pod
	place int
	gpu   *train.GPUReading // nil for none
	// processes is how many use it, -1 when nobody told.
	processes int
	why       string
	key       string
}

func (t *gpuTable) make() {
	t.Noun = "GPU"
	t.Columns = gpuColumns()
	t.Key = func(r *gpuRow) string { return r.key }
	t.Faulty = func(r *gpuRow) bool { return r.why != "" }
	t.First, t.FirstName = func(a, b *gpuRow) int { return cmp.Compare(a.place, b.place) }, "rank"
	t.Ref = func(r *gpuRow) train.Ref { return r.Target.PodRef() }
	t.Enter = func(r *gpuRow, _ views.Frame) views.Effect { return place(r.Target) }
	t.of = func(r *gpuRow) actions.Target { return r.Target }
	t.Detail = func(r *gpuRow) string { return r.why }
	t.Sorts = map[keymap.Action]string{
		keymap.SortName: "POD", keymap.SortStatus: titleWhy, keymap.SortAge: "RANK", keymap.SortNS: "NODE",
		keymap.SortUse: "USE", keymap.SortMemory: "MEMORY", keymap.SortHeat: "TEMP", keymap.SortPower: "POWER",
	}
}

func (t *gpuTable) load(v *View, f views.Frame) {
	t.Load(draw.Version{Data: v.version}, f.Ink(), func() []*gpuRow {
		var all []*gpuRow
		silent := false
		for _, p := range v.pods {
			counts := p.processCounts()
			why := p.why(smi.GPUs)
			silent = silent || why != ""
			for i := range p.readings {
				g := &p.readings[i]
				row := &gpuRow{pod: p, place: len(all), gpu: g, why: why, processes: -1, key: fmt.Sprint(p.Namespace, "/", p.Pod, "/", p.Name, " ", i)}
				if counts != nil && g.GPU.UUID != "" {
					row.processes = counts[g.GPU.UUID]
				}
				all = append(all, row)
			}
			if len(p.readings) == 0 {
				all = append(all, &gpuRow{pod: p, place: len(all), why: why, processes: -1, key: p.Namespace + "/" + p.Pod + "/" + p.Name})
			}
		}
		t.Columns[len(t.Columns)-1].Wide = !silent // where all is told there is nothing to say
		return all
	})
}

// processCounts counts the processes of each GPU by UUID, nil when nobody told.
func (p *pod) processCounts() map[string]int {
	a, told := p.answers[smi.Processes]
	if !told || a.Failure != nil || a.Exit != 0 || p.tool.Name != "nvidia-smi" {
		return nil
	}
	counts := map[string]int{}
	for _, process := range p.processes {
		counts[process.GPU]++
	}
	return counts
}

// stale reports whether the numbers are of an answer before the newest.
func (r *gpuRow) stale() bool { return r.why != "" }

type gpuColumn = draw.Column[*gpuRow]

func gpuColumns() []gpuColumn {
	quiet := func(of func(*gpuRow) string) func(*gpuRow, draw.Ink) draw.Cell {
		return func(r *gpuRow, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(r), Role: themes.Dim} }
	}
	by := func(of func(*gpuRow) string) func(a, b *gpuRow) int {
		return func(a, b *gpuRow) int { return cmp.Compare(of(a), of(b)) }
	}
	podName := func(r *gpuRow) string { return r.Pod }
	node := func(r *gpuRow) string { return r.Node }
	return []gpuColumn{
		{Title: "RANK", Importance: 100, Right: true, Max: 12, Cell: func(r *gpuRow, ink draw.Ink) draw.Cell { return draw.Cell{Text: rankOf(r.Target, ink)} }, Compare: func(a, b *gpuRow) int { return cmp.Compare(a.place, b.place) }},
		{Title: "GPU", Importance: 98, Cell: index, Compare: func(a, b *gpuRow) int { return cmp.Compare(a.place, b.place) }},
		{Title: "POD", Importance: 55, Min: 10, Want: 18, Max: 40, Cell: quiet(podName), Compare: by(podName)},
		{Title: "NODE", Importance: 60, Min: 8, Want: 10, Max: 30, Cell: quiet(node), Compare: by(node)},
		{Title: "MODEL", Importance: 25, Min: 6, Want: 12, Max: 24, Cell: quiet(func(r *gpuRow) string {
			if r.gpu == nil {
				return ""
			}
			return gpurows.Model(r.gpu.GPU.Model)
		})},
		{Title: "USE", Importance: 96, Right: true, Cell: use, Compare: compare(train.GPUUtilization), Descending: true},
		{Title: "MEMORY", Importance: 85, Right: true, Cell: memory, Compare: compare(train.GPUMemoryUsed), Descending: true},
		{Title: "TEMP", Importance: 80, Right: true, Cell: amount(train.GPUTemperature), Compare: compare(train.GPUTemperature), Descending: true},
		{Title: "POWER", Importance: 90, Right: true, Cell: power, Compare: compare(train.GPUPower), Descending: true},
		{Title: "CLOCK", Importance: 50, Right: true, Cell: amount(train.GPUSMClock), Compare: compare(train.GPUSMClock), Descending: true},
		{Title: "PROCS", Importance: 45, Right: true, Cell: processes, Compare: func(a, b *gpuRow) int { return cmp.Compare(a.processes, b.processes) }, Descending: true},
		{Title: "THROTTLED BY", Importance: 20, Max: 32, Wide: true, Cell: throttle},
		{Title: "UUID", Importance: 10, Max: 44, Wide: true, Cell: quiet(func(r *gpuRow) string {
			if r.gpu == nil {
				return ""
			}
			return r.gpu.GPU.UUID
		})},
		{Title: titleWhy, Importance: 91, Min: 4, Want: 24, Grow: true, Cell: func(r *gpuRow, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: views.WithoutPod(r.Target, r.why), Role: themes.Waiting}
		}, Compare: by(func(r *gpuRow) string { return r.why })},
	}
}

func rankOf(t actions.Target, ink draw.Ink) string {
	if t.Index < 0 {
		return ink.Theme.Glyphs.Dash
	}
	return t.Label
}

// index is the number in the pod, and the profile of a slice.
func index(r *gpuRow, ink draw.Ink) draw.Cell {
	if r.gpu == nil {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	g := &r.gpu.GPU
	text := cmp.Or(g.Index, ink.Theme.Glyphs.Untold)
	if g.MIG.Profile != "" || g.MIG.Instance != "" {
		text += " " + strings.TrimSpace(g.MIG.Profile+" #"+g.MIG.Instance)
	}
	return draw.Cell{Text: text}
}

func (r *gpuRow) get(q train.Quantity) (number float64, known bool) {
	if r.gpu == nil {
		return 0, false
	}
	return r.gpu.Values.Get(q)
}

func (r *gpuRow) role(known bool) themes.Role {
	if !known || r.stale() {
		return themes.Dim
	}
	return themes.Text
}

// number is the cell of a text that tells a number; nothing stands where
// there is no GPU.
func (r *gpuRow) number(text string, known bool) draw.Cell {
	if r.gpu == nil {
		return draw.Cell{}
	}
	return draw.Cell{Text: text, Role: r.role(known)}
}

func use(r *gpuRow, ink draw.Ink) draw.Cell {
	percent, known := r.get(train.GPUUtilization)
	cell := r.number(draw.Percent(ink.Theme, percent, known), known)
	if known && !r.stale() {
		cell.Role = themes.HeatRole(percent / 100)
	}
	return cell
}

func memory(r *gpuRow, ink draw.Ink) draw.Cell {
	used, known := r.get(train.GPUMemoryUsed)
	total, told := r.get(train.GPUMemoryTotal)
	return r.number(draw.MiB(ink.Theme, used, known, total, told), known)
}

func power(r *gpuRow, ink draw.Ink) draw.Cell {
	watts, known := r.get(train.GPUPower)
	limit, told := r.get(train.GPUPowerLimit)
	return r.number(draw.WattsOf(ink.Theme, watts, known, limit, told), known)
}

func amount(q train.Quantity) func(*gpuRow, draw.Ink) draw.Cell {
	return func(r *gpuRow, ink draw.Ink) draw.Cell {
		if r.gpu == nil {
			return draw.Cell{}
		}
		return r.number(draw.Amount(ink.Theme, &r.gpu.Values, q), r.gpu.Values.Known(q))
	}
}

func processes(r *gpuRow, ink draw.Ink) draw.Cell {
	if r.processes < 0 {
		return r.number(ink.Theme.Glyphs.Untold, false)
	}
	return r.number(strconv.Itoa(r.processes), true)
}

func throttle(r *gpuRow, _ draw.Ink) draw.Cell {
	bits, known := r.get(train.GPUThrottle)
	if !known {
		return draw.Cell{}
	}
	cell := draw.Cell{Role: themes.Dim}
	var names []string
	for _, reason := range train.ThrottleReasons {
		if uint64(bits)&reason.Bit != 0 {
			names = append(names, reason.Name)
			if reason.Bad {
				cell.Role = themes.Waiting
			}
		}
	}
	cell.Text = strings.Join(names, " ")
	return cell
}

// compare orders by a number; what is not known is less than any.
func compare(q train.Quantity) func(a, b *gpuRow) int {
	of := func(r *gpuRow) float64 {
		if v, known := r.get(q); known {
			return v
		}
		return math.Inf(-1)
	}
	return func(a, b *gpuRow) int { return cmp.Compare(of(a), of(b)) }
}
