package charts

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// settings are the drawing settings of curves.
type settings struct {
	axis   axis
	weight int // an index of weights
	// chosen is true once a person chose the weight.
	chosen bool
	y      yMode
	log    bool
	// allRanks draws the other ranks as well.
	allRanks bool
	// focus is the metric that is drawn large, "" for the main one.
	focus string
	// more and fewer are the metrics added to and removed from the usual ones.
	more, fewer []string
}

// window is the visible part of the x axis.
type window struct{ low, high float64 }

// sheet is the charts of one job: curves, marks, drawing settings, and the last
// drawings.
type sheet struct {
	curveSet
	settings
	job *train.Job // nil when only its log is known
	// over is true for a job that does not run: nothing is left of it.
	over bool
	now  time.Time
	// silent is true while the cluster does not answer.
	silent bool
	theme  *themes.Theme
	// grew is when a step last arrived, zero when none has.
	grew time.Time
	// hangs is true when the diagnosis reports that the job makes no steps.
	hangs bool
	// rank is the one whose curves are drawn brightly.
	rank   int
	others []*other
	// window is nil while all of it is visible.
	window *window
	// fixed are the ranges of y axes that were fixed, by metric.
	fixed map[string]yRange

	main  string
	shown []string // metrics with a strip, in order
	// strips are those of metrics and the rows of GPUs, in order.
	strips []string
	gpus   *gpuRows // nil without a cluster
	marks  []mark
	// marksOf is the key that the marks were made from.
	marksOf marksKey
	drawn   map[string]*drawn
}

// isOver reports whether a job is known not to run, so that no time is left of
// what its log counts: it ended before its last step, or is suspended.
func isOver(job *train.Job) bool {
	return job != nil && !job.LogsOnly && job.Phase != train.Running
}

// take updates the sheet from a newer run.
func (s *sheet) take(run *series.Run, job *train.Job, now time.Time, theme *themes.Theme) {
	if s.drawn == nil {
		s.drawn = map[string]*drawn{}
	}
	if s.run != nil && run.Newest.After(s.run.Newest) {
		s.grew = now
	}
	s.job, s.now, s.theme, s.over = job, now, theme, isOver(job)
	s.main = mainOf(run)
	if !s.chosen {
		s.weight = weightFor(pointsOf(run, s.main))
	}
	s.load(run, job, s.axis, weights[s.weight])
	s.list()
	s.gatherMarks()
}

// pointsOf counts those of the longest track of a metric.
func pointsOf(run *series.Run, metric string) int {
	most := 0
	for _, t := range run.Tracks(metric) {
		most = max(most, t.Len())
	}
	return most
}

// load updates the curves.
func (s *sheet) load(run *series.Run, job *train.Job, x axis, weight float64) {
	s.curveSet.load(run, job, x, weight)
}

// list computes which strips there are.
func (s *sheet) list() {
	s.shown = s.metrics()
	s.strips = s.shown
	if s.gpus != nil && s.gpus.measured && !slices.Contains(s.fewer, gpuStrip) {
		s.strips = withGPUs(s.shown)
	}
}

// metrics are those of the log that have a strip.
func (s *sheet) metrics() []string {
	var metrics []string
	add := func(metric string) {
		for _, m := range metrics {
			if m == metric {
				return
			}
		}
		for _, m := range s.fewer {
			if m == metric {
				return
			}
		}
		if s.has(metric) {
			metrics = append(metrics, metric)
		}
	}
	for _, metric := range usualOf(s.run) {
		if metric != train.MetricEvalLoss || !s.overMain() {
			add(metric)
		}
	}
	for _, metric := range s.more {
		add(metric)
	}
	if len(metrics) == 0 {
		metrics = []string{s.main}
	}
	return metrics
}

// overMain reports whether the evaluation's loss is drawn over that of
// training: when both fit on one scale.
func (s *sheet) overMain() bool {
	if s.main != train.MetricLoss || !s.has(train.MetricEvalLoss) {
		return false
	}
	loss := newestOf(s.lines(train.MetricLoss, s.rank))
	eval := newestOf(s.lines(train.MetricEvalLoss, s.rank))
	first := firstOf(s.lines(train.MetricLoss, s.rank))
	span := max(math.Abs(first-loss), math.Abs(loss)/2)
	return math.Abs(eval-loss) <= 1.5*span
}

// newestOf is the newest mean of some attempts, NaN without one.
func newestOf(lines []*curve) float64 {
	for i := len(lines) - 1; i >= 0; i-- {
		for at := lines[i].len() - 1; at >= 0; at-- {
			if v := lines[i].smooth[at]; finite(v) {
				return v
			}
		}
	}
	return math.NaN()
}

func firstOf(lines []*curve) float64 {
	for _, c := range lines {
		for _, v := range c.smooth {
			if finite(v) {
				return v
			}
		}
	}
	return math.NaN()
}

// focused is the metric that is drawn large.
func (s *sheet) focused() string {
	for _, metric := range s.strips {
		if metric == s.focus {
			return metric
		}
	}
	return s.shown[0]
}

// own is the part of the axis that has points of the job itself.
func (s *sheet) own() window {
	w := s.extent()
	return w.orSome()
}

// extent is own, with low above high where there are no points.
func (s *sheet) extent() window {
	w := window{math.Inf(1), math.Inf(-1)}
	for _, metric := range s.shown {
		low, high := s.span(metric, s.rank)
		w.low, w.high = min(w.low, low), max(w.high, high)
	}
	return w
}

// whole is the part of the axis that has points, of the job and of those that
// are laid over it.
func (s *sheet) whole() window {
	w := s.extent()
	for _, o := range s.others {
		if o.run == nil {
			continue
		}
		for _, metric := range s.shown {
			low, high := o.span(metric, o.rank(metric))
			w.low, w.high = min(w.low, low), max(w.high, high)
		}
	}
	return w.orSome()
}

// orSome is the window, or some other where it has no width.
func (w window) orSome() window {
	if !(w.low <= w.high) {
		return window{0, 1}
	}
	if w.low == w.high {
		w.low, w.high = w.low-0.5, w.high+0.5
	}
	return w
}

// view is the visible part of the axis.
func (s *sheet) view() window {
	if s.window != nil {
		return *s.window
	}
	return s.whole()
}

// xScale maps the view to the dots of some cells.
func (s *sheet) xScale(cells int) draw.Scale {
	w := s.view()
	return draw.NewScale(w.low, w.high, false, cells*draw.DotsX)
}

// at is the point of a metric at a position: the one that counts at or before
// it, or else the first one. c is nil without one.
func (b *curveSet) at(metric string, rank int, x float64) (c *curve, i int) {
	best := math.Inf(-1)
	for _, line := range b.lines(metric, rank) {
		if at := line.before(math.Nextafter(x, math.Inf(1))); at >= 0 && line.xs[at] >= best {
			c, i, best = line, at, line.xs[at]
		}
	}
	if c != nil {
		return c, i
	}
	for _, line := range b.lines(metric, rank) {
		if at := line.after(x); at >= 0 {
			return line, at
		}
	}
	return nil, 0
}
