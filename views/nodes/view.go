package nodes

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of nodes.
type View struct {
	views.Rows[entry]
	counted counts
	reports gpurows.Reports
}

// entry is a node, the values of its GPUs, and the snapshot to look them up in.
type entry struct {
	*train.Node
	in     *store.Snapshot
	report *signals.Report
	gpus   figures
	usage  *train.Usage
	free   signals.FreeGPUs
}

type counts struct {
	broken, cordoned, troubled, overHeld int
	free                                 signals.FreeGPUs
}

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "node"
	v.Columns = nodeColumns()
	v.Key = func(e entry) string { return e.Name }
	v.Faulty = func(e entry) bool { return !e.Ready || e.Cordoned || e.Trouble != "" || e.gpus.broken }
	v.First, v.FirstName = troubleFirst, "trouble, then GPUs"
	v.Ref = func(e entry) train.Ref { return train.Ref{Kind: kinds.NodeKind.Kind, Name: e.Name} }
	v.Sorts = map[keymap.Action]string{
		keymap.SortName: titleName, keymap.SortAge: titleAge, keymap.SortStatus: titleStatus, keymap.SortFree: titleFree,
		keymap.SortUse: titleUse, keymap.SortTemperature: titleTemp, keymap.SortPower: titlePower, keymap.SortErrors: titleErrors,
	}
	v.Enter = func(e entry, _ views.Frame) views.Effect {
		return views.OpenScreen{Route: views.NodeRoute{Name: e.Name}}
	}
	return v
}

// troubleFirst puts nodes that lost accelerators or are not well on top, then those
// with a warning and those with accelerators.
func troubleFirst(a, b entry) int {
	return cmp.Or(
		cmp.Compare(urgency(a), urgency(b)),
		cmp.Compare(b.Capacity, a.Capacity),
		draw.CompareNames(a.Name, b.Name),
	)
}

// urgency is the order of nodes on the list: 0 needs attention.
func urgency(e entry) int {
	switch {
	case !e.Ready || e.Trouble != "" || e.gpus.broken:
		return 0
	case e.gpus.warned:
		return 1
	case e.Capacity > 0:
		return 2
	}
	return 3
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "nodes" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Nodes }

// Title counts nodes and accelerators.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	c := v.counted
	var parts []draw.Span
	add := func(n int, what string, role themes.Role) {
		if n > 0 {
			parts = append(parts, draw.Span{Text: fmt.Sprintf("%s %s", draw.Count(n), what), Role: role})
		}
	}
	all := f.Snapshot.GPUs()
	add(all.All-all.Slices, "GPUs", themes.Text)
	add(all.Slices, "MIG slices", themes.Text)
	if f.Diagnosis == nil {
		c.free = signals.FreeGPUs{} // which are dead is not known yet
	}
	if views.PodsOutOfSight(f.Snapshot) {
		add(c.free.Free, "free at most, "+views.OutOfSight, themes.Waiting)
	} else {
		add(c.free.Free-c.free.Slices, "free", themes.Good)
		add(c.free.Slices, "slices free", themes.Good)
	}
	if rest := c.free.Rest(); rest != "" {
		parts = append(parts, draw.Span{Text: rest, Role: themes.Dim})
	}
	add(c.broken, "out of order", themes.Bad)
	add(c.troubled, "in trouble", themes.Bad)
	add(c.overHeld, "over-held", themes.Waiting)
	add(c.cordoned, "cordoned", themes.Waiting)
	return views.Title{Text: "Nodes " + f.CountOf(v.Len(), "nodes"), Parts: parts, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if texts := f.Missing("nodes"); texts != nil {
			return texts
		}
		return []string{"no nodes"}
	})
}

func (v *View) load(f views.Frame) {
	s := f.Snapshot
	// All only grow, so their sum changes when one of them does.
	version := draw.Version{Data: s.NodesVersion + s.JobsVersion + s.GPUsVersion + s.UsageVersion + v.reports.Number(f.Diagnosis)}
	v.Load(version, f.Ink(), func() []entry {
		v.counted = counts{}
		report := f.Diagnosis.Signals()
		gpus := figuresOf(s, report)
		rows := make([]entry, 0, len(s.Nodes()))
		for _, n := range s.Nodes() {
			free := report.FreeOn(s, n)
			v.counted.add(n, free)
			rows = append(rows, entry{n, s, report, gpus[n.Name], s.NodeUsage(n.Name), free})
		}
		v.hideUnknown(rows)
		return rows
	})
}

func (c *counts) add(n *train.Node, free signals.FreeGPUs) {
	c.broken += max(0, n.Capacity-n.Allocatable)
	c.free.Add(free)
	if n.Cordoned {
		c.cordoned++
	}
	if n.OverHeld() != "" {
		c.overHeld++
	}
	if !n.Ready || n.Trouble != "" {
		c.troubled++
	}
}
