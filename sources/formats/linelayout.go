package formats

import "github.com/traintop/traintop/train"

// maxLayouts bounds how many layouts are remembered.
const maxLayouts = 256

// lineLayout is the sequence of names on a line. If no table knows the names, the line
// counts from its second time on, provided that its content then differs; the first
// line is held back until then.
type lineLayout struct {
	proven bool
	serial uint64  // of the stream at its last line
	sum    float64 // of its values then
	held   train.Sample
	has    bool
}

// lineLayouts remembers layouts by the hash of their names.
type lineLayouts struct{ known map[uint64]*lineLayout }

func newLineLayouts() *lineLayouts { return &lineLayouts{known: map[uint64]*lineLayout{}} }

// at returns the layout for a hash, a new one if needed.
func (s *lineLayouts) at(key uint64) (found *lineLayout, seen bool) {
	if found, seen = s.known[key]; seen {
		return found, true
	}
	if len(s.known) >= maxLayouts {
		s.reset()
	}
	found = &lineLayout{}
	s.known[key] = found
	return found, false
}

// reset drops unproven layouts, and all layouts if that is not enough.
func (s *lineLayouts) reset() {
	for key, known := range s.known {
		if !known.proven {
			delete(s.known, key)
		}
	}
	if len(s.known) >= maxLayouts/2 {
		clear(s.known)
	}
}

// key is a hash of the names of a point's metrics.
func (p *point) key(stream int) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) ^ uint64(stream+2)
	for _, c := range p.function {
		h = (h ^ uint64(c)) * prime
	}
	for i := range p.metrics {
		for j := range len(p.metrics[i].Name) {
			h = (h ^ uint64(p.metrics[i].Name[j])) * prime
		}
		h = (h ^ 0xff) * prime
	}
	return h
}

func (p *point) sum() float64 {
	sum := 0.0
	for i := range p.metrics {
		if v := p.metrics[i].Value; v-v == 0 {
			sum = sum*0.7 + v
		}
	}
	return sum
}
