package smi

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
	"github.com/traintop/traintop/views/draw"
)

// processTable lists the programs that use the GPUs.
type processTable struct{ rows[*processRow] }

// processRow is one process, or why a container told of none.
type processRow struct {
	*pod
	place   int
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
	t.First, t.FirstName = func(a, b *processRow) int { return cmp.Compare(a.place, b.place) }, "rank"
	t.Ref = func(r *processRow) train.Ref { return r.Target.PodRef() }
	t.Enter = func(r *processRow, _ views.Frame) views.Effect { return place(r.Target) }
	t.of = func(r *processRow) actions.Target { return r.Target }
	t.Detail = func(r *processRow) string {
		if r.process != nil && r.why == "" {
			return r.process.Name
		}
		return r.why
	}
	t.Sorts = map[keymap.Action]string{
		keymap.SortName: "PROCESS", keymap.SortStatus: "PROCESS", keymap.SortAge: "RANK", keymap.SortNS: "NODE", keymap.SortUse: "MEMORY",
		keymap.SortMemory: "MEMORY", keymap.SortHeat: "MEMORY", keymap.SortPower: "MEMORY",
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
					pod: p, place: len(all), process: x, why: why, gpu: cmp.Or(numbers[x.GPU], x.GPU),
					key: fmt.Sprint(p.Namespace, "/", p.Pod, "/", p.Name, " ", x.GPU, " ", x.PID),
				})
			}
			if len(p.processes) == 0 {
				all = append(all, &processRow{pod: p, place: len(all), why: cmp.Or(why, p.none()), key: p.Namespace + "/" + p.Pod + "/" + p.Name})
			}
		}
		return all
	})
}

// none says what an empty list may mean.
func (p *pod) none() string {
	if !p.answered(smi.Processes) {
		return ""
	}
	return "no process uses the GPUs, or the driver does not show them to the container"
}

func processColumns() []draw.Column[*processRow] {
	quiet := func(of func(*processRow) string) func(*processRow, draw.Ink) draw.Cell {
		return func(r *processRow, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(r), Role: themes.Dim} }
	}
	by := func(of func(*processRow) string) func(a, b *processRow) int {
		return func(a, b *processRow) int { return cmp.Compare(of(a), of(b)) }
	}
	podName := func(r *processRow) string { return r.Pod }
	node := func(r *processRow) string { return r.Node }
	return []draw.Column[*processRow]{
		{Title: "RANK", Importance: 100, Right: true, Max: 12, Cell: func(r *processRow, ink draw.Ink) draw.Cell { return draw.Cell{Text: rankOf(r.Target, ink)} }, Compare: func(a, b *processRow) int { return cmp.Compare(a.place, b.place) }},
		{Title: "GPU", Importance: 95, Max: 14, Cell: func(r *processRow, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.gpu} }, Compare: by(func(r *processRow) string { return r.gpu })},
		{Title: "POD", Importance: 50, Min: 10, Want: 18, Max: 40, Cell: quiet(podName), Compare: by(podName)},
		{Title: "NODE", Importance: 55, Min: 8, Want: 10, Max: 30, Cell: quiet(node), Compare: by(node)},
		{Title: "PID", Importance: 90, Right: true, Cell: func(r *processRow, _ draw.Ink) draw.Cell {
			if r.process == nil {
				return draw.Cell{}
			}
			return draw.Cell{Text: strconv.Itoa(r.process.PID)}
		}},
		{Title: "MEMORY", Importance: 92, Right: true, Cell: processMemory, Compare: func(a, b *processRow) int { return cmp.Compare(a.memory(), b.memory()) }, Descending: true},
		{Title: "PROCESS", Importance: 97, Min: 12, Want: 30, Grow: true, Cell: func(r *processRow, _ draw.Ink) draw.Cell {
			if r.process == nil || r.why != "" {
				return draw.Cell{Text: views.WithoutPod(r.Target, r.why), Role: themes.Waiting}
			}
			return draw.Cell{Text: r.process.Name}
		}, Compare: by(processName)},
	}
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
