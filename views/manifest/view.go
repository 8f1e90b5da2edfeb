// Package manifest shows text: an object's YAML, the full message of a source.
package manifest

import (
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is one text.
type View struct {
	draw.Pager
	title   string
	ref     train.Ref // the object that it is the YAML of; no Kind for other texts
	managed bool      // managedFields are part of it
	text    string
	secret  bool // all of it is
	// still stops the refreshing; trouble is why the last one failed.
	still   bool
	trouble string
}

// YAML shows an object's manifest.
func YAML(ref train.Ref, text string, managedFields bool) *View {
	v := &View{title: ref.Kind + " " + ref.Name, ref: ref, managed: managedFields, text: text}
	v.Set(colour(text))
	return v
}

// Text shows any text, its lines wrapped.
func Text(r views.TextRoute) *View {
	v := &View{title: r.Title, secret: r.Secret}
	v.SetWrap(true)
	v.Set(colour(r.Text))
	return v
}

// Ref is the object that the text is the YAML of.
func (v *View) Ref() train.Ref { return v.ref }

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string {
	if v.ref.Kind != "" {
		return "yaml"
	}
	return "text"
}

// Scope is the scope of the screen's keys: only an object has managed fields.
func (v *View) Scope() keymap.Scope {
	if v.ref.Kind == "" {
		return keymap.Pager
	}
	return keymap.Manifest
}

// Title names the object and the position in the text.
func (v *View) Title(views.Frame) views.Title {
	title := views.Title{Text: draw.Clean(v.title), Filter: v.Filter(), Note: v.Position()}
	switch {
	case v.trouble != "":
		title.Parts = []draw.Span{{Text: draw.Clean("as last read: " + v.trouble), Role: themes.Bad}}
	case v.still:
		title.Parts = []draw.Span{{Text: "not refreshed", Role: themes.Dim}}
	}
	return title
}

// Selected is the object, for actions on it.
func (v *View) Selected(views.Frame) []train.Ref {
	if v.ref.Kind == "" {
		return nil
	}
	return []train.Ref{v.ref}
}

// Reads is the object that the text is the YAML of.
func (v *View) Reads(views.Frame) views.Reading {
	if v.still {
		return views.Reading{}
	}
	return views.Reading{Ref: v.ref, AsText: true, ManagedFields: v.managed, Later: true}
}

// HasRead replaces the text where the object has changed.
func (v *View) HasRead(r views.Read) {
	v.trouble = ""
	switch {
	case r.Err != nil:
		v.trouble = r.Err.Error()
	case r.Text != v.text:
		v.text = r.Text
		v.Set(colour(r.Text))
	}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if v.secret && (action == keymap.CopyText || action == keymap.SaveText) {
		return views.Notice{Text: "the values of a Secret are neither copied nor saved", Failed: true}, true
	}
	switch action {
	case keymap.CopyText:
		return views.CopyText{Text: v.Pager.Text(), Notice: "copied the text"}, true
	case keymap.SaveText:
		return views.SaveFiles{Files: []views.File{{Name: views.FileName(v.title) + ".yaml", Text: v.Pager.Text()}}}, true
	case keymap.Refresh:
		v.still = !v.still
		return nil, true
	case keymap.ManagedFields:
		if v.ref.Kind == "" {
			return views.Notice{Text: "this text has no managed fields"}, true
		}
		return views.ShowManifest{Ref: v.ref, ManagedFields: !v.managed}, true
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
func (v *View) Render(f views.Frame) []string { return v.Pager.Render(f.Ink(), f.Width, f.Height) }
