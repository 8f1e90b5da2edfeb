package charts

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// letters mark other jobs' curves.
const letters = "abcdefghijklmnopqrstuvwxyz"

// othersKey changes when the jobs that are laid over change.
func (s *sheet) othersKey() string {
	if len(s.others) == 0 {
		return ""
	}
	var b strings.Builder
	for _, o := range s.others {
		fmt.Fprintf(&b, "%s %p ", o.id, o.run)
	}
	return b.String()
}

// role is the colour of another job: by its name, so that it keeps it, but
// never that of the job it is compared with.
func (o *other) role(t *themes.Theme) themes.Role {
	if role := t.NameRole(o.name); role != roleMain {
		return role
	}
	return themes.Name4
}

// curves are those to compare with the main metric of a sheet.
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

// otherCurve draws another job's curve, and its letter at the end of it.
func (p *painter) otherCurve(o *other) {
	role := o.role(p.theme)
	pen := p.bright(role)
	pen.Sparse = p.theme.Name == themes.Plain
	for _, c := range o.curves(p.main) {
		p.curve(c, p.values(c), 0, c.kept, pen)
	}
	_, height := p.d.raster.Size()
	v := p.view()
	if c, i := o.at(p.main, o.rank(p.main), v.high); c != nil && p.d.y.Has(p.values(c)[i]) {
		column := min(cellOf(p.x.Dot(c.xs[i])), cellOf(p.x.Dots()-1))
		row := height - 1 - p.d.y.Dot(p.values(c)[i])/draw.DotsY
		p.d.raster.Text(column, row, o.letter, draw.Pen{Role: role, Layer: draw.LayerSign})
	}
}

// rank is the one whose curve represents the job.
func (o *other) rank(metric string) int {
	if all := o.of(metric); len(all) > 0 {
		return all[0].key.rank
	}
	return 0
}

// delta is the difference between the sheet's main metric and another job's at
// a position; any is false where the other has no value.
func (s *sheet) delta(o *other, x, value float64) (by float64, any bool) {
	if o.run == nil || !finite(value) {
		return 0, false
	}
	c, i := o.at(s.main, o.rank(s.main), x)
	if c == nil || x < c.low || x > c.high {
		return 0, false
	}
	by = value - s.values(c)[i]
	return by, finite(by)
}
