package gpus

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// DateBy fills in missing times of a source that measures repeatedly, and
// replaces times in the future.
func (m *Measured) DateBy(now time.Time) {
	if m.Every <= 0 {
		return
	}
	cloned := false
	for i := range m.Readings {
		if at := m.Readings[i].At; !at.IsZero() && !at.After(now) {
			continue
		}
		if !cloned {
			m.Readings, cloned = slices.Clone(m.Readings), true
		}
		m.Readings[i].At = now
	}
}

// hasExpired reports whether a reading is too old to be shown: train.ExpiredAfter
// intervals of its source.
func hasExpired(from *source, r *train.GPUReading, now time.Time) bool {
	return from.newest.Every > 0 && now.After(expiry(from, r))
}

func expiry(from *source, r *train.GPUReading) time.Time {
	return r.At.Add(train.ExpiredAfter * from.newest.Every)
}

// watchExpiry schedules another look at the readings of a source for when the
// first of them expires.
func (f *Fold) watchExpiry(from *source, now time.Time) (live bool) {
	if from.newest.Every <= 0 {
		return true
	}
	for i := range from.newest.Readings {
		at := expiry(from, &from.newest.Readings[i])
		if now.After(at) {
			continue
		}
		live = true
		if f.expires.IsZero() || at.Before(f.expires) {
			f.expires = at
		}
	}
	return live
}

// expire checks the readings that became too old again, and drops sources
// without any left.
func (f *Fold) expire(now time.Time, objects Objects) {
	if f.expires.IsZero() || !now.After(f.expires) {
		return
	}
	f.expires = time.Time{}
	for _, from := range f.inOrder() {
		for i := range from.newest.Readings {
			if r := &from.newest.Readings[i]; hasExpired(from, r, now) {
				f.dirty[f.nodeOf(from, i)] = true
			}
		}
		if !f.watchExpiry(from, now) {
			f.removeSource(from, objects)
		}
	}
}

// SweepEvery is how often sweep runs.
const SweepEvery = 5 * time.Minute

// sweep drops what has been gone for as long as the history is kept.
func (f *Fold) sweep(now time.Time) {
	if age := now.Sub(f.swept); age >= 0 && age < SweepEvery {
		return
	}
	f.swept = now
	old := now.Add(-history.Span)
	for name, n := range f.nodes {
		kept := slices.DeleteFunc(slices.Clone(n.gone), func(g Gone) bool { return g.State.At.Before(old) })
		if len(kept) < len(n.gone) || len(kept) == 0 && len(n.by) == 0 {
			f.dirty[name] = true
		}
		n.gone = kept
	}
	for id, track := range f.tracks {
		if !track.shown && !track.ring.Past().Newest().After(old) {
			f.history.bytes -= track.ring.Bytes()
			delete(f.tracks, id)
		}
	}
}
