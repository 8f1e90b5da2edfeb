package charts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// far is the number of columns of a big step of the crosshair.
const far = 10

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if v.picker != nil {
		return v.pick(action, f)
	}
	switch action { // actions that need no curves
	case keymap.ChartLogs:
		return views.OpenScreen{Route: views.LogsRoute{Job: v.id, Ranks: v.shownRank()}}, true
	case keymap.OpenDiagnosis:
		return views.OpenScreen{Route: views.DiagnosisRoute{Job: v.id}}, true
	case keymap.MakePattern:
		return views.OpenScreen{Route: views.PatternRoute{Job: v.id}}, true
	case keymap.OpenCompare:
		return views.Compare(v.Compared(), "o lays other jobs over this one, and "), true
	case keymap.ChartPane:
		shown := !v.paneShown()
		v.pane = &shown
		return nil, true
	}
	if v.load(f) != nil {
		return views.Notice{Text: "there are no curves yet"}, isChartAction(action)
	}
	for _, do := range []func(keymap.Action, views.Frame) (views.Effect, bool){v.doMove, v.doLook, v.doZoom, v.doTake} {
		if effect, done := do(action, f); done {
			v.load(f)
			return effect, true
		}
	}
	return nil, false
}

func isChartAction(action keymap.Action) bool { return strings.HasPrefix(string(action), "charts.") }

// doMove carries out actions that move the crosshair.
func (v *viewport) doMove(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.ChartLeft:
		v.move(-1)
	case keymap.ChartRight:
		v.move(1)
	case keymap.ChartFarLeft:
		v.move(-far)
	case keymap.ChartFarRight:
		v.move(far)
	case keymap.ChartFirst:
		if c, i := v.nearest(v.own().low); c != nil {
			v.put(c, i)
		}
	case keymap.ChartLive:
		v.resume()
	case keymap.ChartPause:
		if v.tail.live {
			v.pause()
		} else {
			v.resume()
		}
	case keymap.ChartPrevMark, keymap.ChartNextMark:
		return v.doMark(action == keymap.ChartNextMark), true
	case keymap.ChartTrouble, keymap.ChartTroubleN:
		return v.doTrouble(action == keymap.ChartTrouble), true
	case keymap.ChartGoTo:
		return views.AskLine{Question: views.Question{Sign: "go to ", Hint: "a step (12400, 12.4k) or a time (14:07, 14:07:31, -5m)"}}, true
	default:
		return nil, false
	}
	return nil, true
}

func direction(forward bool) int {
	if forward {
		return 1
	}
	return -1
}

func (v *viewport) doMark(forward bool) views.Effect {
	m := v.toMark(direction(forward), false, func(*mark) bool { return true })
	if m == nil {
		return views.Notice{Text: "there is no further mark"}
	}
	return v.said(m.words())
}

func (v *viewport) doTrouble(forward bool) views.Effect {
	trouble := func(m *mark) bool { return m.kind == markBroken || m.kind == markSpike }
	m := v.toMark(direction(forward), true, trouble)
	if m == nil {
		return views.Notice{Text: "there is no spike and no value that is no number"}
	}
	return v.said(m.words())
}

// said returns a notice of what the crosshair has reached.
func (v *viewport) said(happened string) views.Effect {
	c, i := v.point()
	if c == nil {
		return nil
	}
	return views.Notice{Text: strings.TrimSpace(draw.Clean(fmt.Sprintf("%s %s at %s %s  %s",
		nameOf(c.key.metric), draw.Value(c.track.Values[i]), v.stepWord(), draw.Step(c.row(i).X), happened)))}
}

// doLook carries out actions that change how curves are drawn.
func (v *View) doLook(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.ChartOthers:
		return v.pickJobs(f), true
	case keymap.ChartSmooth:
		v.weight, v.chosen = (v.weight+1)%len(weights), true
	case keymap.ChartY:
		v.turnY()
	case keymap.ChartLog:
		v.log = !v.log
	case keymap.ChartX:
		return v.turnAxis(), true
	case keymap.ChartRanks:
		v.ranked, v.allRanks = true, !v.allRanks
		if len(v.curveSet.ranks(v.main)) < 2 {
			return views.Notice{Text: "only one rank prints " + draw.Clean(nameOf(v.main))}, true
		}
	case keymap.ChartRank:
		ranks := v.curveSet.ranks(v.main)
		v.rank = ranks[(slices.Index(ranks, v.rank)+1)%len(ranks)]
		v.crosshair.set = false
	case keymap.ChartUp, keymap.ChartDown:
		at := slices.Index(v.strips, v.focused()) + direction(action == keymap.ChartDown)
		v.focus = v.strips[(at+len(v.strips))%len(v.strips)]
	case keymap.ChartMetrics:
		v.pickMetrics()
	case keymap.ChartGPUs:
		return v.turnGPUs(), true
	default:
		return nil, false
	}
	return nil, true
}

// turnY changes how the range of the y axis is chosen; fixing it keeps the
// current range.
func (v *View) turnY() {
	v.y = (v.y + 1) % yModes
	v.fixed = nil
	if v.y == yFixed {
		v.fixed = map[string]yRange{}
		for metric, d := range v.drawn {
			v.fixed[metric] = d.yRange
		}
	}
}

// doZoom carries out actions that change the visible part of the x axis.
func (v *viewport) doZoom(action keymap.Action, _ views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.ChartZoomIn:
		v.zoomBy(0.5)
	case keymap.ChartZoomOut:
		v.zoomBy(2)
	case keymap.ChartZoomTo:
		return v.markZoom(), true
	case keymap.ChartUndo:
		return v.undoZoom(), true
	case keymap.ChartWhole:
		v.showAll()
	case keymap.ChartHour:
		return v.zoomToHour(), true
	case keymap.ChartPanLeft:
		v.pan(-0.25)
	case keymap.ChartPanRight:
		v.pan(0.25)
	default:
		return nil, false
	}
	return nil, true
}

// showAll shows the whole of all runs, on axes that hold all of it.
func (v *viewport) showAll() {
	if v.y == yFixed {
		v.y, v.fixed = yRobust, nil
	}
	v.zoomTo(v.whole(), false)
}

// doTake carries out actions that open something from a point, or copy and save
// data.
func (v *View) doTake(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.ChartLine:
		return v.openLine(), true
	case keymap.ChartCopy:
		c, i := v.point()
		if c == nil {
			return nil, true
		}
		return views.CopyText{Text: pointText(c, i), Notice: "copied the point"}, true
	case keymap.ChartCopyCSV:
		return v.copyCSV(f), true
	case keymap.ChartSave:
		name := views.FileName(v.known.Ref.Name+"-curves") + ".csv"
		return views.SaveFiles{Files: []views.File{{Name: name, Text: v.csv()}}, Note: v.notAll(f)}, true
	}
	return nil, false
}

// shownRank is the index in Job.Ranks of the rank whose curves are bright; nil
// while there are none.
func (v *View) shownRank() []int {
	if v.run == nil || v.main == "" {
		return nil
	}
	lines := v.lines(v.main, v.rank)
	if len(lines) == 0 || lines[len(lines)-1].track.Rank < 0 {
		return nil
	}
	return []int{lines[len(lines)-1].track.Rank}
}

// openLine opens the log line that the point was read from.
func (v *View) openLine() views.Effect {
	c, i := v.point()
	if c == nil {
		return nil
	}
	return views.OpenScreen{Route: views.LogsRoute{Job: v.id, Stream: c.key.stream, Line: c.row(i).Line}}
}

// StepBack closes a list, or cancels a zoom that was begun.
func (v *View) StepBack() bool {
	switch {
	case v.picker != nil:
		v.closePicker()
	case v.zoom.mark != nil:
		v.zoom.mark = nil
	default:
		return false
	}
	return true
}

// Typed checks the typed position.
func (v *View) Typed(_ views.Question, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	_, _, err := parsePosition(text, v.now)
	return err
}

// Answered moves the crosshair to the typed position.
func (v *View) Answered(_ views.Question, text string, f views.Frame) views.Effect {
	step, at, err := parsePosition(text, f.Now())
	if err != nil {
		return views.Notice{Text: err.Error(), Failed: true}
	}
	if v.load(f) != nil {
		return nil
	}
	best, i := (*curve)(nil), 0
	for _, c := range v.lines(v.main, v.rank) {
		n := -1
		for k := range c.kept {
			r := c.row(k)
			if at.IsZero() && r.X <= step || !at.IsZero() && r.Time != 0 && r.Time <= at.UnixNano() {
				n = k
			}
		}
		if n >= 0 {
			best, i = c, n
		}
	}
	if best == nil {
		return views.Notice{Text: "there is no point at or before " + text, Failed: true}
	}
	v.put(best, i)
	return v.said(v.markAt(best, i))
}

// parsePosition reads a step, a time of the day (UTC) or how long ago.
func parsePosition(text string, now time.Time) (step float64, at time.Time, err error) {
	text = strings.TrimSpace(text)
	if ago, err := time.ParseDuration(strings.TrimPrefix(text, "-")); err == nil && strings.HasPrefix(text, "-") {
		return 0, now.Add(-ago), nil
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if clock, err := time.Parse(layout, text); err == nil {
			y, m, d := now.UTC().Date()
			at = time.Date(y, m, d, clock.Hour(), clock.Minute(), clock.Second(), 0, time.UTC)
			if at.After(now) {
				at = at.AddDate(0, 0, -1)
			}
			return 0, at, nil
		}
	}
	factor := 1.0
	number := strings.ReplaceAll(text, ",", "")
	for suffix, by := range map[string]float64{"k": 1e3, "M": 1e6} {
		if strings.HasSuffix(number, suffix) {
			number, factor = strings.TrimSuffix(number, suffix), by
		}
	}
	step, err = strconv.ParseFloat(number, 64)
	if err != nil || !finite(step) {
		return 0, time.Time{}, fmt.Errorf("%q is neither a step (12400, 12.4k) nor a time (14:07, -5m)", text)
	}
	return step * factor, time.Time{}, nil
}
