// Package namespaces lists the namespaces with their jobs by phase; enter makes
// one the current namespace.
package namespaces

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// View is the list of namespaces.
type View struct {
	views.Rows[entry]
	// listed are namespaces that the cluster listed, with jobs or without.
	listed []string
}

type entry struct {
	name                           string // "" means all
	jobs, running, waiting, failed int
	gpus, gpuSlices                int // that its pods hold, and the MIG slices among them
	inUse                          bool
}

// New makes the screen. listed are namespaces known to exist.
func New(listed []string) *View {
	v := &View{listed: listed}
	v.Noun = "namespace"
	v.Columns = columns()
	v.Key = func(e entry) string { return e.name }
	v.Faulty = func(e entry) bool { return e.failed > 0 }
	v.FirstName = "name"
	v.Ref = func(e entry) train.Ref { return train.Ref{Kind: "Namespace", Name: e.name} }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "NAME", keymap.SortStatus: "FAILED"}
	v.Enter = use
	return v
}

func use(e entry, _ views.Frame) views.Effect {
	return views.Effects{views.UseNamespace{Name: e.name}, views.RunCommand{Text: "jobs"}}
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "namespaces" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Namespaces }

// Title counts the namespaces.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	count, parts := f.CountOf(max(0, v.Len()-1), "namespaces"), []draw.Span(nil)
	if missing := f.Missing("namespaces"); count == f.Theme.Glyphs.Dash && len(missing) > 0 {
		parts = []draw.Span{{Text: missing[0], Role: themes.Waiting}}
	}
	return views.Title{Text: "Namespaces " + count, Parts: parts, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	e, ok := v.Current()
	switch {
	case ok && action == keymap.Use:
		return use(e, f), true
	case ok && action == keymap.UseNamespace:
		return views.UseNamespace{Name: e.name}, true
	case ok && (action == keymap.YAML || action == keymap.Describe) && e.name == "":
		return views.Notice{Text: "this row stands for all namespaces", Failed: true}, true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return f.Missing() })
}

func (v *View) load(f views.Frame) {
	version := draw.Version{Data: f.Snapshot.ObjectsVersion, Limits: f.Namespace + fmt.Sprint(len(v.listed))}
	v.Load(version, f.Ink(), func() []entry {
		all := entry{inUse: f.Namespace == ""}
		by := map[string]*entry{}
		at := func(name string) *entry {
			if by[name] == nil {
				by[name] = &entry{name: name, inUse: name == f.Namespace}
			}
			return by[name]
		}
		for _, name := range v.listed {
			at(name)
		}
		f.Snapshot.Objects(schema.GroupKind{Kind: "Namespace"}, "", func(o kinds.Object) bool {
			at(o.GetName())
			return true
		})
		for _, j := range f.Snapshot.Jobs() {
			if j.Training {
				all.count(j)
				at(j.Ref.Namespace).count(j)
			}
		}
		eachHeld(f.Snapshot, func(namespace string, gpus, gpuSlices int) {
			for _, e := range []*entry{&all, at(namespace)} {
				e.gpus, e.gpuSlices = e.gpus+gpus, e.gpuSlices+gpuSlices
			}
		})
		rows := make([]entry, 0, len(by)+1)
		for _, e := range by {
			rows = append(rows, *e)
		}
		slices.SortFunc(rows, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
		return append([]entry{all}, rows...)
	})
}

func (e *entry) count(j *train.Job) {
	e.jobs++
	switch j.Phase {
	case train.Running:
		e.running++
	case train.Pending, train.Queued, train.Restarting:
		e.waiting++
	case train.Failed:
		e.failed++
	}
}

// eachHeld calls add with the GPUs that pods hold, as nodes count them; where no node was
// read, as the ranks of jobs do.
func eachHeld(s *store.Snapshot, add func(namespace string, gpus, gpuSlices int)) {
	for _, node := range s.Nodes() {
		for _, h := range node.Holders {
			add(h.Namespace, h.GPUs, h.Slices)
		}
	}
	if len(s.Nodes()) > 0 {
		return
	}
	for _, j := range s.Jobs() {
		for i := range j.Ranks {
			if r := &j.Ranks[i]; j.Training && r.Node != "" && r.State != train.RankSucceeded && r.State != train.RankFailed {
				add(r.Namespace, r.GPUs, r.Slices)
			}
		}
	}
}

func columns() []draw.Column[entry] {
	count := func(title string, importance int, role themes.Role, of func(entry) int) draw.Column[entry] {
		return draw.Column[entry]{
			Title: title, Importance: importance, Right: true, Descending: true,
			Cell: func(e entry, ink draw.Ink) draw.Cell {
				if of(e) == 0 {
					return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
				}
				return draw.Cell{Text: draw.Count(of(e)), Role: role}
			},
			Compare: func(a, b entry) int { return cmp.Compare(of(a), of(b)) },
		}
	}
	gpusHeld := count("GPUS HELD", 70, themes.Text, func(e entry) int { return e.gpus })
	whole := gpusHeld.Cell
	gpusHeld.Cell = func(e entry, ink draw.Ink) draw.Cell {
		if e.gpuSlices == 0 {
			return whole(e, ink)
		}
		return draw.Cell{Text: draw.Devices(e.gpus, e.gpuSlices), Role: themes.Text}
	}
	return []draw.Column[entry]{
		{Title: "NAME", Importance: 100, Name: true, Min: 12, Want: 24, Max: 63, Cell: name, Compare: func(a, b entry) int { return cmp.Compare(a.name, b.name) }},
		count("JOBS", 90, themes.Text, func(e entry) int { return e.jobs }),
		count("FAILED", 85, themes.Bad, func(e entry) int { return e.failed }),
		count("WAITING", 80, themes.Waiting, func(e entry) int { return e.waiting }),
		count("RUNNING", 75, themes.Good, func(e entry) int { return e.running }),
		gpusHeld,
		{Title: "", Importance: 60, Grow: true, Cell: func(e entry, _ draw.Ink) draw.Cell {
			if e.inUse {
				return draw.Cell{Text: "current", Role: themes.Accent}
			}
			return draw.Cell{}
		}},
	}
}

func name(e entry, _ draw.Ink) draw.Cell {
	switch {
	case e.name == "":
		return draw.Cell{Text: "all namespaces", Role: themes.Strong}
	case e.jobs == 0:
		return draw.Cell{Text: e.name, Role: themes.Dim}
	}
	return draw.Cell{Text: e.name}
}
