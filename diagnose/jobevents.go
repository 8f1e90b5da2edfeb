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

// about are the events about an object, oldest first.
func (s *subject) about(r train.Ref) []*corev1.Event {
	events := s.EventsAbout(r)
	s.seen.events(r, events)
	return events
}

// eventsOf are the events about a pod, oldest first.
func (s *subject) eventsOf(p *pod) []*corev1.Event {
	if !p.asked {
		p.events, p.asked = s.about(podRef(p.Pod)), true
	}
	return p.events
}
