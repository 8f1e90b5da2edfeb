package diagnose

import (
	"slices"

	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

func lastEvent(events []*corev1.Event, reasons ...string) *corev1.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if slices.Contains(reasons, events[i].Reason) {
			return events[i]
		}
	}
	return nil
}

// eventsFor are the events about an object, oldest first.
func (s *jobContext) eventsFor(r train.Ref) []*corev1.Event {
	events := s.EventsAbout(r)
	s.deps.events(r, events)
	return events
}

// podEvents are the events about a pod, oldest first.
func (s *jobContext) podEvents(p *pod) []*corev1.Event {
	if !p.asked {
		p.events, p.asked = s.eventsFor(podRef(p.Pod)), true
	}
	return p.events
}
