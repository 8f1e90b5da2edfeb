package store

import (
	"maps"

	"github.com/traintop/traintop/train"
)

// UsageOf names whose usage is meant: a node, or a container of a pod
// (Container "" for the pod as a whole).
type UsageOf struct{ Node, Namespace, Pod, Container string }

func usageOf(u *train.Usage) UsageOf { return UsageOf{u.Node, u.Namespace, u.Pod, u.Container} }

type usageKey struct {
	source string
	of     UsageOf
}

// use takes usage over.
func (s *Store) use(e Used) {
	if e.Complete {
		maps.DeleteFunc(s.usage, func(key usageKey, _ *train.Usage) bool { return key.source == e.Source })
	}
	for i := range e.Usage {
		u := e.Usage[i]
		u.Every = e.Every
		s.usage[usageKey{e.Source, usageOf(&u)}] = &u
	}
	s.touched.usage = true
}

func (s *Store) freezeUsage(next *Snapshot, changed *touched) {
	if changed.usage {
		next.UsageVersion++
		next.usage = maps.Clone(s.usage)
	}
}

// NodeUsage is what a node uses; nil when nobody tells, or what was told has
// expired.
func (s *Snapshot) NodeUsage(name string) *train.Usage {
	for key, u := range s.usage {
		if key.of == (UsageOf{Node: name}) && u.Freshness(s.Now) != train.Expired {
			return u
		}
	}
	return nil
}

// PodUsage is what a pod uses: one for each container, and one with Container
// "" where a source tells of the pod as a whole (its network).
func (s *Snapshot) PodUsage(namespace, pod string) []*train.Usage {
	var found []*train.Usage
	for key, u := range s.usage {
		if key.of.Namespace == namespace && key.of.Pod == pod && pod != "" && u.Freshness(s.Now) != train.Expired {
			found = append(found, u)
		}
	}
	return found
}

// UsagePast is the history of one quantity, oldest first: an hour in points a
// minute apart, of nodes and of the containers of training jobs' pods.
func (s *Snapshot) UsagePast(of UsageOf, q train.UsageQuantity) []train.Point { return nil }
