package smiscreen

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/smi"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// table is the table of a tab that is not text.
type table interface {
	Do(keymap.Action, views.Frame) (views.Effect, bool)
	Click(x, y int, double bool, f views.Frame) views.Effect
	Wheel(lines int, f views.Frame)
	SetFilter(string) error
	Filter() string
	FilterLine() string
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

// fill loads the rows of the table that is shown.
func (v *View) fill(f views.Frame) {
	if v.tab == tabProcesses {
		v.procs.load(v, f)
		return
	}
	v.gpus.load(v, f)
}

// rows is the common part of both tables.
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

// openRank opens the rank, else the node.
func openRank(t actions.Target) views.Effect {
	switch {
	case t.Job != "" && t.Rank >= 0:
		return views.OpenScreen{Route: views.RankRoute{Job: t.Job, Rank: t.Rank}}
	case t.Node != "":
		return views.OpenScreen{Route: views.NodeRoute{Name: t.Node}}
	}
	return views.Notice{Text: "this pod is of no rank and on no node"}
}

// gpuTable is the table of GPUs.
type gpuTable struct{ rows[*gpuRow] }

// gpuRow is one GPU, or why a container reported none.
type gpuRow struct {
	*pod
	order int
	gpu   *gpurows.Row // nil for none
	// processes is how many use it, -1 when unknown.
	processes int
	why       string
	key       string
}

func (t *gpuTable) make() {
	t.Noun = "GPU"
	t.Columns = gpuColumns()
	t.Key = func(r *gpuRow) string { return r.key }
	t.Faulty = func(r *gpuRow) bool { return r.why != "" }
	t.First, t.FirstName = func(a, b *gpuRow) int { return cmp.Compare(a.order, b.order) }, "rank"
	t.Ref = func(r *gpuRow) train.Ref { return r.Target.PodRef() }
	t.Enter = func(r *gpuRow, _ views.Frame) views.Effect { return openRank(r.Target) }
	t.of = func(r *gpuRow) actions.Target { return r.Target }
	t.Detail = func(r *gpuRow) string { return r.why }
	t.Sorts = map[keymap.Action]string{
		keymap.SortName: titlePod, keymap.SortStatus: titleWhy, keymap.SortAge: titleRank, keymap.SortNS: titleNode,
		keymap.SortUse: gpurows.TitleUse, keymap.SortMemory: gpurows.TitleMemory, keymap.SortTemperature: gpurows.TitleTemp, keymap.SortPower: gpurows.TitlePower,
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
				row := &gpuRow{pod: p, order: len(all), gpu: gpurows.Read(g, why != ""), why: why, processes: -1, key: fmt.Sprint(p.Namespace, "/", p.Pod, "/", p.Name, " ", i)}
				if counts != nil && g.GPU.UUID != "" {
					row.processes = counts[g.GPU.UUID]
				}
				all = append(all, row)
			}
			if len(p.readings) == 0 {
				all = append(all, &gpuRow{pod: p, order: len(all), why: why, processes: -1, key: p.Namespace + "/" + p.Pod + "/" + p.Name})
			}
		}
		t.Columns[len(t.Columns)-1].Wide = !silent // where all is reported there is nothing to note
		return all
	})
}

// processCounts counts the processes of each GPU by UUID, nil when unknown.
func (p *pod) processCounts() map[string]int {
	a, known := p.answers[smi.Processes]
	if !known || a.Failure != nil || a.Exit != 0 || p.tool.Name != "nvidia-smi" {
		return nil
	}
	counts := map[string]int{}
	for _, process := range p.processes {
		counts[process.GPU]++
	}
	return counts
}

type gpuColumn = draw.Column[*gpuRow]

// Titles of the columns that only this screen has.
const (
	titleRank  = "RANK"
	titlePod   = "POD"
	titleNode  = "NODE"
	titleProcs = "PROCS"
	titleWhy   = "WHY" // why there are no numbers, or only old ones
)

var gpuTitles = []string{
	titleRank, gpurows.TitleGPU, titlePod, titleNode, gpurows.TitleModel, gpurows.TitleUse, gpurows.TitleMemory, gpurows.TitleTemp,
	gpurows.TitlePower, gpurows.TitleClock, titleProcs, gpurows.TitleThrottle, gpurows.TitleUUID, titleWhy,
}

// gpuColumns are those of the pod and of its tool's output, and among them
// those of every table of GPUs.
func gpuColumns() []gpuColumn {
	all := podColumns(func(r *gpuRow) *pod { return r.pod }, func(r *gpuRow) int { return r.order })
	all = append(all,
		columns.Column[*gpuRow]{Column: gpuColumn{Title: titleProcs, Importance: 44, Right: true, Cell: processes, Compare: columns.By(func(r *gpuRow) int { return r.processes }), Descending: true}},
		columns.Column[*gpuRow]{Column: gpuColumn{Title: titleWhy, Importance: 91, Min: 4, Want: 24, Grow: true, Cell: func(r *gpuRow, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: views.WithoutPod(r.Target, r.why), Role: themes.Waiting}
		}, Compare: columns.By(func(r *gpuRow) string { return r.why })}},
	)
	measured := columns.On(gpurows.Columns(), func(r *gpuRow) (*gpurows.Row, bool) { return r.gpu, r.gpu != nil })
	index := measured.Named(gpurows.TitleGPU)[0]
	cell := index.Cell
	index.Cell = func(r *gpuRow, ink draw.Ink) draw.Cell {
		if r.gpu == nil {
			return columns.Dash(ink)
		}
		return cell(r, ink)
	}
	all = append(append(all, index), measured...).Named(gpuTitles...)
	return all.Weigh(map[string]int{gpurows.TitleMemory: 72}).Drawn() // people look here for what fills the memory
}

func processes(r *gpuRow, ink draw.Ink) draw.Cell {
	switch {
	case r.gpu == nil:
		return draw.Cell{}
	case r.processes < 0:
		return columns.Unmeasured(ink)
	case r.gpu.Old:
		return draw.Cell{Text: strconv.Itoa(r.processes), Role: themes.Dim}
	}
	return draw.Cell{Text: strconv.Itoa(r.processes), Role: themes.Text}
}
