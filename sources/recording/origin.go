package recording

import (
	"context"

	"github.com/traintop/traintop/store"
)

// origin returns the offset from which the state at an instant is built: the
// beginning of the file, or of the newest run that records another source than
// the run before. whole is false if the file begins with a snapshot, because
// it was trimmed.
func (f *File) origin(ctx context.Context, until int64) (offset int64, whole bool) {
	for i := len(f.runs) - 1; i > 0; i-- {
		r := &f.runs[i]
		if r.from <= until && f.runs[i-1].about.isOther(&r.about) && f.hasListed(ctx, i, until) {
			return r.offset, true
		}
	}
	return f.begin, f.info.Trimmed == 0
}

// isOther reports whether two runs are known to record different sources.
func (a *About) isOther(b *About) bool {
	return otherSource(a.Source, b.Source)
}

// hasListed reports whether a run has recorded objects or logs of its source
// by an instant. A run that ended earlier does not count.
func (f *File) hasListed(ctx context.Context, run int, until int64) bool {
	c := f.cursor(after(f.chunks[kindEvents], f.runs[run].offset))
	defer c.close()
	end := f.size
	if run+1 < len(f.runs) {
		end = f.runs[run+1].offset
	}
	for r := c.take(); r != nil && r.at <= until && r.place < end && ctx.Err() == nil; r = c.take() {
		switch r.event.(type) {
		case store.Listed, store.Set, store.Logged:
			return true
		}
	}
	return false
}

// runsBehind returns where later runs begin, after the given offset.
func (f *File) runsBehind(place int64) (later []interruption) {
	for i := range f.interruptions {
		if by := &f.interruptions[i]; by.run && by.offset > place {
			later = append(later, *by)
		}
	}
	return later
}

// runsAt returns the runs that are joined at an instant: those that began by
// then, from the newest on that records another source than the run before.
func (f *File) runsAt(at int64) []run {
	first, end := 0, 0
	for i := range f.runs {
		if f.runs[i].from > at && i > 0 {
			break
		}
		if end = i + 1; i > 0 && f.runs[i-1].about.isOther(&f.runs[i].about) {
			first = i
		}
	}
	return f.runs[first:end]
}
