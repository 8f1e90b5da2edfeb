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

// picker is a list in front of the charts: metrics or other jobs.
type picker struct {
	title  string
	items  []pickItem
	toggle func(name string)
	filter string
	cursor int
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
		v.closePicker()
	case keymap.Pick:
		if v.picker.cursor < len(items) {
			v.picker.toggle(items[v.picker.cursor].key)
			for i := range v.picker.items {
				if v.picker.items[i].key == items[v.picker.cursor].key {
					v.picker.items[i].on = !v.picker.items[i].on
				}
			}
		}
	default:
		return nil, false
	}
	return nil, true
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
	p := &picker{title: "metrics: those that are marked have a strip", toggle: v.toggleMetric}
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

// pickJobs opens the list of jobs to lay over.
func (v *View) pickJobs(f views.Frame) views.Effect {
	p := &picker{title: "other jobs: those that are marked are laid over", toggle: func(id string) { v.toggleJob(train.JobID(id), f) }}
	for _, j := range append(slices.Clone(f.Snapshot.Jobs()), f.Snapshot.LogJobs()...) {
		if j.ID == v.id || !j.Training && !j.LogsOnly {
			continue
		}
		on := slices.ContainsFunc(v.others, func(o *other) bool { return o.id == j.ID })
		p.items = append(p.items, pickItem{string(j.ID), j.Ref.String(), string(j.Phase), on})
	}
	if len(p.items) == 0 {
		return views.Notice{Text: "there is no other training job to lay over"}
	}
	v.picker = p
	return nil
}

func (v *View) toggleJob(id train.JobID, f views.Frame) {
	n := len(v.others)
	if v.others = slices.DeleteFunc(v.others, func(o *other) bool { return o.id == id }); len(v.others) < n {
		return
	}
	job := f.Snapshot.Job(id)
	if job == nil {
		return
	}
	v.others = append(v.others, &other{id: id, name: job.Ref.Name, letter: freeLetter(v.others), job: job})
	v.loadOthers(f)
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
