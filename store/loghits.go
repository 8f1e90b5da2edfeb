package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// Bounds of the hits kept of one log: of each signature the first few, which
// show what came first, the newest few, and the first of each rank and of each
// pod that lines name: the ranks of one node write into one log and a lagging rank
// shows only when all are compared, and one pod of many may not be placed. A log in
// which more signatures than maxSignatures match is probably a list of error texts.
const (
	firstHits     = 4
	newestHits    = 4
	maxSignatures = 64
	maxNamedHits  = 512 // over all signatures of a log
)

// hits are the hits of one log while it grows.
type hits struct {
	of      map[string]*signatureHits
	named   int // kept only because no other hit names their rank or pod
	dropped int64
	// shown is what snapshots contain; nil when it must be built.
	shown []train.LogHit
}

// signatureHits are the hits of one signature; a ring holds the newest ones.
type signatureHits struct {
	first, newest []train.LogHit
	oldest        int // index in newest, once it is full
	ofNamed       []train.LogHit
	subjects      map[subject]bool // that first and ofNamed name
}

// subject is what a hit names.
type subject struct {
	rank   int
	object string
}

// names records the rank and the pod that a hit names, and reports whether they are new.
func (s *signatureHits) names(hit *train.LogHit) bool {
	of := subject{hit.Rank, hit.Object}
	if of.rank < 0 && of.object == "" || s.subjects[of] {
		return false
	}
	if s.subjects == nil {
		s.subjects = map[subject]bool{}
	}
	s.subjects[of] = true
	return true
}

func (h *hits) add(more []train.LogHit) {
	for i := range more {
		h.addOne(more[i])
	}
}

func (h *hits) addOne(hit train.LogHit) {
	one := h.of[hit.Signature]
	if one == nil {
		if len(h.of) >= maxSignatures {
			h.dropped++
			return
		}
		if h.of == nil {
			h.of = map[string]*signatureHits{}
		}
		one = &signatureHits{}
		h.of[hit.Signature] = one
	}
	h.shown = nil
	switch {
	case len(one.first) < firstHits:
		one.first = append(one.first, hit)
		one.names(&hit)
	case h.named < maxNamedHits && one.names(&hit):
		one.ofNamed = append(one.ofNamed, hit)
		h.named++
	case len(one.newest) < newestHits:
		one.newest = append(one.newest, hit)
	default:
		one.newest[one.oldest] = hit
		one.oldest = (one.oldest + 1) % newestHits
		h.dropped++
	}
}

// kept returns the kept hits, in order of line. The result never changes.
func (h *hits) kept() []train.LogHit {
	if h.shown != nil || len(h.of) == 0 {
		return h.shown
	}
	for _, one := range h.of {
		h.shown = append(append(append(h.shown, one.first...), one.ofNamed...), one.newest...)
	}
	slices.SortFunc(h.shown, func(a, b train.LogHit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.Text, b.Text))
	})
	return h.shown
}
