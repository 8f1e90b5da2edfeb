package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// What is kept of the hits in one log: of each signature the first few, which
// tell what came first, and the newest few. A log in which more signatures
// than maxSignatures match is somebody's word list.
const (
	firstHits     = 4
	newestHits    = 4
	maxSignatures = 64
)

// hits are the hits of one log while it grows.
type hits struct {
	of      map[string]*signatureHits
	dropped int64
	// shown is what snapshots see; nil when it is to be made anew.
	shown []train.LogHit
}

// signatureHits are those of one signature; the newest ones stand in a ring.
type signatureHits struct {
	first, newest []train.LogHit
	oldest        int // in newest, once it is full
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
	case len(one.newest) < newestHits:
		one.newest = append(one.newest, hit)
	default:
		one.newest[one.oldest] = hit
		one.oldest = (one.oldest + 1) % newestHits
		h.dropped++
	}
}

// picture are the hits kept, in order of line. It is never written again.
func (h *hits) picture() []train.LogHit {
	if h.shown != nil || len(h.of) == 0 {
		return h.shown
	}
	for _, one := range h.of {
		h.shown = append(append(h.shown, one.first...), one.newest...)
	}
	slices.SortFunc(h.shown, func(a, b train.LogHit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.Text, b.Text))
	})
	return h.shown
}
