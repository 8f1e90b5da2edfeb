package charts

import (
	"slices"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// Preview is the curve of a job's main metric on another screen.
type Preview struct{ sheet }

// leastPreview is how high a curve has to be to have a shape.
const leastPreview = 5

// Render draws the curve of a rank, or of the first that prints the metric, in
// some lines; nil where there is no curve or too little room.
func (p *Preview) Render(f views.Frame, job *train.Job, rank, width, height int) []string {
	run := f.Snapshot.Run(job)
	if run == nil || mainOf(run) == "" || height < leastPreview || width < leastWidth {
		return nil
	}
	p.silent = f.Snapshot.Silent()
	p.take(run, job, f.Now(), f.Theme)
	ranks := p.curveSet.ranks(p.main)
	if p.rank = ranks[0]; slices.Contains(ranks, rank) {
		p.rank = rank
	}
	p.shown = []string{p.main}
	p.strips = p.shown
	p.gatherMarks()
	st := strip{metric: p.main, height: height - 1}
	if p.main == train.MetricLoss && p.overMain() {
		st.over = train.MetricEvalLoss
	}
	w := rowWriter{&p.sheet, frameOf(width), -1, p.whole().high}
	return append(w.stripRows(st), w.xRow())
}
