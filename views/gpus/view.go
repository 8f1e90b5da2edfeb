package gpus

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

type row = gpurows.Row

// View is the screen of all GPUs.
type View struct {
	views.Rows[*row]
	all     []*row // before the filter
	parts   parts
	by      gpurows.By
	limits  gpurows.Limits
	summary summary
	reports gpurows.Reports
	blocks  blockMap
	drawn   drawn
}

// parts are the parts of the screen that are shown.
type parts uint8

// In the order in which a key cycles through them.
const (
	both parts = iota
	mapOnly
	tableOnly

	partsCount
)

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "GPU"
	v.Columns = gpurows.Columns().Named(gpurows.All...).Drawn()
	v.Key = func(r *row) string { return r.Key }
	v.Faulty = func(r *row) bool { return r.Trouble.Alarming() || r.OfJob.Alarming() }
	v.First, v.FirstName = gpurows.ByTrouble, "trouble"
	v.Ref = refOf
	v.Sorts = map[keymap.Action]string{
		keymap.SortName: gpurows.TitleNode, keymap.SortAge: gpurows.TitleAge, keymap.SortStatus: gpurows.TitleTrouble,
		keymap.SortUse: gpurows.TitleUse, keymap.SortMemory: gpurows.TitleMemory, keymap.SortTemperature: gpurows.TitleTemp,
		keymap.SortPower: gpurows.TitlePower, keymap.SortErrors: gpurows.TitleTrouble,
	}
	v.Enter = func(r *row, _ views.Frame) views.Effect { return views.OpenScreen{Route: r.Route()} }
	v.Detail = detail
	return v
}

// Selected are the pods that hold the marked GPUs, or the one under the cursor;
// where none does, their nodes, in whose pods nvidia-smi is run.
func (v *View) Selected(f views.Frame) []train.Ref {
	all := v.Rows.Selected(f)
	if !slices.ContainsFunc(all, isPod) {
		return all
	}
	return slices.DeleteFunc(all, func(ref train.Ref) bool { return !isPod(ref) })
}

func isPod(ref train.Ref) bool { return ref.Kind == kinds.PodKind.Kind }

// unheld reports that there is no pod to act in.
func unheld(r *row) views.Effect {
	text := "nothing holds GPU " + draw.Clean(r.GPU.Index) + " of node " + draw.Clean(r.GPU.Node)
	switch {
	case r.Missing:
		text = "this GPU is missing"
	case !r.Vacant:
		text = "nobody tells which pod holds this GPU"
	}
	return views.Notice{Text: text + ": there is no pod to act in", Failed: true}
}

// refOf is the pod that holds a GPU, else its node.
func refOf(r *row) train.Ref {
	if r.GPU.Pod != "" {
		return train.PodRef(r.GPU.Namespace, r.GPU.Pod, "")
	}
	if r.GPU.Node == "" {
		return train.Ref{}
	}
	return train.Ref{Kind: kinds.NodeKind.Kind, Name: r.GPU.Node}
}

// detail is every fault of a row; "" keeps the line, so that nothing jumps when
// the cursor moves.
func detail(r *row) string {
	var texts []string
	for _, t := range []*gpurows.Trouble{r.Trouble, r.OfJob} {
		if t != nil {
			texts = append(texts, t.Sentence())
		}
	}
	return strings.Join(texts, "; ")
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "gpus" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.GPUs }

// Title counts the GPUs and names the sources of the measurements.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	return views.Title{
		Text: "GPUs " + f.CountOf(v.summary.all, "nodes", "pods"), Parts: v.summary.parts(), Filter: v.FilterLine(), Flags: v.Flags(),
		Note: v.summary.measuring.String(f.Ages) + "   " + v.Note(),
	}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.GPUParts:
		v.parts = (v.parts + 1) % partsCount
	case keymap.GPUColours:
		v.by = v.by.Next()
		return views.Notice{Text: "cells are coloured by " + v.by.String()}, true
	case keymap.GPULeft:
		v.step(f, -1)
	case keymap.GPURight:
		v.step(f, 1)
	case keymap.GoNode:
		return v.atRow(func(r *row) views.Effect {
			return views.OpenScreen{Route: views.NodeRoute{Name: r.GPU.Node}}
		}), true
	case keymap.OpenLogs:
		return v.atRow(logsOf), true
	case keymap.JumpOwner:
		return v.atRow(jobOf), true
	case keymap.OpenDiagnosis:
		return v.atRow(func(r *row) views.Effect { return views.Diagnosed(jobOf(r)) }), true
	case keymap.Shell, keymap.ForwardPort, keymap.ShowProbes:
		if !slices.ContainsFunc(v.Selected(f), isPod) {
			return v.atRow(unheld), true
		}
		return nil, false
	default:
		return v.Rows.Do(action, f)
	}
	return nil, true
}

func (v *View) atRow(do func(*row) views.Effect) views.Effect {
	r, ok := v.Current()
	if !ok {
		return views.Notice{Text: "there is no GPU here", Failed: true}
	}
	return do(r)
}

func jobOf(r *row) views.Effect {
	if r.Job == nil {
		return views.Notice{Text: "no training job holds this GPU"}
	}
	return views.OpenScreen{Route: views.JobRoute{Job: r.Job.JobID()}}
}

func logsOf(r *row) views.Effect {
	switch route := r.Route().(type) {
	case views.RankRoute:
		return views.OpenScreen{Route: views.LogsRoute{Job: route.Job, Ranks: []int{route.Rank}}}
	case views.JobRoute:
		return views.OpenScreen{Route: views.LogsRoute{Job: route.Job}}
	}
	return views.Notice{Text: "no training job holds this GPU", Failed: true}
}

// step moves the cursor to the GPU before or after it in the map.
func (v *View) step(f views.Frame, by int) {
	v.load(f)
	if r, ok := v.Current(); ok {
		v.Select(v.blocks.beside(r.Key, by))
	}
}

// Click handles the mouse: a cell of the map or a row of the table is chosen,
// twice is enter.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	if y >= v.drawn.mapLines {
		return v.Rows.Click(x, y-v.drawn.mapLines, double, f)
	}
	key := v.blocks.at(x, y-v.drawn.banner+v.drawn.firstLine, v.drawn.tall)
	if key == "" {
		return nil
	}
	v.Select(key)
	if r, ok := v.Current(); ok && double && r.Key == key {
		return v.Enter(r, f)
	}
	return nil
}

// load reads the rows again when readings, holders or the diagnosis changed.
func (v *View) load(f views.Frame) {
	s := f.Snapshot
	// All only grow, so their sum changes when one of them does.
	version := draw.Version{Data: s.GPUsVersion + s.JobsVersion + s.NodesVersion + v.reports.Number(f.Diagnosis), Limits: limitsOf(f)}
	v.Load(version, f.Ink(), func() []*row {
		rows := shown(f, gpurows.Of(s, f.Diagnosis.Signals(), s.AllGPUs(), s.GPUsMissing("")))
		v.all = rows
		v.limits = gpurows.LimitsOf(rows)
		v.blocks.forget()
		v.summary = summary{}
		v.summary.of(rows, f)
		return rows
	})
	v.summary.again(v, f)
}

// limitsOf is what narrows the rows beside the filter.
func limitsOf(f views.Frame) string {
	if f.Selector == nil {
		return f.Namespace
	}
	return f.Namespace + " " + f.Selector.String()
}

// shown are the GPUs that pods of the current namespace hold, and those of the
// jobs that a selector picks; all when nothing is picked.
func shown(f views.Frame, rows []*row) []*row {
	if f.Namespace == "" && f.Selector == nil {
		return rows
	}
	kept := rows[:0]
	for _, r := range rows {
		if f.Namespace != "" && r.GPU.Namespace != f.Namespace {
			continue
		}
		if f.Selector != nil {
			if r.Job == nil {
				continue
			}
			if job := f.Snapshot.Job(r.Job.JobID()); job == nil || !f.Shows(job) {
				continue
			}
		}
		kept = append(kept, r)
	}
	return kept
}
