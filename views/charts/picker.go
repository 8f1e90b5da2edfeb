package charts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// picker is a list in front of the charts, of metrics or other jobs: space marks
// rows, enter takes what is marked.
type picker struct {
	title string
	items []pickItem
	// take receives the rows that are marked.
	take   func(marked []string, f views.Frame)
	filter string
	cursor int
	// marked is true once a person marked a row, or took a mark back.
	marked bool
}

// pickItem is a row to choose.
type pickItem struct {
	// key is its identity, name the shown text, note further detail.
	key, name, note string
	on              bool
}

// shown are the rows that pass the filter.
func (p *picker) shown() []pickItem {
	if p.filter == "" {
		return p.items
	}
	var items []pickItem
	for _, item := range p.items {
		if strings.Contains(strings.ToLower(item.name), strings.ToLower(p.filter)) {
			items = append(items, item)
		}
	}
	return items
}

// pick carries out an action of the list.
func (v *View) pick(action keymap.Action, f views.Frame) (views.Effect, bool) {
	items := v.picker.shown()
	switch action {
	case keymap.PickUp:
		v.picker.cursor = max(0, v.picker.cursor-1)
	case keymap.PickDown:
		v.picker.cursor = max(0, min(len(items)-1, v.picker.cursor+1))
	case keymap.PickDone:
		v.picker.done(f)
		v.closePicker()
	case keymap.Pick:
		v.picker.mark()
	default:
		return nil, false
	}
	return nil, true
}

// mark marks the row under the cursor, or takes the mark back.
func (p *picker) mark() {
	items := p.shown()
	if p.cursor >= len(items) {
		return
	}
	p.marked = true
	for i := range p.items {
		if p.items[i].key == items[p.cursor].key {
			p.items[i].on = !p.items[i].on
		}
	}
}

// done takes the marked rows; where a person marked none, that under the cursor
// as well.
func (p *picker) done(f views.Frame) {
	if items := p.shown(); !p.marked && p.cursor < len(items) && !items[p.cursor].on {
		p.mark()
	}
	var keys []string
	for _, item := range p.items {
		if item.on {
			keys = append(keys, item.key)
		}
	}
	p.take(keys, f)
}

func (v *View) closePicker() { v.picker, v.filter = nil, "" }

// SetFilter filters the open list; the charts have nothing to filter.
func (v *View) SetFilter(text string) error {
	if v.picker == nil {
		if text == "" {
			return nil
		}
		return errors.New("m lists metrics and o other jobs, where / narrows the list")
	}
	v.picker.filter, v.filter, v.picker.cursor = text, text, 0
	return nil
}

// Filter is the filter of the open list.
func (v *View) Filter() string { return v.filter }

// pickMetrics opens the list of metrics.
func (v *View) pickMetrics() {
	p := &picker{title: "metrics that have a strip: space marks, enter takes, esc leaves all as it was", take: v.takeMetrics}
	for _, metric := range v.run.Metrics {
		tracks := v.run.Tracks(metric)
		if len(tracks) == 0 {
			continue
		}
		last := tracks[len(tracks)-1]
		note := ""
		if n := len(last.Values); n > 0 {
			note = draw.Value(last.Values[n-1])
		}
		p.items = append(p.items, pickItem{metric, nameOf(metric), note, slices.Contains(v.shown, metric)})
	}
	if v.gpus.measured {
		p.items = append(p.items, pickItem{gpuStrip, nameOf(gpuStrip), "rows of GPUs", slices.Contains(v.strips, gpuStrip)})
	}
	v.picker = p
}

// takeMetrics shows these metrics and no others.
func (s *sheet) takeMetrics(marked []string, _ views.Frame) {
	for _, metric := range append(slices.Clone(s.run.Metrics), gpuStrip) {
		if slices.Contains(marked, metric) != slices.Contains(s.strips, metric) {
			s.toggleMetric(metric)
		}
	}
}

func (s *sheet) toggleMetric(metric string) {
	without := func(all []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(m string) bool { return m == metric })
	}
	if slices.Contains(s.strips, metric) {
		s.fewer, s.more = append(s.fewer, metric), without(s.more)
	} else {
		s.fewer, s.more = without(s.fewer), append(s.more, metric)
	}
	s.list()
}

// pickJobs opens the list of jobs to lay over: those that have curves, and on a
// live cluster those whose logs were not read yet.
func (v *View) pickJobs(f views.Frame) views.Effect {
	p := &picker{title: "jobs to lay over this one: space marks, enter takes, esc leaves all as it was", take: v.takeJobs}
	without := 0
	for _, j := range append(slices.Clone(f.Snapshot.Jobs()), f.Snapshot.LogJobs()...) {
		if j.ID == v.id || !j.Training && !j.LogsOnly {
			continue
		}
		note, offered := f.Curves(j)
		on := slices.ContainsFunc(v.others, func(o *other) bool { return o.id == j.ID })
		if !offered && !on {
			without++
			continue
		}
		p.items = append(p.items, pickItem{string(j.ID), j.Ref.String(), note, on})
	}
	switch {
	case len(p.items) == 0 && without > 0:
		return views.Notice{Text: "none of the " + draw.Plural(without, "other training job") + " has curves"}
	case len(p.items) == 0:
		return views.Notice{Text: "there is no other training job to lay over"}
	case without > 0:
		p.title += fmt.Sprintf("   (%d without curves)", without)
	}
	v.picker = p
	return nil
}

// takeJobs lays these jobs over. A chart that is not zoomed widens to hold
// them.
func (v *View) takeJobs(marked []string, f views.Frame) {
	ids := make([]train.JobID, len(marked))
	for i, id := range marked {
		ids[i] = train.JobID(id)
	}
	v.layOver(ids)
	v.loadOthers(f.Snapshot, f.Theme)
	if v.zoom.window == nil && v.window != nil && v.run != nil {
		whole := v.whole()
		v.window = &whole
	}
}

// render draws the list around its cursor.
func (p *picker) render(f views.Frame) []string {
	items := p.shown()
	p.cursor = max(0, min(p.cursor, len(items)-1))
	lines := []string{f.Line().Add(themes.Heading, "  "+p.title).String(), ""}
	room := max(1, f.Height-len(lines))
	from := max(0, min(p.cursor-room/2, len(items)-room))
	for i := from; i < min(len(items), from+room); i++ {
		item := items[i]
		line := draw.NewLine(f.Theme, f.Width, i == p.cursor)
		sign, mark := " ", "[ ] "
		if i == p.cursor {
			sign = f.Theme.Glyphs.Cursor
		}
		if item.on {
			mark = "[x] "
		}
		lines = append(lines, line.Add(themes.Accent, sign+" ").Add(themes.Marked, mark).Fit(themes.Text, draw.Clean(item.name), max(10, f.Width*2/3), false).
			Add(themes.Dim, "  "+draw.Clean(item.note)).String())
	}
	if len(items) == 0 {
		lines = append(lines, f.Line().Add(themes.Dim, fmt.Sprintf("  nothing here contains %q", draw.Clean(p.filter))).String())
	}
	return draw.Lines(lines, f.Height)
}
