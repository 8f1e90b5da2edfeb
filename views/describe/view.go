// Package describe describes one object in words, as kubectl describe does: its
// owners, its status, its settings, and its events. It reads only the snapshot
// and follows it.
package describe

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the description of one object.
type View struct {
	draw.Pager
	ref train.Ref

	drawn string // the input of the text
	// seen is true once the object was there, gone when it is no longer.
	seen, gone bool
	// turn is how soon an age in the text is out of date.
	turn time.Duration
	// read is the object as the API server has it, nil before it was read;
	// trouble is why it could not be.
	read    kinds.Object
	version string // its resourceVersion
	trouble string
}

// New makes the screen.
func New(r views.DescribeRoute) *View {
	v := &View{ref: r.Ref}
	v.SetWrap(true)
	return v
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "describe" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Description }

// Title names the object.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	title := views.Title{Text: draw.Clean(v.ref.Title()), Filter: v.Filter(), Note: v.Position()}
	if v.gone {
		title.Parts = []draw.Span{{Text: "deleted; this is how it was last seen", Role: themes.Bad}}
	}
	if v.trouble != "" && !v.gone {
		title.Parts = []draw.Span{{Text: draw.Clean(v.trouble), Role: themes.Bad}}
	}
	return title
}

// Reads is the object, where the snapshot lacks some of it.
func (v *View) Reads(f views.Frame) views.Reading {
	if _, presence := f.Snapshot.Object(schema.GroupKind{Group: v.ref.Group, Kind: v.ref.Kind}, v.ref.Namespace, v.ref.Name); presence == train.Present && followed(v.ref) {
		return views.Reading{}
	}
	return views.Reading{Ref: v.ref}
}

// HasRead receives the object.
func (v *View) HasRead(r views.Read) {
	v.trouble = ""
	if r.Err != nil {
		v.trouble = r.Err.Error()
		return
	}
	o := &unstructured.Unstructured{Object: r.Fields}
	v.read, v.version = o, o.GetResourceVersion()
}

// Selected is the object, for actions on it.
func (v *View) Selected(views.Frame) []train.Ref { return []train.Ref{v.ref} }

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch action {
	case keymap.DescribedYAML:
		return views.ShowManifest{Ref: v.ref}, true
	case keymap.CopyText:
		return views.CopyText{Text: v.Pager.Text(), Notice: "copied the text"}, true
	case keymap.SaveText:
		return views.SaveFiles{Files: []views.File{{Name: views.FileName(v.ref.Kind+"-"+v.ref.Name) + ".txt", Text: v.Pager.Text()}}}, true
	}
	return nil, v.Pager.Do(action)
}

// Click does nothing: a text has nothing to choose.
func (v *View) Click(int, int, bool, views.Frame) views.Effect { return nil }

// Wheel scrolls.
func (v *View) Wheel(lines int, _ views.Frame) { v.Pager.Wheel(lines) }

// Text is the whole text.
func (v *View) Text(views.Frame) string { return v.Pager.Text() }

// Render draws the part that is on the screen.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	f.Ages.Soon(v.turn)
	return v.Pager.Render(f.Ink(), f.Width, f.Height)
}

// load makes the text anew when the snapshot or the time has changed. Of a
// deleted object the last text stays.
func (v *View) load(f views.Frame) {
	drawn := fmt.Sprint(f.Snapshot.ObjectsVersion, f.Now().Unix(), f.Theme.Name, v.version)
	if drawn == v.drawn {
		return
	}
	v.drawn = drawn
	at := f
	at.Ages = &draw.Ages{Now: f.Ages.Now}
	lines, found := of(at, v.ref, v.read)
	v.gone = v.seen && !found
	v.seen = v.seen || found
	if !v.gone {
		v.Set(lines)
		v.turn = at.Ages.Turn
	}
}
