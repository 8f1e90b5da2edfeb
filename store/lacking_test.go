package store

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// An object that is missing from an incomplete list may have been left out: it
// is unknown until the list is complete.
func TestAListWithObjectsLeftOutHidesWhatIsMissing(t *testing.T) {
	leftOut := train.Health{Source: "kube/pods" + train.LeftOut, State: train.SourceFailed, Resource: "pods", Text: "1 objects of pods cannot be used"}
	gone := train.Health{Source: leftOut.Source}
	ofML := leftOut
	ofML.Namespace = "ml"
	live := train.Health{Source: "kube/pods", State: train.SourceLive, Resource: "pods"}
	for _, test := range []struct {
		name   string
		events []Event
		whole  bool
	}{
		{"whole", []Event{HealthChanged{live}, Listed{Kind: kinds.PodKind}}, true},
		{"said before the list", []Event{HealthChanged{live}, HealthChanged{leftOut}, Listed{Kind: kinds.PodKind}}, false},
		{"said after it", []Event{HealthChanged{live}, Listed{Kind: kinds.PodKind}, HealthChanged{leftOut}}, false},
		{"taken back", []Event{HealthChanged{live}, HealthChanged{leftOut}, Listed{Kind: kinds.PodKind}, HealthChanged{gone}}, true},
		{"of the namespace", []Event{HealthChanged{ofML}, Listed{Kind: kinds.PodKind, Namespace: "ml"}}, false},
		{"of another kind", []Event{HealthChanged{train.Health{Source: "kube/nodes/left-out", State: train.SourceFailed, Resource: "nodes"}}, Listed{Kind: kinds.PodKind}}, true},
	} {
		s := New(func() time.Time { return time.Time{} })
		s.Apply(test.events...)
		p := s.Snapshot()
		want := train.Unknown
		if test.whole {
			want = train.Absent
		}
		if _, presence := p.Object(kinds.PodKind, "ml", "a"); presence != want || p.Complete(kinds.PodKind, "ml") != test.whole {
			t.Errorf("%s: presence %v, complete %v", test.name, presence, p.Complete(kinds.PodKind, "ml"))
		}
		if _, unread := p.Unread(kinds.PodKind, "ml"); unread == test.whole {
			t.Errorf("%s: unread %v", test.name, unread)
		}
	}
}

// A file that was read in part may have contained any kind.
func TestAFileThatWasNotReadWholeHidesEveryKind(t *testing.T) {
	s := New(func() time.Time { return time.Time{} })
	s.Apply(HealthChanged{train.Health{Source: "file a.yaml", State: train.SourceRead}})
	if _, unread := s.Snapshot().Unread(kinds.PodKind, "ml"); unread {
		t.Error("a file that was read whole hides pods")
	}
	s.Apply(HealthChanged{train.Health{Source: "file a.yaml", State: train.SourceFailed, Text: "cut off"}})
	if h, unread := s.Snapshot().Unread(kinds.PodKind, "ml"); !unread || h.Text != "cut off" {
		t.Errorf("unread %v, %+v", unread, h)
	}
}
