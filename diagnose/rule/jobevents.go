package rule

import (
	"slices"

	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

func LastEvent(events []*corev1.Event, reasons ...string) *corev1.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if slices.Contains(reasons, events[i].Reason) {
			return events[i]
		}
	}
	return nil
}

// EventsFor are the events about an object, oldest first.
func (s *JobContext) EventsFor(r train.Ref) []*corev1.Event {
	events := s.EventsAbout(r)
	s.Deps.noteEvents(r, events)
	return events
}

// PodEvents are the events about a pod, oldest first.
func (s *JobContext) PodEvents(p *Pod) []*corev1.Event {
	if !p.asked {
		p.events, p.asked = s.EventsFor(PodRef(p.Pod)), true
	}
	return p.events
}
