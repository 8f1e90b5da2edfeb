package recording

import (
	"math"
	"slices"
	"time"
)

const (
	// mostInstant is the latest instant whose nanoseconds fit into 64 bits, in
	// microseconds: in the year 2262.
	mostInstant = math.MaxInt64 / 1000
	// farAway is how far, in microseconds, a piece may be from the middle of the
	// recording: clocks that begin in 1970 are set right some day, and none goes
	// by a century.
	farAway = int64(100 * 365 * 24 * time.Hour / time.Microsecond)
)

// sift leaves out pieces that are whole and that no recorder wrote where they
// are: their clock is wrong by a century, or they are older than the piece of
// their kind before them, as a copy is. It notes each, and what is missing at
// the beginning.
func (f *File) sift() {
	s := sifter{File: f, middle: middleOf(f.pieces), newest: map[kind]piece{}, heads: map[headKey]bool{}}
	all := f.pieces
	for i := range all {
		why := s.wrongWith(&all[i])
		if why == "" {
			if s.kept != nil {
				s.kept = append(s.kept, all[i])
			}
			s.pass(&all[i])
			continue
		}
		if s.kept == nil {
			s.kept = append(make([]piece, 0, len(all)), all[:i]...)
		}
		s.leaveOut(&all[i], why)
	}
	if s.kept != nil {
		f.pieces = s.kept
	}
	f.written = all
	if len(f.pieces) > 0 && f.pieces[0].kind != kindHead {
		f.info.Damage = addLoss(f.info.Damage, Loss{
			To: instant(f.pieces[0].from), What: "what was recorded before, and what the recorder says of itself",
			Why: "the file has no head: which cluster it is of, which logs it has and whether secrets were taken out is not known",
		})
	}
}

// middleOf returns the median of the times of pieces that are known.
func middleOf(pieces []piece) int64 {
	times := make([]int64, 0, len(pieces))
	for i := range pieces {
		if p := &pieces[i]; p.from >= 0 && p.to <= mostInstant {
			times = append(times, p.from)
		}
	}
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// headKey identifies the start of a recorder.
type headKey struct {
	from int64
	size uint32
}

type sifter struct {
	*File
	middle int64
	newest map[kind]piece // of the pieces that were kept, by kind
	heads  map[headKey]bool
	// kept are the pieces to read, nil while that is all of them.
	kept []piece
	// last is the time of the newest piece that was kept, and open is the index
	// of losses that reach to the next one.
	last int64
	open []int
}

const (
	whyFar     = "its clock is a century or more from that of the rest"
	whyCopy    = "it stands behind a later one of its kind, as a copy does or a part that was moved"
	whyUnknown = "it is of a kind that this traintop does not know; a newer one may"
)

// wrongWith returns why a piece is not read, "" for one that is.
func (s *sifter) wrongWith(p *piece) string {
	newest, known := s.newest[p.kind]
	switch {
	case !p.kind.known():
		return whyUnknown
	case p.kind == kindIndex:
		return ""
	case p.from < 0 || p.to > mostInstant || p.from < s.middle-farAway || p.to > s.middle+farAway:
		return whyFar
	case p.kind == kindHead && s.heads[headKey{p.from, p.size}]:
		return whyCopy
	case p.kind == kindHead || p.kind == kindNote || !known:
		return ""
	case p.chunk < newest.chunk || p.chunk == newest.chunk && p.part <= newest.part:
		return whyCopy
	}
	return ""
}

func (s *sifter) pass(p *piece) {
	for _, i := range s.open {
		s.info.Damage[i].To = latest(s.info.Damage[i].To, instant(p.from))
	}
	s.open = nil
	switch p.kind {
	case kindIndex:
		return
	case kindHead:
		s.heads[headKey{p.from, p.size}] = true
	case kindNote:
	default:
		s.newest[p.kind] = *p
	}
	s.last = p.to
}

// leaveOut notes that a piece is not read. Its own times mean nothing where its
// clock is wrong.
func (s *sifter) leaveOut(p *piece, why string) {
	s.doubts = append(s.doubts, p.offset)
	l := Loss{What: whatOf(p.kind), Why: "a part of the file is left out: " + why}
	if s.last > 0 {
		l.From = instant(s.last)
	}
	if why != whyFar {
		l.From, l.To = instant(p.from), instant(p.to)
	}
	for i := range s.info.Damage {
		if same := &s.info.Damage[i]; same.What == l.What && same.Why == l.Why {
			same.From, same.To = earliest(same.From, l.From), latest(same.To, l.To)
			return
		}
	}
	if len(s.info.Damage) < maxLosses && why == whyFar {
		s.open = append(s.open, len(s.info.Damage))
	}
	s.info.Damage = addLoss(s.info.Damage, l)
}
