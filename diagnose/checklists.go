package diagnose

import (
	"hash/maphash"
	"slices"

	"github.com/traintop/traintop/train"
)

// checkLists lets jobs of one run share equal lists of checks: a list has a
// row for each cause, and thousands of jobs wait for the same thing.
type checkLists struct {
	seed  maphash.Seed
	draft []train.Check
	known map[uint64][]train.Check
}

func newCheckLists() *checkLists {
	return &checkLists{seed: maphash.MakeSeed(), known: map[uint64][]train.Check{}}
}

// begin returns an empty list of one row for each cause, to fill in and keep
// before the next one begins.
func (l *checkLists) begin() []train.Check {
	if l.draft == nil {
		l.draft = make([]train.Check, len(causes))
	}
	clear(l.draft)
	return l.draft
}

// keep returns the list that was begun, or an equal one.
func (l *checkLists) keep() []train.Check {
	hash := l.hash()
	if same := l.known[hash]; slices.Equal(same, l.draft) {
		return same
	}
	l.known[hash] = slices.Clone(l.draft)
	return l.known[hash]
}

// hash covers what differs between jobs: cause and stage of a row are fixed.
func (l *checkLists) hash() uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	for i := range l.draft {
		_, _ = h.WriteString(string(l.draft[i].Result))
		_, _ = h.WriteString(l.draft[i].Why)
	}
	return h.Sum64()
}
