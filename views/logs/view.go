package logs

import (
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the logs of one job.
type View struct {
	finder
	// begin is the initial position, nil once it was applied.
	begin *views.LogsRoute

	layer layer
	ranks rankList
	odd   differentList

	saving bool // files are to be made
}

// layer is what is in front of the panes.
type layer uint8

const (
	layerNone layer = iota
	layerRanks
	layerDifferent
)

// New makes the screen for a job, the ranks to begin with, or a line of a log.
func New(r views.LogsRoute) *View {
	v := &View{finder: finder{paneSet: paneSet{id: r.Job}}, begin: &r}
	v.ranks, v.odd = newRankList(v), newDifferentList(v)
	return v
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "logs" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope {
	switch v.layer {
	case layerRanks:
		return keymap.LogRanks
	case layerDifferent:
		return keymap.LogsDifferent
	}
	return keymap.Logs
}

// Render draws the panes, or the layer in front of them.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	if v.job == nil {
		if texts := f.Missing(); texts != nil && !f.Snapshot.Settled() {
			return f.Message(texts...)
		}
		return f.Message("this job is there no more", "esc goes back")
	}
	d := drawer{&v.paneSet}
	switch {
	case v.layer == layerRanks:
		return v.ranks.render(f)
	case v.layer == layerDifferent:
		return v.odd.render(f)
	case len(v.shown) == 0:
		return f.Message("no ranks", "the job asks for none, or what it asks for could not be read")
	case v.merged:
		return d.drawMerged(f)
	}
	return d.drawGrid(f)
}

// focused is the rank whose pane keys apply to; nil without any.
func (v *paneSet) focused() *rankPane {
	if len(v.shown) == 0 {
		return nil
	}
	v.focus = max(0, min(v.focus, len(v.shown)-1))
	return v.allRanks[v.shown[v.focus]]
}

// Click handles the mouse: a pane, and the line in it; twice is full size.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	switch {
	case v.layer == layerRanks:
		return v.ranks.Click(x, y, double, f)
	case v.layer == layerDifferent:
		return v.odd.Click(x, y, double, f)
	case v.merged:
		v.merge.click(y)
		return nil
	}
	at, row, hit := v.grid.hit(x, y)
	if !hit || at >= len(v.shown) {
		return nil
	}
	v.focus = at
	v.focused().pane.point(row)
	if double {
		v.alone = !v.alone
	}
	return nil
}

// Wheel scrolls.
func (v *View) Wheel(lines int, f views.Frame) {
	switch {
	case v.layer == layerRanks:
		v.ranks.Wheel(lines, f)
	case v.layer == layerDifferent:
		v.odd.Wheel(lines, f)
	default:
		v.scroll(lines, f)
	}
}

// StepBack closes the newest layer in front of the grid.
func (v *View) StepBack() bool {
	switch {
	case v.layer == layerRanks && v.ranks.Filter() != "":
		return v.ranks.SetFilter("") == nil
	case v.layer == layerDifferent && v.odd.Filter() != "":
		return v.odd.SetFilter("") == nil
	case v.layer != layerNone:
		v.layer = layerNone
	case v.search.text != "":
		_ = v.setSearch("") // nothing is no broken expression
	case v.lineFilter.text != "":
		v.lineFilter.end()
		v.lineFilter = lineFilter{}
	case v.alone && !v.lone:
		v.alone = false
	default:
		return false
	}
	return true
}

// Crumb names the job where the screen before does not.
func (v *View) Crumb() string {
	if v.job == nil {
		return v.Name()
	}
	return "logs of " + draw.Clean(v.job.Ref.Name)
}
