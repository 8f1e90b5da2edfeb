package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// What is kept of the hits in one log: of each signature the first few, which
// tell what came first, the newest few, and the first of each rank that lines
// name: the ranks of one node write into one log, and which of them lags is
// seen only when all are compared. A log in which more signatures than
// maxSignatures match is somebody's word list.
const (
	firstHits     = 4
	newestHits    = 4
	maxSignatures = 64
	maxRankHits   = 512 // over all signatures of a log
)

// hits are the hits of one log while it grows.
type hits struct {
	of      map[string]*signatureHits
	byRank  int // how many are kept because no other names their rank
	dropped int64
	// shown is what snapshots see; nil when it is to be made anew.
	shown []train.LogHit
}

// signatureHits are those of one signature; the newest ones stand in a ring.
type signatureHits struct {
	first, newest []train.LogHit
	oldest        int // in newest, once it is full
	ofRanks       []train.LogHit
	ranks         map[int]bool // that first and ofRanks name
}

// names notes the rank that a hit names, and reports whether it is a new one.
func (s *signatureHits) names(rank int) bool {
	if rank < 0 || s.ranks[rank] {
		return false
	}
	if s.ranks == nil {
		s.ranks = map[int]bool{}
	}
	s.ranks[rank] = true
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
		one.names(hit.Rank)
	case h.byRank < maxRankHits && one.names(hit.Rank):
		one.ofRanks = append(one.ofRanks, hit)
		h.byRank++
	case len(one.newest) < newestHits:
		one.newest = append(one.newest, hit)
	default:
		one.newest[one.oldest] = hit
		one.oldest = (one.oldest + 1) % newestHits
		h.dropped++
	}
}

// snapshot are the hits kept, in order of line. It is never written again.
func (h *hits) picture() []train.LogHit {
	if h.shown != nil || len(h.of) == 0 {
		return h.shown
	}
	for _, one := range h.of {
		h.shown = append(append(append(h.shown, one.first...), one.ofRanks...), one.newest...)
	}
	slices.SortFunc(h.shown, func(a, b train.LogHit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.Text, b.Text))
	})
	return h.shown
}
