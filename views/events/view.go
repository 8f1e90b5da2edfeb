// Package events lists the cluster's events, warnings first.
package events

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/eventtable"
)

// View is the list of events.
type View struct {
	views.Rows[event]
	warnings int
}

type event = *corev1.Event

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "event"
	v.Columns = eventtable.Columns()
	v.Key = eventtable.Key
	v.Faulty = eventtable.Warning
	v.FirstName = "warnings, newest first"
	v.Ref = func(e event) train.Ref {
		return train.Ref{Kind: kinds.EventKind.Kind, Namespace: e.Namespace, Name: e.Name, UID: string(e.UID)}
	}
	v.Sorts = eventtable.Sorts()
	v.Detail = func(e event) string { return e.Message }
	v.Enter = open
	return v
}

// open opens the job that an event is about, or else the event itself.
func open(e event, f views.Frame) views.Effect {
	about := e.InvolvedObject
	group := schema.FromAPIVersionAndKind(about.APIVersion, about.Kind).Group
	if job := f.Snapshot.JobOf(schema.GroupKind{Group: group, Kind: about.Kind}, about.Namespace, about.Name); job != nil {
		return views.OpenScreen{Route: views.JobRoute{Job: job.ID}}
	}
	if about.Kind == kinds.NodeKind.Kind && f.Snapshot.Node(about.Name) != nil {
		return views.OpenScreen{Route: views.NodeRoute{Name: about.Name}}
	}
	return views.ShowManifest{Ref: train.Ref{Kind: kinds.EventKind.Kind, Namespace: e.Namespace, Name: e.Name, UID: string(e.UID)}}
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "events" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Events }

// Title counts the events and the warnings among them.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	var parts []draw.Span
	if v.warnings > 0 {
		parts = append(parts, draw.Span{Text: draw.Plural(v.warnings, "warning"), Role: themes.Bad})
	}
	if dropped := f.Snapshot.DroppedEvents; dropped > 0 {
		parts = append(parts, draw.Span{Text: draw.Count(dropped) + " older ones dropped", Role: themes.Dim})
	}
	return views.Title{Text: "Events " + f.CountOf(v.Len(), "events"), Parts: parts, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if e, ok := v.Current(); ok && action == keymap.JumpOwner {
		return open(e, f), true
	}
	if action == keymap.OpenDiagnosis {
		e, ok := v.Current()
		if !ok {
			return views.Notice{Text: "there is no event here", Failed: true}, true
		}
		return views.Diagnosed(open(e, f)), true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if texts := f.Missing("events"); texts != nil {
			return texts
		}
		return []string{"no events"}
	})
}

func (v *View) load(f views.Frame) {
	if !v.Chose() {
		v.Columns[1].Wide = f.Namespace != ""
	}
	v.Load(draw.Version{Data: f.Snapshot.EventsVersion, Limits: f.Namespace}, f.Ink(), func() []event {
		v.warnings = 0
		var rows []event
		f.Snapshot.Events(func(e *corev1.Event) bool {
			if f.Namespace == "" || e.Namespace == f.Namespace || e.InvolvedObject.Namespace == f.Namespace {
				rows = append(rows, e)
				if v.Faulty(e) {
					v.warnings++
				}
			}
			return true
		})
		return rows
	})
}
