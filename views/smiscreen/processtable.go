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

// Titles of its columns beside those of the pod.
const (
	titleGPU     = gpurows.TitleGPU
	titlePID     = "PID"
	titleMemory  = gpurows.TitleMemory
	titleProcess = "PROCESS"
)

// processTable lists the programs that use the GPUs.
type processTable struct{ rows[*processRow] }

// processRow is one process, or why a container reported none.
type processRow struct {
	*pod
	order   int
	process *smi.Process // nil for none
	gpu     string
	why     string
	key     string
}

func (t *processTable) make() {
	t.Noun = "process"
	t.Columns = processColumns()
	t.Key = func(r *processRow) string { return r.key }
	t.Faulty = func(r *processRow) bool { return r.why != "" }
	t.First, t.FirstName = func(a, b *processRow) int { return cmp.Compare(a.order, b.order) }, "rank"
	t.Ref = func(r *processRow) train.Ref { return r.Target.PodRef() }
	t.Enter = func(r *processRow, _ views.Frame) views.Effect { return openRank(r.Target) }
	t.of = func(r *processRow) actions.Target { return r.Target }
	t.Detail = func(r *processRow) string {
		if r.process != nil && r.why == "" {
			return r.process.Name
		}
		return r.why
	}
	t.Sorts = map[keymap.Action]string{
		keymap.SortName: titleProcess, keymap.SortStatus: titleProcess, keymap.SortAge: titleRank, keymap.SortNS: titleNode, keymap.SortUse: titleMemory,
		keymap.SortMemory: titleMemory, keymap.SortTemperature: titleMemory, keymap.SortPower: titleMemory,
	}
}

func (t *processTable) load(v *View, f views.Frame) {
	t.Load(draw.Version{Data: v.version}, f.Ink(), func() []*processRow {
		var all []*processRow
		for _, p := range v.pods {
			why := p.why(smi.Processes)
			numbers := map[string]string{}
			for i := range p.readings {
				numbers[p.readings[i].GPU.UUID] = p.readings[i].GPU.Index
			}
			for i := range p.processes {
				x := &p.processes[i]
				all = append(all, &processRow{
					pod: p, order: len(all), process: x, why: why, gpu: cmp.Or(numbers[x.GPU], x.GPU),
					key: fmt.Sprint(p.Namespace, "/", p.Pod, "/", p.Name, " ", x.GPU, " ", x.PID),
				})
			}
			if len(p.processes) == 0 {
				all = append(all, &processRow{pod: p, order: len(all), why: cmp.Or(why, p.none()), key: p.Namespace + "/" + p.Pod + "/" + p.Name})
			}
		}
		return all
	})
}

// none explains what an empty list may mean.
func (p *pod) none() string {
	if !p.answered(smi.Processes) {
		return ""
	}
	return "no process uses the GPUs, or the driver does not show them to the container"
}

func processColumns() []draw.Column[*processRow] {
	type drawn = draw.Column[*processRow]
	gpu := func(r *processRow) string { return r.gpu }
	all := append(podColumns(func(r *processRow) *pod { return r.pod }, func(r *processRow) int { return r.order }), columns.Set[*processRow]{
		{Column: drawn{Title: titleGPU, Importance: 95, Max: 14, Cell: func(r *processRow, _ draw.Ink) draw.Cell { return draw.Cell{Text: gpu(r)} }, Compare: columns.By(gpu)}},
		{Column: drawn{Title: titlePID, Importance: 90, Right: true, Cell: processID}},
		{Column: drawn{Title: titleMemory, Importance: 92, Right: true, Cell: processMemory, Compare: columns.By((*processRow).memory), Descending: true}},
		{Column: drawn{Title: titleProcess, Importance: 97, Min: 12, Want: 30, Grow: true, Cell: processCell, Compare: columns.By(processName)}},
	}...)
	return all.Named(titleRank, titleGPU, titlePod, titleNode, titlePID, titleMemory, titleProcess).Drawn()
}

func processID(r *processRow, _ draw.Ink) draw.Cell {
	if r.process == nil {
		return draw.Cell{}
	}
	return draw.Cell{Text: strconv.Itoa(r.process.PID)}
}

// processCell is the name of a program, or why it is unknown.
func processCell(r *processRow, _ draw.Ink) draw.Cell {
	if r.process == nil || r.why != "" {
		return draw.Cell{Text: views.WithoutPod(r.Target, r.why), Role: themes.Waiting}
	}
	return draw.Cell{Text: r.process.Name}
}

func (r *processRow) memory() float64 {
	if r.process == nil {
		return -2
	}
	return r.process.MemoryMiB
}

func processName(r *processRow) string {
	if r.process == nil {
		return ""
	}
	return r.process.Name
}

func processMemory(r *processRow, ink draw.Ink) draw.Cell {
	if r.process == nil {
		return draw.Cell{}
	}
	return draw.Cell{Text: draw.MiB(ink.Theme, r.process.MemoryMiB, r.process.MemoryMiB >= 0, 0, false)}
}
