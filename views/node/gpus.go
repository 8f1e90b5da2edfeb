package node

import (
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// gpuTable is the table of the node's GPUs.
type gpuTable struct {
	views.Rows[*gpurows.Row]
	reports    gpurows.Reports
	measuring  gpurows.Measuring
	top, lines int // position in the last drawing
}

func newGPUTable() gpuTable {
	var t gpuTable
	t.Noun = "GPU"
	t.Columns = gpurows.Columns().Named(gpurows.All[1:]...).Drawn()
	t.Key = func(r *gpurows.Row) string { return r.Key }
	t.Faulty = func(r *gpurows.Row) bool { return r.Trouble.Alarming() }
	t.First, t.FirstName = gpurows.ByPlace, "number"
	t.Ref = func(r *gpurows.Row) train.Ref {
		if r.GPU.Pod == "" {
			return train.Ref{}
		}
		return train.PodRef(r.GPU.Namespace, r.GPU.Pod, "")
	}
	t.Sorts = map[keymap.Action]string{keymap.SortStatus: gpurows.TitleTrouble, keymap.SortAge: gpurows.TitleAge}
	t.Enter = func(r *gpurows.Row, _ views.Frame) views.Effect {
		route := r.Route()
		if _, ofNode := route.(views.NodeRoute); ofNode {
			return views.Notice{Text: "no training job holds this GPU"}
		}
		return views.OpenScreen{Route: route}
	}
	return t
}

// load reads the GPUs that are or were measured; the pods below show who holds
// how many of the others.
func (t *gpuTable) load(f views.Frame, node string) {
	s := f.Snapshot
	t.Load(draw.Version{Data: s.GPUsVersion + s.JobsVersion + s.NodesVersion + t.reports.Number(f.Diagnosis)}, f.Ink(), func() []*gpurows.Row {
		rows := gpurows.Of(s, f.Diagnosis.Signals(), s.GPUsOn(node), s.GPUsMissing(node))
		t.measuring = gpurows.Measuring{}
		kept := rows[:0]
		for _, r := range rows {
			if len(r.Sources) > 0 {
				t.measuring.See(r.GPUState)
				kept = append(kept, r)
			}
		}
		return kept
	})
}

// do carries out an action while the cursor is among the GPUs.
func (t *gpuTable) do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	r, ok := t.Current()
	if !ok {
		return nil, false
	}
	switch action {
	case keymap.JumpOwner:
		return t.Enter(r, f), true
	case keymap.OpenDiagnosis:
		return views.Diagnosed(views.OpenScreen{Route: r.Route()}), true
	case keymap.OpenLogs, keymap.OpenPrevious:
		rank, is := r.Route().(views.RankRoute)
		if !is {
			return views.Notice{Text: "no rank of a training job holds this GPU", Failed: true}, true
		}
		return views.OpenScreen{Route: views.LogsRoute{Job: rank.Job, Ranks: []int{rank.Rank}, Previous: action == keymap.OpenPrevious}}, true
	}
	return t.Rows.Do(action, f)
}

// leastPods is how many lines the pods keep, titles included.
const leastPods = 5

// drawGPUs draws the table of GPUs below so many lines.
func (v *View) drawGPUs(f views.Frame, below int) []string {
	v.gpus.top, v.gpus.lines = below, 0
	room := min(v.gpus.Len()+1, (f.Height-below)*3/5, f.Height-below-leastPods)
	if v.onGPUs {
		room = max(room, min(v.gpus.Len()+1, f.Height-below-leastPods), 2)
	}
	if v.gpus.Len() == 0 || room < 2 {
		return nil
	}
	v.gpus.Resting = !v.onGPUs
	lines := append(v.gpus.Table.Render(f.Ink(), f.Width, room), "")
	v.gpus.lines = room
	return lines
}
