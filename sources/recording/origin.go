package recording

import (
	"cmp"
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
// then, from the newest on that records another source than the run before. A
// run that was copied from several is one for each of them.
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
	var all []run
	for i := range f.runs[first:end] {
		all = appendAsks(all, &f.runs[first+i], at)
	}
	return all
}

// appendAsks adds a run, and one for each of the later asks in it until an instant.
func appendAsks(all []run, r *run, until int64) []run {
	all = append(all, *r)
	for _, ask := range r.about.Later {
		if at := micros(ask.From); at > r.from && at <= until {
			later := *r
			later.from, later.about.Logs, later.about.Namespace = at, ask.Logs, ask.Namespace
			all = append(all, later)
		}
	}
	return all
}

// asksIn returns what runs asked for in a time span: first at its beginning, and then
// later whatever differs from what was asked for before.
func (f *File) asksIn(from, until int64) (first LaterAsk, later []LaterAsk) {
	for _, r := range f.runsAt(until) {
		ask := LaterAsk{From: instant(r.from).UTC(), Logs: cmp.Or(r.about.Logs, LogsAll), Namespace: r.about.Namespace}
		last := &first
		if len(later) > 0 {
			last = &later[len(later)-1]
		}
		switch {
		case r.from <= from || first.Logs == "":
			first = ask
		case ask.Logs != last.Logs || ask.Namespace != last.Namespace:
			later = append(later, ask)
		}
	}
	return first, later
}
