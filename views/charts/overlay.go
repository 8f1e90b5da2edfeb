package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// letters mark other jobs' curves.
const letters = "abcdefghijklmnopqrstuvwxyz"

// other is another job, laid over.
type other struct {
	curveSet
	id   train.JobID
	name string // the namespace as well where two have one name
	// letter marks its curve where there are no colours, role where there are.
	letter string
	role   themes.Role
	job    *train.Job
}

// layOver lays these jobs over; those that are laid over already keep their
// letters.
func (s *sheet) layOver(ids []train.JobID) {
	s.others = slices.DeleteFunc(s.others, func(o *other) bool { return !slices.Contains(ids, o.id) })
	for _, id := range ids {
		if !slices.ContainsFunc(s.others, func(o *other) bool { return o.id == id }) {
			s.others = append(s.others, &other{id: id, letter: freeLetter(s.others)})
		}
	}
}

// laidOver are the jobs that are laid over.
func (s *sheet) laidOver() []train.JobID {
	ids := make([]train.JobID, len(s.others))
	for i, o := range s.others {
		ids[i] = o.id
	}
	return ids
}

// freeLetter is the first letter that no other job has.
func freeLetter(others []*other) string {
	for i := range len(letters) {
		letter := letters[i : i+1]
		if !slices.ContainsFunc(others, func(o *other) bool { return o.letter == letter }) {
			return letter
		}
	}
	return "?"
}

// loadOthers updates the jobs that are laid over.
func (s *sheet) loadOthers(snapshot *store.Snapshot, theme *themes.Theme) {
	var used []themes.Role
	for _, o := range s.others {
		if job := snapshot.Job(o.id); job != nil {
			o.job = job
		}
		if o.job == nil {
			continue
		}
		o.load(snapshot.Run(o.job), o.job, s.axis, weights[s.weight])
		o.role = freeRole(theme.NameRole(o.job.Ref.Name), used)
		used = append(used, o.role)
	}
	for _, o := range s.others {
		if o.job != nil {
			o.name = s.nameOfOther(o)
		}
	}
}

// nameOfOther is the name of a job, with its namespace where another has the
// same name.
func (s *sheet) nameOfOther(o *other) string {
	same := func(job *train.Job) bool { return job != nil && job.ID != o.id && job.Ref.Name == o.job.Ref.Name }
	if same(s.job) || slices.ContainsFunc(s.others, func(b *other) bool { return same(b.job) }) {
		return o.job.Ref.String()
	}
	return o.job.Ref.Name
}

// freeRole is a colour of names, from the given one on, that no other job has
// and that is neither the job's own nor that of its evaluations.
func freeRole(role themes.Role, used []themes.Role) themes.Role {
	const count = themes.Name5 - themes.Name0 + 1
	for range count {
		if role != roleMain && role != roleOver && !slices.Contains(used, role) {
			return role
		}
		role = themes.Name0 + (role-themes.Name0+1)%count
	}
	return themes.Name4
}

// othersKey changes when the jobs that are laid over change.
func (s *sheet) othersKey() string {
	if len(s.others) == 0 {
		return ""
	}
	var b strings.Builder
	for _, o := range s.others {
		fmt.Fprintf(&b, "%s %p %s%d ", o.id, o.run, o.letter, o.role)
	}
	return b.String()
}

// curves are those to compare with a metric of a sheet.
func (o *other) curves(metric string) []*curve {
	if o.run == nil {
		return nil
	}
	all := o.of(metric)
	if len(all) == 0 {
		return nil
	}
	return o.lines(metric, all[0].key.rank)
}

// otherCurve draws another job's curve of a strip, and its letter at the end of
// it.
func (p *painter) otherCurve(o *other) {
	metric := p.strip.metric
	pen := p.bright(o.role)
	pen.Sparse = p.theme.Name == themes.Plain
	for _, c := range o.curves(metric) {
		p.curve(c, p.values(c), 0, c.kept, pen)
	}
	_, height := p.d.raster.Size()
	v := p.view()
	if c, i := o.at(metric, o.rank(metric), v.high); c != nil && p.d.y.Has(p.values(c)[i]) && p.x.Has(c.xs[i]) {
		column := min(cellOf(p.x.Dot(c.xs[i])), cellOf(p.x.Dots()-1))
		row := height - 1 - p.d.y.Dot(p.values(c)[i])/draw.DotsY
		p.d.raster.Text(column, row, o.letter, draw.Pen{Role: o.role, Layer: draw.LayerSign})
	}
}

// rank is the one whose curve represents the job.
func (o *other) rank(metric string) int {
	if all := o.of(metric); len(all) > 0 {
		return all[0].key.rank
	}
	return 0
}

// valueAt is another job's value of a metric at a position, and by how much the
// sheet's own differs from it; known is false where the other has no value.
func (s *sheet) valueAt(o *other, metric string, x, own float64) (value, by float64, known bool) {
	if o.run == nil {
		return 0, 0, false
	}
	c, i := o.at(metric, o.rank(metric), x)
	if c == nil || x < c.low || x > c.high {
		return 0, 0, false
	}
	value = s.values(c)[i]
	return value, own - value, finite(value)
}

// span is the part of the axis that has points of the job.
func (b *curveSet) span(metric string, rank int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, c := range b.lines(metric, rank) {
		low, high = min(low, c.low), max(high, c.high)
	}
	return low, high
}

// state reports why a job that is laid over is not seen in the focused strip; ""
// when it is seen.
func (s *sheet) state(o *other, drawn *drawn) (text string, outside bool) {
	metric := s.focused()
	if metric == gpuStrip {
		metric = s.main
	}
	switch {
	case o.run == nil:
		return "no curves yet", false
	case !o.has(metric):
		return "no " + nameOf(metric), false
	}
	v := s.view()
	for _, c := range o.curves(metric) {
		from, to := c.sight(0, c.kept, v.low, v.high)
		for i := from; i < to; i++ {
			if x := c.xs[i]; x >= v.low && x <= v.high && drawn.holds(s.values(c)[i]) {
				return "", false
			}
		}
	}
	return "outside the range", true
}

// legendGap is between two names of the legend of jobs.
const legendGap = 3

// mostLegend is the part of the height that the legend of jobs may take.
const mostLegend = 4

// holds reports whether a value is within the y axis of a strip; nil, a strip
// that is not drawn, holds all.
func (d *drawn) holds(value float64) bool {
	return d == nil || value >= d.yRange.low && value <= d.yRange.high
}

// legendLines is how many lines the legend of jobs needs in a plot of some
// height: while all of the axes is shown no job is outside of them.
func (s *sheet) legendLines(width, height int) int {
	n := len(s.jobsLegend(width, func(*other) (string, bool) {
		if s.window == nil && s.y != yFixed {
			return "", false
		}
		return "outside the range", true
	}))
	return min(n, max(1, height/mostLegend))
}

// jobsLegend names the job and those that are laid over, in full, in as many
// lines as they need. state reports why one is not seen, "" when it is.
func (s *sheet) jobsLegend(width int, state func(*other) (text string, outside bool)) []string {
	if len(s.others) == 0 {
		return nil
	}
	var lines []string
	line, empty := draw.NewLine(s.theme, width, false), true
	add := func(parts ...draw.Span) {
		n := 0
		for _, part := range parts {
			n += draw.Width(part.Text)
		}
		if !empty && line.Left() < n+legendGap {
			lines = append(lines, line.String())
			line, empty = draw.NewLine(s.theme, width, false), true
		}
		gap := legendGap
		if empty {
			gap, empty = 1, false
		}
		line.Add(themes.Text, draw.Spaces(gap))
		for _, part := range parts {
			line.Add(part.Role, part.Text)
		}
	}
	if s.job != nil {
		add(draw.Span{Text: s.theme.Glyphs.Rule + " ", Role: roleMain}, draw.Span{Text: draw.Clean(s.job.Ref.Name), Role: themes.Strong})
	}
	hidden := 0
	for _, o := range s.others {
		if o.job == nil {
			continue
		}
		parts := []draw.Span{{Text: o.letter + " ", Role: o.role}, {Text: draw.Clean(o.name), Role: themes.Text}}
		if text, outside := state(o); text != "" {
			role := themes.Dim
			if outside {
				role = themes.Waiting
				hidden++
			}
			parts = append(parts, draw.Span{Text: " (" + draw.Clean(text) + ")", Role: role})
		}
		add(parts...)
	}
	if hidden > 0 {
		add(draw.Span{Text: "0 shows all", Role: themes.Waiting})
	}
	return append(lines, line.String())
}

// State keeps the jobs that are laid over this one.
func (v *View) State() views.State {
	return views.State{Overlays: []views.Overlay{{Job: v.id, With: v.laidOver()}}}
}

// Compared are the job and those that are laid over it.
func (v *View) Compared() []train.JobID { return append([]train.JobID{v.id}, v.laidOver()...) }

// Restore lays the jobs over that were when the job's charts were last left,
// unless the charts were opened with others.
func (v *View) Restore(s views.State) {
	for _, o := range s.Overlays {
		if o.Job == v.id && len(v.route.Others) == 0 {
			v.layOver(o.With)
		}
	}
}
