package store

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// DateBy puts a time, that of a picture say, in for times that a source that
// measures again and again does not tell, and for those to come.
func (word *Measured) DateBy(now time.Time) {
	if word.Every <= 0 {
		return
	}
	cloned := false
	for i := range word.Readings {
		if at := word.Readings[i].At; !at.IsZero() && !at.After(now) {
			continue
		}
		if !cloned {
			word.Readings, cloned = slices.Clone(word.Readings), true
		}
		word.Readings[i].At = now
	}
}

// hasExpired reports whether a reading is too old to be shown.
func hasExpired(source *gpuSource, r *train.GPUReading, now time.Time) bool {
	return source.word.Every > 0 && now.After(expiry(source, r))
}

func expiry(source *gpuSource, r *train.GPUReading) time.Time {
	return r.At.Add(train.ExpiredAfter * source.word.Every)
}

// watch sees to it that the readings of a source are looked at again when the
// first of them expires.
func (j *gpuJoin) watch(source *gpuSource, now time.Time) (live bool) {
	if source.word.Every <= 0 {
		return true
	}
	for i := range source.word.Readings {
		at := expiry(source, &source.word.Readings[i])
		if now.After(at) {
			continue
		}
		live = true
		if j.expires.IsZero() || at.Before(j.expires) {
			j.expires = at
		}
	}
	return live
}

// expire looks again at what has become too old, and forgets sources of which
// nothing is left.
func (j *gpuJoin) expire(now time.Time) {
	if j.expires.IsZero() || !now.After(j.expires) {
		return
	}
	j.expires = time.Time{}
	for _, source := range j.inOrder() {
		for i := range source.word.Readings {
			if r := &source.word.Readings[i]; hasExpired(source, r, now) {
				j.dirty[j.nodeOf(source, i)] = true
			}
		}
		if !j.watch(source, now) {
			j.unclaim(source)
			j.unplace(source)
			delete(j.sources, source.key)
		}
	}
}

// sweepEvery is how often what is gone is looked through.
const sweepEvery = 5 * time.Minute

// sweep forgets what has been gone for as long as the past is kept.
func (j *gpuJoin) sweep(now time.Time) {
	if age := now.Sub(j.swept); age >= 0 && age < sweepEvery {
		return
	}
	j.swept = now
	old := now.Add(-history.Span)
	for name, n := range j.nodes {
		kept := slices.DeleteFunc(slices.Clone(n.gone), func(g goneGPU) bool { return g.state.At.Before(old) })
		if len(kept) < len(n.gone) || len(kept) == 0 && len(n.by) == 0 {
			j.dirty[name] = true
		}
		n.gone = kept
	}
	for id, track := range j.tracks {
		if !track.shown && !track.ring.Past().Newest().After(old) {
			j.history.bytes -= track.ring.Bytes()
			delete(j.tracks, id)
		}
	}
}
