package charts

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the charts of one job.
type View struct {
	viewport
	route  views.ChartsRoute
	id     train.JobID
	known  *train.Job // as last seen; stays when the job is deleted
	found  bool       // the line to begin with was searched
	empty  bool       // no curves were found when it was last looked
	unread bool       // and no line of a log

	// ranked is true once a person chose whether to show the ranks.
	ranked bool
	// pane shows log lines; nil until a person chooses.
	pane   *bool
	picker *picker
	filter string
	near   nearest
}

// New makes the screen for a job; the crosshair begins on the line of a log
// where the route names one.
func New(r views.ChartsRoute) *View {
	v := &View{route: r, id: r.Job, viewport: viewport{tail: tail{live: true}, sheet: sheet{gpus: &gpuRows{}}}}
	v.focus = r.Metric
	v.layOver(r.Others)
	return v
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "charts" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope {
	switch {
	case v.picker != nil:
		return keymap.ChartPicker
	case v.empty && v.unread:
		return keymap.NoLog
	case v.empty:
		return keymap.NoCurves
	}
	return keymap.Charts
}

// Title names the job, whether the chart is live, and the drawing settings.
func (v *View) Title(f views.Frame) views.Title {
	if v.known == nil {
		return views.Title{Text: "Charts"}
	}
	ref := v.known.Ref
	title := views.Title{Text: draw.Clean(ref.Name), Filter: v.filter}
	if !v.known.LogsOnly {
		state := draw.Phase(f.Theme, v.known.Phase)
		title.Parts = append(title.Parts, draw.Span{Text: state.String(), Role: state.Role})
	}
	if deleted := f.Snapshot.Job(v.id) == nil; deleted {
		title.Parts = append(title.Parts, draw.Span{Text: "deleted; this is how it was last seen", Role: themes.Bad})
	} else if v.run != nil && v.main != "" {
		title.Parts = append(title.Parts, v.tailState(f))
	}
	if v.run != nil && v.main != "" {
		title.Note = v.howShown()
	}
	return title
}

// howShown names the current settings.
func (v *View) howShown() string {
	text := "x: " + v.axisWord() + "   EMA " + weightText(weights[v.weight]) + "   y: " + v.y.String()
	if v.weight == 0 {
		text = "x: " + v.axisWord() + "   no smoothing   y: " + v.y.String()
	}
	if v.log {
		text += ", log"
	}
	if ranks := len(v.curveSet.ranks(v.main)); ranks > 1 {
		// Of all ranks of the job, not of those whose logs are read now.
		text += fmt.Sprintf("   rank %d of %d", v.rank, max(ranks, len(v.known.Ranks)))
	}
	return text
}

// load updates everything from the newest snapshot. It returns why there is
// nothing to draw, nil when there is.
func (v *View) load(f views.Frame) []string {
	if job := f.Snapshot.Job(v.id); job != nil {
		v.known = job
	}
	if v.known == nil {
		if texts := f.Missing(); texts != nil && !f.Snapshot.Settled() {
			return texts
		}
		return []string{"this job is there no more", "esc goes back"}
	}
	run := f.Snapshot.Run(v.known)
	if run == nil || mainOf(run) == "" {
		logs := logsOf(f, v.known)
		v.run, v.empty, v.unread = nil, true, linesOf(logs) == 0
		if v.unread {
			return unread(f, v.known, logs)
		}
		return v.near.nothing(f, logs)
	}
	v.job, v.empty = v.known, false
	v.loadOthers(f.Snapshot, f.Theme)
	v.gpus.load(f, v.known)
	v.hangs = f.Diagnosis.MakesNoSteps(v.id)
	v.silent = f.Snapshot.Silent()
	v.take(run, v.known, f.Now(), f.Theme)
	v.begin()
	v.follow()
	return nil
}

// begin searches once for the rank and the line that the screen was opened
// with.
func (v *View) begin() {
	if v.found {
		return
	}
	v.found = true
	ranks := v.curveSet.ranks(v.main)
	v.rank = ranks[0]
	if p := v.route.Rank; p > 0 && p < len(v.known.Ranks) {
		for _, rank := range ranks {
			if rank == v.known.Ranks[p].Index {
				v.rank = rank
			}
		}
	}
	if !v.ranked {
		v.allRanks = len(ranks) > 1
	}
	if v.route.Line > 0 {
		v.crossToLine(v.route.Stream, v.route.Line)
	}
	v.take(v.run, v.known, v.now, v.theme)
}

// Streams are the ranks that print metrics, of the job and of those laid over
// it, from the beginning of their logs.
func (v *View) Streams(views.Frame) []streams.Want {
	wants := []streams.Want{{Job: v.id, Whole: true, Shown: true}}
	if v.route.Rank > 0 {
		wants = append(wants, streams.Want{Job: v.id, Ranks: []int{v.route.Rank}, Whole: true, Shown: true})
	}
	for _, o := range v.others {
		wants = append(wants, streams.Want{Job: o.id, Whole: true})
	}
	return wants
}

// Progress is the share of training that is done; known is false when it is
// unknown or nothing runs.
func (v *View) Progress(f views.Frame) (share float64, known bool) {
	if v.run == nil || v.known == nil || v.known.Phase.Terminal() {
		return 0, false
	}
	share = v.doneShare()
	return share, finite(share)
}

// Render draws the charts, or why there are none.
func (v *View) Render(f views.Frame) []string {
	if why := v.load(f); why != nil {
		v.laid = layout{}
		return f.Message(why...)
	}
	if v.run.StepTime > 0 && v.run.StepTime < time.Minute {
		f.Ages.Soon(time.Second)
	}
	switch {
	case v.picker != nil:
		return v.picker.render(f)
	case f.Width < leastWidth || f.Height < leastHeight:
		return v.small(f)
	}
	return v.charts(f)
}

// logOf is the log of a stream, nil when nothing is kept of it.
func logOf(f views.Frame, id train.StreamID) *store.Log { return f.Snapshot.Log(id) }

// role of the tail's state.
const roleLive = themes.Good
