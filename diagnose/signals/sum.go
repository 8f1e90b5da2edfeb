package signals

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Sum counts the GPUs of a picture that pods hold and of which a source tells
// now, some seconds ago at most.
type Sum struct {
	Held int // by pods, and measured
	Idle int // of them, those with the signal "idle"
	// Newest is when each kind of source measured last, zero for never.
	Newest [train.FromTool + 1]time.Time
}

// Sum counts the GPUs.
func (r *Report) Sum() Sum {
	if r == nil {
		return Sum{}
	}
	return r.sum
}

func (s *Sum) add(other Sum) {
	s.Held += other.Held
	s.Idle += other.Idle
	for source, at := range other.Newest {
		if at.After(s.Newest[source]) {
			s.Newest[source] = at
		}
	}
}

// sumOf counts the GPUs of a node and of its signals.
func sumOf(n *node, signals []Signal) Sum {
	var s Sum
	for i := range n.gpus {
		g := &n.gpus[i]
		if g.GPU.Pod != "" && g.Freshness(n.now) == train.Fresh {
			s.Held++
		}
		for _, source := range g.Sources {
			if g.At.After(s.Newest[source]) {
				s.Newest[source] = g.At
			}
		}
	}
	for i := range signals {
		if signals[i].Kind == "idle" {
			s.Idle++
		}
	}
	return s
}
