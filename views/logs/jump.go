package logs

import (
	"context"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// jump is a search for a line: the next that matches, in all panes.
type jump struct {
	match match
	step  int    // 1 towards the end, -1 towards the beginning
	what  string // the target, in words
	on    bool   // not from the line pointed to, but beyond it
	wait  *waiting
	said  jumpOrigin
}

// jumpOrigin is the line from which a jump continues in the merged view. The same
// line of other ranks is folded into it, so a jump skips those.
type jumpOrigin struct {
	id   train.StreamID
	key  uint64
	when int64 // untimed when it is not known
}

// again reports whether a line is the same one of another rank.
func (s *jumpOrigin) again(in field, at int) bool {
	if s.key == 0 || s.when == untimed || in.log.ID == s.id {
		return false
	}
	when := in.log.Lines.Order(at)
	return max(when-s.when, s.when-when) <= foldWithin && foldKey(in.log.Lines.At(at).Text) == s.key
}

// finder moves to lines of a paneSet: the next that matches, a step, a time.
type finder struct {
	paneSet
	jump    *jump    // the running search
	seeking *waiting // whoever waits for its result
}

// jumpTo searches the next line that matches, off the event loop.
func (v *finder) jumpTo(m match, step int, what string, on bool) {
	if !v.lineFilter.empty() {
		m = m.and(v.lineFilter.match)
	}
	v.endJump()
	v.seeking = newWaiting()
	v.jump = &jump{match: m, step: step, what: what, on: on, wait: v.seeking}
}

// endJump cancels the jump.
func (v *finder) endJump() {
	v.seeking.end()
	v.jump, v.seeking = nil, nil
}

// field is a part of a log in which a line is searched.
type field struct {
	log       *store.Log
	from, end int  // indices, end excluded
	around    bool // beyond the last line, from the first on again
}

// seek is the work of finding the line.
func (v *finder) seek(f views.Frame) func(context.Context) any {
	j := *v.jump
	v.jump = nil
	v.loadAll(f)
	if v.merged {
		fields, around := v.merge.fields(&v.paneSet, j), v.merge.whole(&v.paneSet, j)
		if !v.unfolded {
			j.said = v.merge.said(&v.paneSet)
		}
		return func(ctx context.Context) any { return j.earliest(ctx, fields, around) }
	}
	fields := v.fields(j)
	return func(ctx context.Context) any { return j.firstIn(ctx, fields) }
}

// fields are the logs in the order in which they are searched: the focused pane
// from its position, the panes after it, and at last the rest of its own.
func (v *finder) fields(j jump) []field {
	var fields, rest []field
	count := len(v.shown)
	for n := range count {
		at := v.focus + n*j.step
		s := v.allRanks[v.shown[(at%count+count)%count]]
		l := v.linesIn(&s.pane)
		if l == nil || l.all.Lines.Len() == 0 {
			continue
		}
		in := whole(l, j.step)
		in.around = at < 0 || at >= count
		if n == 0 {
			rest = append(rest, in)
			in.from = s.pane.start(&l.all.Lines, j)
			rest[0].end, rest[0].around = max(rest[0].from*j.step, in.from*j.step)*j.step, true
		}
		fields = append(fields, in)
	}
	return append(fields, rest...)
}

// whole is all of a log that is shown.
func whole(l *lines, step int) field {
	if step > 0 {
		return field{log: l.all, from: l.low, end: l.all.Lines.Len()}
	}
	return field{log: l.all, from: l.all.Lines.Len() - 1, end: l.low - 1}
}

// start is the place from which the pane is searched.
func (p *pane) start(lines linesOfLog, j jump) int {
	if p.follow && !j.on {
		if j.step > 0 {
			return 0
		}
		return lines.Len() - 1
	}
	number := p.pointed()
	if p.target == 0 && !j.on && len(p.rows) > 0 {
		number = p.rows[0].number // a new search begins at the top of the screen
	}
	at := lines.Find(number)
	if j.on && at < lines.Len() {
		at += j.step
	}
	return min(at, lines.Len())
}

type linesOfLog interface {
	Len() int
	Find(number int64) int
}

// landed is the result of a jump; log is nil when nothing matches.
type landed struct {
	jump   jump
	id     train.StreamID
	number int64
	found  bool
	around bool // beyond the last line, from the first on again
	cut    bool // ended before all was searched
}

// firstIn searches fields one after another.
func (j jump) firstIn(ctx context.Context, fields []field) landed {
	ctx, cancel := j.wait.within(ctx)
	defer cancel()
	for _, in := range fields {
		lines := &in.log.Lines
		if at, found := j.match.first(ctx, lines, in.from, in.end, j.step); found {
			return landed{jump: j, id: in.log.ID, number: lines.At(at).Number, found: true, around: in.around}
		}
	}
	return landed{jump: j, cut: ctx.Err() != nil}
}

// earliest searches all fields and returns the hit nearest in time; where there
// is none, that of around, which are the logs from their far end.
func (j jump) earliest(ctx context.Context, fields, around []field) landed {
	ctx, cancel := j.wait.within(ctx)
	defer cancel()
	best := j.nearest(ctx, fields)
	if !best.found && !best.cut {
		j.said = jumpOrigin{}
		best = j.nearest(ctx, around)
		best.around = best.found
	}
	return best
}

func (j jump) nearest(ctx context.Context, fields []field) landed {
	best := landed{jump: j}
	var when int64
	for _, in := range fields {
		lines := &in.log.Lines
		at, found := j.match.first(ctx, lines, in.from, in.end, j.step)
		for found && j.said.again(in, at) {
			at, found = j.match.first(ctx, lines, at+j.step, in.end, j.step)
		}
		if !found {
			continue
		}
		order := lines.Order(at)
		nearer := order < when
		if j.step < 0 {
			nearer = order >= when // of equal ones the last log, as the walk back
		}
		if !best.found || nearer {
			best.id, best.number, best.found, when = in.log.ID, lines.At(at).Number, true, order
		}
	}
	best.cut = ctx.Err() != nil
	return best
}

// land shows the line that was found.
func (v *finder) land(l landed, f views.Frame) views.Effect {
	switch {
	case l.cut:
		return nil
	case !l.found:
		return views.Notice{Text: "no " + l.jump.what + " in what is kept of " + draw.Plural(len(v.shown), "rank"), Failed: l.jump.on}
	case v.merged:
		said := l.wrapped(v.merge.target == l.id && v.merge.targetAt == l.number)
		v.merge.reveal(&v.paneSet, f, l.id, l.number)
		return said
	}
	at := slices.IndexFunc(v.shown, func(at int) bool {
		log := v.allRanks[at].pane.log
		return log != nil && log.ID == l.id
	})
	if at < 0 {
		return nil
	}
	said := l.wrapped(at == v.focus && v.focused().pane.target == l.number)
	v.focus = at
	v.focused().pane.reveal(l.number)
	return said
}

// wrapped reports that a jump went on at the other end, or found nothing but the
// line that it began from.
func (l *landed) wrapped(same bool) views.Effect {
	switch {
	case !l.around || !l.jump.on:
		return nil
	case same:
		return views.Notice{Text: "there is no other " + l.jump.what}
	case l.jump.step > 0:
		return views.Notice{Text: "no further " + l.jump.what + ": on from the first one"}
	}
	return views.Notice{Text: "no earlier " + l.jump.what + ": on from the last one"}
}
