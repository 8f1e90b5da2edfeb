package job

import (
	"cmp"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// objectsTab lists the objects that the job owns, its pods aside: child jobs,
// gangs, workloads of queues.
type objectsTab struct{ views.Rows[kinds.Object] }

func newObjects() objectsTab {
	t := objectsTab{}
	t.Noun = "object"
	t.Key = func(o kinds.Object) string { return kinds.RefOfSelf(o).String() }
	t.Labels = func(o kinds.Object) map[string]string { return o.GetLabels() }
	t.FirstName = "nearness"
	t.Ref = kinds.RefOfSelf
	t.Sorts = map[keymap.Action]string{keymap.SortName: "NAME", keymap.SortAge: "AGE", keymap.SortStatus: "KIND"}
	t.Enter = func(o kinds.Object, _ views.Frame) views.Effect {
		ref := kinds.RefOfSelf(o)
		return views.ShowManifest{Ref: ref}
	}
	t.Columns = []draw.Column[kinds.Object]{
		{Title: "KIND", Importance: 90, Min: 8, Max: 30, Cell: func(o kinds.Object, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: kinds.RefOfSelf(o).Kind}
		}, Compare: func(a, b kinds.Object) int { return cmp.Compare(kinds.RefOfSelf(a).Kind, kinds.RefOfSelf(b).Kind) }},
		{Title: "NAME", Importance: 100, Name: true, Min: 12, Max: 70, Cell: func(o kinds.Object, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: o.GetName(), Role: themes.Strong}
		}, Compare: func(a, b kinds.Object) int { return cmp.Compare(a.GetName(), b.GetName()) }},
		{Title: "GROUP", Importance: 50, Min: 8, Max: 40, Cell: func(o kinds.Object, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: kinds.RefOfSelf(o).Group, Role: themes.Dim}
		}},
		{Title: "OWNED BY", Importance: 60, Name: true, Min: 8, Max: 70, Cell: func(o kinds.Object, _ draw.Ink) draw.Cell {
			var owners []string
			for _, owner := range o.GetOwnerReferences() {
				owners = append(owners, owner.Kind+"/"+owner.Name)
			}
			return draw.Cell{Text: strings.Join(owners, ", "), Role: themes.Dim}
		}},
		{Title: "AGE", Importance: 70, Right: true, Reserve: 5, Cell: func(o kinds.Object, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(o.GetCreationTimestamp().Time)}
		}, Compare: func(a, b kinds.Object) int {
			return b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time)
		}},
	}
	return t
}

func (t *objectsTab) load(f views.Frame, j *train.Job) {
	t.Load(draw.Version{Data: f.Snapshot.ObjectsVersion}, f.Ink(), func() []kinds.Object { return f.Snapshot.Below(j) })
}

func (t *objectsTab) render(f views.Frame) []string {
	return t.Body(f, func() []string { return []string{"the job owns nothing but its pods"} })
}
