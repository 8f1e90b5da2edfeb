package charts

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// mark is an event at a position on the axis.
type mark struct {
	kind markKind
	x    float64
	// curve and index are its point; curve is nil for a checkpoint.
	curve *curve
	index int
	// text is the reason of a restart.
	text string
}

type markKind int

// Marks in order of importance.
const (
	markBroken markKind = iota // a value that is not finite
	markRestart
	markSpike
	markCheckpoint
)

// marksKey is the input that marks are made from.
type marksKey struct {
	run    *series.Run
	job    *train.Job
	axis   axis
	weight float64
	rank   int
	shown  int
}

// gatherMarks lists the marks by their position.
func (s *sheet) gatherMarks() {
	key := marksKey{s.run, s.job, s.by, s.share, s.rank, len(s.shown)}
	if key == s.marksOf {
		return
	}
	s.marksOf, s.marks = key, nil
	f := markFinder{s}
	for _, metric := range f.watched() {
		for _, c := range s.of(metric) {
			f.points(markBroken, c, c.broken)
		}
		for _, c := range s.lines(metric, s.rank) {
			f.points(markSpike, c, c.spikes)
		}
	}
	f.restarts()
	f.checkpoints()
	slices.SortStableFunc(s.marks, func(a, b mark) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.kind, b.kind)) })
}

// markFinder appends to the marks of a sheet.
type markFinder struct{ *sheet }

// watched are the metrics whose spikes and broken values are marked.
func (f *markFinder) watched() []string {
	watched := []string{f.main}
	for _, metric := range []string{train.MetricLoss, train.MetricEvalLoss, train.MetricGradNorm} {
		if metric != f.main && f.has(metric) {
			watched = append(watched, metric)
		}
	}
	return watched
}

// points marks some points of a curve. Points that were repeated are marked
// too: they may be the reason.
func (f *markFinder) points(kind markKind, c *curve, at []int) {
	for _, i := range at {
		if finite(c.xs[i]) {
			f.marks = append(f.marks, mark{kind: kind, x: c.xs[i], curve: c, index: i})
		}
	}
}

// restarts marks where later attempts of the rank begin.
func (f *markFinder) restarts() {
	lines := f.lines(f.main, f.rank)
	for i := 1; i < len(lines); i++ {
		if x := lines[i].xs[0]; finite(x) {
			f.marks = append(f.marks, mark{kind: markRestart, x: x, curve: lines[i], text: causeOf(f.job, lines[i-1], lines[i])})
		}
	}
}

func (f *markFinder) checkpoints() {
	for i := range f.run.Marks {
		if m := &f.run.Marks[i]; m.Kind == train.MarkCheckpoint {
			if c, at := f.pointOf(m); c != nil && finite(c.xs[at]) {
				x := c.xs[at]
				if f.by == byStep && m.HasStep && c.row(at).X == c.row(at).Step {
					x = m.Step
				}
				f.marks = append(f.marks, mark{kind: markCheckpoint, x: x, curve: nil, index: at})
			}
		}
	}
}

// pointOf returns the last point of the main metric printed before a mark: by
// time, by step or by line, whichever is known.
func (s *sheet) pointOf(m *train.Mark) (found *curve, at int) {
	for _, c := range s.lines(s.main, s.rank) {
		var i int
		switch {
		case !m.Time.IsZero() && c.row(0).Time != 0:
			i = c.until(func(r *series.Row) bool { return r.Time <= m.Time.UnixNano() })
		case m.HasStep:
			i = c.until(func(r *series.Row) bool { return r.X <= m.Step })
		default:
			i = c.find(m.Line)
		}
		if i >= 0 {
			found, at = c, i
		}
	}
	return found, at
}

// sinceCheckpoint is how many steps would be lost if the job died now.
func (s *sheet) sinceCheckpoint() (steps float64, any bool) {
	lines := s.lines(s.main, s.rank)
	if len(lines) == 0 {
		return 0, false
	}
	newest := lines[len(lines)-1]
	now := newest.row(newest.len() - 1).X
	for i := len(s.run.Marks) - 1; i >= 0; i-- {
		m := &s.run.Marks[i]
		if m.Kind != train.MarkCheckpoint {
			continue
		}
		c, at := s.pointOf(m)
		if c == nil {
			return 0, false
		}
		saved := c.row(at).X
		if m.HasStep && saved == c.row(at).Step {
			saved = m.Step
		}
		return max(0, now-saved), now >= saved
	}
	return 0, false
}
