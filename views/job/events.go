package job

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/eventtable"
)

// eventsTab lists the events about the job, its owned objects and its pods.
type eventsTab struct{ views.Rows[*corev1.Event] }

func newEvents() eventsTab {
	t := eventsTab{}
	t.Noun = "event"
	t.Columns = eventtable.Columns()
	t.Columns[1].Wide = true // the namespace is the job's
	t.Key, t.Faulty, t.Sorts = eventtable.Key, eventtable.Warning, eventtable.Sorts()
	t.FirstName = "newest"
	t.Detail = func(e *corev1.Event) string { return e.Message }
	t.Ref = func(e *corev1.Event) train.Ref {
		return train.Ref{Kind: kinds.EventKind.Kind, Namespace: e.Namespace, Name: e.Name, UID: string(e.UID)}
	}
	t.Enter = func(e *corev1.Event, _ views.Frame) views.Effect {
		about := e.InvolvedObject
		return views.ShowManifest{Ref: train.Ref{
			Group: schema.FromAPIVersionAndKind(about.APIVersion, about.Kind).Group,
			Kind:  about.Kind, Namespace: about.Namespace, Name: about.Name, UID: string(about.UID),
		}}
	}
	return t
}

func (t *eventsTab) load(f views.Frame, j *train.Job) {
	// A new pod of the job brings its events along.
	version := draw.Version{Data: f.Snapshot.EventsVersion + f.Snapshot.JobsVersion}
	t.Load(version, f.Ink(), func() []*corev1.Event {
		events := f.Snapshot.EventsOf(j)
		slices.Reverse(events)
		return events
	})
}

func (t *eventsTab) render(f views.Frame) []string {
	return t.Body(f, func() []string {
		if texts := f.Missing("events"); texts != nil {
			return texts
		}
		return []string{"no events", "clusters keep events for an hour by default"}
	})
}
