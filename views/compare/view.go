// Package compare shows runs side by side: what their metrics reached, what
// they cost, and what differs in their specifications. The comparison is made
// off the event loop by views/columns/comparison.
package compare

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/comparison"
	"github.com/traintop/traintop/views/draw"
)

// View is some runs side by side.
type View struct {
	views.Rows[row]
	ids []train.JobID
	// made is the newest comparison, nil before the first; of is the state of
	// the snapshot that it was made from.
	made    *comparison.Comparison
	of      versions
	version uint64
	// first is the first run that has a column, fit how many fit.
	first, fit int
	arranged   arranged
	head       int // lines above the table as last drawn
}

// row is a fact and its place in the order.
type row struct {
	comparison.Row
	index int
}

// versions are those of a snapshot that a comparison depends on.
type versions struct {
	jobs, logs, objects uint64
	now                 time.Time
}

// New makes the screen for some jobs.
func New(r views.CompareRoute) *View {
	v := &View{ids: slices.Clone(r.Jobs)}
	v.Noun = "fact"
	v.Key = func(r row) string { return string(r.Group) + "/" + r.Title }
	v.First, v.FirstName = func(a, b row) int { return cmp.Compare(a.index, b.index) }, "kind of fact"
	v.Ref = func(row) train.Ref { return train.Ref{} }
	v.Detail = v.detail
	v.Enter = func(r row, _ views.Frame) views.Effect { return v.charts(r.Metric) }
	return v
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "compare" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Compare }

// Title counts the runs and names the step they are compared at.
func (v *View) Title(views.Frame) views.Title {
	title := views.Title{Text: "Compare " + draw.Plural(len(v.ids), "run"), Filter: v.FilterLine()}
	if v.made == nil {
		return title
	}
	if v.made.At == v.made.At {
		title.Parts = append(title.Parts, draw.Span{Text: "same " + v.made.Unit + " " + draw.Step(v.made.At), Role: themes.Text})
	}
	if n := len(v.made.Differences); n > 0 {
		title.Parts = append(title.Parts, draw.Span{Text: draw.Plural(n, "difference"), Role: themes.Accent})
	}
	if v.fit > 0 && v.fit < len(v.made.Runs) {
		title.Note = fmt.Sprintf("runs %d-%d of %d, ← → shows others", v.first+1, v.first+v.fit, len(v.made.Runs))
	}
	return title
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.CompareLeft:
		v.scroll(-1)
	case keymap.CompareRight:
		v.scroll(1)
	case keymap.OpenCharts:
		return v.charts(""), true
	case keymap.CopyName, keymap.CopyNS:
		return v.copied(), true
	case keymap.Save:
		return v.saved(), true
	default:
		return v.Rows.Do(action, f)
	}
	return nil, true
}

// scroll shows the runs to one side.
func (v *View) scroll(by int) {
	if v.made != nil {
		v.first = max(0, min(v.first+by, len(v.made.Runs)-v.fit))
	}
}

// charts opens the curves of the first run in sight with the others laid over,
// a metric drawn large.
func (v *View) charts(metric string) views.Effect {
	at := min(v.first, len(v.ids)-1)
	if at < 0 {
		return nil
	}
	others := slices.Delete(slices.Clone(v.ids), at, at+1)
	return views.OpenScreen{Route: views.ChartsRoute{Job: v.ids[at], Others: others, Metric: metric}}
}

func (v *View) copied() views.Effect {
	if v.made == nil {
		return nil
	}
	var text bytes.Buffer
	if err := v.made.Markdown(&text); err != nil {
		return views.Notice{Text: err.Error(), Failed: true}
	}
	return views.CopyText{Text: text.String(), Notice: "copied as a table of Markdown"}
}

func (v *View) saved() views.Effect {
	if v.made == nil {
		return nil
	}
	var text bytes.Buffer
	if err := v.made.CSV(&text); err != nil {
		return views.Notice{Text: err.Error(), Failed: true}
	}
	return views.SaveFiles{Files: []views.File{{Name: "compare.csv", Text: text.String()}}}
}

// Streams are the logs of all runs, from their beginning.
func (v *View) Streams(views.Frame) []streams.Want {
	wants := make([]streams.Want, len(v.ids))
	for i, id := range v.ids {
		wants[i] = streams.Want{Job: id, Previous: true, Whole: true, Shown: true}
	}
	return wants
}

// pause is the time between two comparisons while numbers keep changing.
const pause = time.Second

// Work makes the comparison anew when what it depends on has changed.
func (v *View) Work(f views.Frame) func(context.Context) any {
	s := f.Snapshot
	now := versions{s.JobsVersion, s.LogsVersion, s.ObjectsVersion, s.Now}
	same := now
	same.now = v.of.now
	passed := now.now.Sub(v.of.now)
	if v.made != nil && (same == v.of || passed > 0 && passed < pause) {
		return nil
	}
	ids := v.ids
	return func(context.Context) any { return compared{comparison.Make(s, jobsOf(s, ids)), now} }
}

// compared is the result of a comparison.
type compared struct {
	made *comparison.Comparison
	of   versions
}

// jobsOf are the jobs that are still there.
func jobsOf(s *store.Snapshot, ids []train.JobID) []*train.Job {
	var jobs []*train.Job
	for _, id := range ids {
		if job := s.Job(id); job != nil {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// Worked takes the comparison.
func (v *View) Worked(result any, _ views.Frame) views.Effect {
	if c, is := result.(compared); is {
		v.made, v.of = c.made, c.of
		v.version++
	}
	return nil
}

// Click handles the mouse below the names.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	return v.Rows.Click(x, y-v.head, double, f)
}

// Render draws the names of the runs and the table.
func (v *View) Render(f views.Frame) []string {
	switch {
	case v.made == nil:
		return f.Message("comparing" + f.Theme.Glyphs.Ellipsis)
	case len(v.made.Runs) < 2:
		return f.Message("there is nothing to compare: "+draw.Plural(len(v.made.Runs), "run")+" of these is left", "esc goes back")
	}
	v.arrange(f)
	rows := slices.DeleteFunc(v.made.Rows(), func(r comparison.Row) bool { return r.Title == comparison.TitlePhase }) // beside the names
	v.Load(draw.Version{Data: v.version<<16 + uint64(v.first)<<8 + uint64(v.fit)}, f.Ink(), func() []row {
		all := make([]row, len(rows))
		for i := range rows {
			all[i] = row{rows[i], i}
		}
		return all
	})
	head := v.names(f)
	v.head = len(head)
	f.Height = max(0, f.Height-len(head))
	return append(head, v.Body(f, func() []string { return []string{"nothing is known of these runs"} })...)
}
