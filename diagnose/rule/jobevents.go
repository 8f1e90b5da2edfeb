package rule

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func LastEvent(events []*corev1.Event, reasons ...string) *corev1.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if slices.Contains(reasons, events[i].Reason) {
			return events[i]
		}
	}
	return nil
}

// EventsFor returns the events about an object, oldest first.
func (s *JobContext) EventsFor(r train.Ref) []*corev1.Event {
	events := s.EventsAbout(r)
	s.Deps.noteEvents(r, events)
	return events
}

// PodEvents returns the events about a pod, oldest first.
func (s *JobContext) PodEvents(p *Pod) []*corev1.Event {
	if !p.asked {
		p.events, p.asked = s.EventsFor(kinds.PodRef(p.Pod)), true
	}
	return p.events
}
