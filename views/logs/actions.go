package logs

import (
	"slices"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch v.layer {
	case layerRanks:
		return v.ranks.do(action, f)
	case layerDifferent:
		return v.odd.do(action, f)
	}
	if action == keymap.OpenDiagnosis {
		return views.OpenScreen{Route: views.DiagnosisRoute{Job: v.id}}, true
	}
	if v.job == nil || v.focused() == nil {
		return views.Notice{Text: "there is no log here", Failed: true}, true
	}
	if effect, done := v.move(action, f); done {
		return effect, true
	}
	if effect, done := v.panesDo(action, f); done {
		return effect, true
	}
	if effect, done := v.find(action, f); done {
		return effect, true
	}
	return v.change(action, f)
}

// move carries out actions that move within the logs.
func (v *View) move(action keymap.Action, f views.Frame) (views.Effect, bool) {
	page := max(1, v.pageRows()-1)
	switch action {
	case keymap.LineUp:
		v.scroll(-1, f)
	case keymap.LineDown:
		v.scroll(1, f)
	case keymap.TextPageUp:
		v.scroll(-page, f)
	case keymap.TextPageDn:
		v.scroll(page, f)
	case keymap.TextTop, keymap.LogHead:
		limited := v.allTimes()
		v.toHead(f)
		return limited, true
	case keymap.TextBottom, keymap.LogTail:
		limited := v.allTimes()
		v.followAll()
		return limited, true
	case keymap.ScrollLeft:
		v.sideways(-sideStep)
	case keymap.ScrollRight:
		v.sideways(sideStep)
	case keymap.LogFollow:
		return v.toggleFollow(), true
	default:
		return v.sinceDo(action, f)
	}
	return nil, true
}

// sideStep is how many cells one key scrolls sideways; found by feel.
const sideStep = 8

// pageRows is the height of the scrolled part.
func (v *paneSet) pageRows() int {
	if v.merged {
		return v.merge.height
	}
	return v.focused().pane.height
}

// sideways scrolls the focused pane to the side, or all when columns are locked.
func (v *View) sideways(by int) {
	if v.wrap {
		return
	}
	if v.merged {
		v.merge.left = max(0, v.merge.left+by)
		return
	}
	left := v.focused().pane.left + by
	if by > 0 {
		left = min(left, v.widest(v.focused()))
	}
	v.focused().pane.left = max(0, left)
	if v.locked {
		for _, at := range v.shown {
			v.allRanks[at].pane.left = max(0, left)
		}
	}
}

// widest is how far the lines on the screen reach.
func (v *paneSet) widest(s *rankPane) int {
	most := 0
	for i := range s.pane.rows {
		if s.pane.rows[i].kind == rowLine {
			most = max(most, draw.LogWidth(s.pane.rows[i].line.Text))
		}
	}
	return max(s.pane.left, most-sideStep)
}

// toggleFollow follows everywhere, or pauses everywhere.
func (v *View) toggleFollow() views.Effect {
	if v.merged {
		return v.merge.toggleFollow()
	}
	if v.focused().pane.follow {
		for _, at := range v.shown {
			v.allRanks[at].pane.pause()
		}
		return views.Notice{Text: "paused; s follows again"}
	}
	v.followAll()
	return views.Notice{Text: "following"}
}

func (v *View) followAll() {
	v.merge.resume()
	for _, at := range v.shown {
		v.allRanks[at].pane.resume(v.locked)
	}
}

// toHead goes to the oldest line that is kept.
func (v *View) toHead(f views.Frame) {
	if v.merged {
		v.merge.head(&v.paneSet, f)
		return
	}
	p := &v.focused().pane
	p.pause()
	p.top, p.sub, p.target = 1, 0, 0
	if !v.locked {
		p.left = 0
	}
}

// scroll moves the focused pane by rows. At the end it follows again.
func (v *View) scroll(by int, f views.Frame) {
	if v.merged {
		v.merge.scroll(&v.paneSet, f, by)
		return
	}
	s := v.focused()
	if s == nil || v.grid.first+len(v.grid.boxes) <= v.focus {
		return
	}
	p, b := &s.pane, v.grid.boxes[v.focus-v.grid.first]
	y := v.layout(s, b.width)
	if y == nil || by > 0 && p.follow {
		return
	}
	i, sub := y.begin(p.height)
	p.pause()
	if by < 0 {
		i, sub, _ = y.up(i, sub, -by)
	} else {
		i, sub = y.down(i, sub, by)
	}
	endI, endSub := y.tail(y.Len()-1, p.height)
	if by > 0 && (i > endI || i == endI && sub >= endSub) {
		v.followStep(p)
		return
	}
	p.top, p.sub = y.At(i).Number, sub
}

// followStep follows the focused pane again, and those in step with it.
func (v *View) followStep(p *pane) {
	if v.loose {
		p.resume(true)
		return
	}
	for _, at := range v.shown {
		v.allRanks[at].pane.resume(true)
	}
}

// panesDo carries out actions on panes.
func (v *View) panesDo(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.LogZoom:
		return v.zoom(f), true
	case keymap.LogFullScreen:
		v.alone = !v.alone
	case keymap.LogNextPane:
		v.focus = (v.focus + 1) % len(v.shown)
	case keymap.LogPrevPane:
		v.focus = (v.focus + len(v.shown) - 1) % len(v.shown)
	case keymap.LogNextPage:
		v.turnPage(1)
	case keymap.LogPrevPage:
		v.turnPage(-1)
	case keymap.LogMorePanes:
		return v.morePanes(1), true
	case keymap.LogFewerPanes:
		return v.morePanes(-1), true
	case keymap.LogMerge:
		v.merged = !v.merged
		v.merge.reset()
	case keymap.LogFold:
		v.unfolded = !v.unfolded
	case keymap.LogInStep:
		v.loose = !v.loose
		return views.Notice{Text: choose(v.loose, "each pane scrolls for itself", "panes scroll in step: all show the same moment")}, true
	case keymap.LogRankList:
		v.layer = layerRanks
	case keymap.LogDifferent:
		v.layer = layerDifferent
	default:
		return nil, false
	}
	return nil, true
}

func choose(first bool, one, other string) string {
	if first {
		return one
	}
	return other
}

// zoom shows one pane in full size, or the grid again; from the merged lines
// it opens the rank of the line pointed to.
func (v *View) zoom(f views.Frame) views.Effect {
	if !v.merged {
		v.alone = !v.alone
		return nil
	}
	id, number := v.merge.pointed()
	if number == 0 {
		return views.Notice{Text: "there is no line here", Failed: true}
	}
	v.merged = false
	if v.goTo(f, id, number) {
		v.alone = true
	}
	return nil
}

// turnPage shows the panes of the next ranks.
func (v *paneSet) turnPage(step int) {
	page := v.pageSize()
	pages := (len(v.shown) + page - 1) / page
	v.focus = (v.focus/page + step + pages) % pages * page
}

// change carries out actions that change how logs are shown, or leave them.
func (v *View) change(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.Wrap:
		v.wrap = !v.wrap
		v.sideways(0)
	case keymap.LogColumnLock:
		v.locked = !v.locked
		return views.Notice{Text: choose(v.locked, "columns locked: all panes keep their horizontal place", "columns free")}, true
	case keymap.LogStamps:
		v.stamps = (v.stamps + 1) % stampsCount
		return views.Notice{Text: "timestamps " + v.stamps.String()}, true
	case keymap.LogContainer:
		return v.nextContainer(f), true
	case keymap.LogOlder:
		return v.turnAttempt(f, -1), true
	case keymap.LogNewer:
		return v.turnAttempt(f, 1), true
	case keymap.LogMarker:
		v.mark()
	case keymap.LogClear:
		return v.clear(), true
	case keymap.LogReload:
		return v.reload(), true
	case keymap.LogCharts:
		return v.charts(), true
	case keymap.CopyText:
		return v.copied(f), true
	case keymap.SaveText:
		return v.save(), true
	default:
		return nil, false
	}
	return nil, true
}

// nextContainer shows the next container of the rank.
func (v *View) nextContainer(f views.Frame) views.Effect {
	s := v.focused()
	names := containersOf(f, v.job, s.rankIndex)
	if len(names) < 2 {
		return views.Notice{Text: "this rank has one container: " + draw.Clean(s.rank.Container)}
	}
	now := s.pane.container
	if now == "" {
		now = s.rank.Container
	}
	next := names[(slices.Index(names, now)+1)%len(names)]
	s.pane.container, s.pane.pinned = next, train.StreamID{}
	return views.Notice{Text: "container " + draw.Clean(next)}
}

// turnAttempt shows the attempt before or after the current one.
func (v *View) turnAttempt(f views.Frame, step int) views.Effect {
	p := &v.focused().pane
	v.loadPane(f, v.focused())
	if step < 0 && !p.older() {
		return views.Notice{Text: "there is no earlier attempt of this rank", Failed: true}
	}
	if step > 0 && !p.newer() {
		return views.Notice{Text: "this is the newest attempt", Failed: true}
	}
	return nil
}

// mark draws a line behind the newest line of every pane: later lines are new.
// Where the newest has one, it is removed.
func (v *paneSet) mark() {
	for _, at := range v.shown {
		p := &v.allRanks[at].pane
		number := p.newest()
		if i := slices.Index(p.markers, number); i >= 0 {
			p.markers = slices.Delete(p.markers, i, i+1)
		} else if number > 0 && len(p.markers) < maxMarkers {
			p.markers = append(p.markers, number)
		}
	}
}

const maxMarkers = 100

// clear hides the lines printed so far; again shows them.
func (v *View) clear() views.Effect {
	undo := v.focused().pane.cleared == v.focused().pane.newest()
	for _, at := range v.shown {
		p := &v.allRanks[at].pane
		p.cleared = p.newest()
		if undo {
			p.cleared = 0
		}
		p.resume(v.locked)
	}
	v.merge.reset()
	return views.Notice{Text: choose(undo, "all lines that are kept are shown again", "cleared; C again or 1 brings the lines back")}
}

// reloaded bounds the bytes kept of a log whose dropped lines are read again.
const reloaded = 1 << 30

// reload reads the log from its beginning, with room for the dropped lines.
func (v *View) reload() views.Effect {
	p := &v.focused().pane
	if p.log == nil {
		return views.Notice{Text: "nothing of this log was read yet", Failed: true}
	}
	lines, bytes := p.log.Lines.Dropped()
	if lines == 0 && !p.log.Status.Partial {
		return views.Notice{Text: "all of this log is here"}
	}
	p.whole = true
	need := (int64(p.log.Lines.Bytes()) + bytes + 20*lines) * 5 / 4
	return views.Effects{
		views.SetLogLimit{Stream: p.log.ID, Bytes: int(min(max(need, 64<<20), reloaded))},
		views.Notice{Text: "reading the log of this rank from its beginning"},
	}
}

// charts opens the charts at the step of the line.
func (v *View) charts() views.Effect {
	route := views.ChartsRoute{Job: v.id, Rank: v.focused().rankIndex}
	if v.merged {
		route.Stream, route.Line = v.merge.pointed()
	} else if p := &v.focused().pane; p.log != nil {
		route.Stream, route.Line = p.log.ID, p.pointed()
	}
	return views.OpenScreen{Route: route}
}

// since limits the view to the newest lines.
type since struct {
	length time.Duration
	from   time.Time
}

// allTimes ends the limit, and reports it where there was one.
func (v *View) allTimes() views.Effect {
	if v.since == (since{}) {
		return nil
	}
	v.since = since{}
	return views.Notice{Text: "lines of all times"}
}

func (v *View) sinceDo(action keymap.Action, f views.Frame) (views.Effect, bool) {
	lengths := map[keymap.Action]time.Duration{
		keymap.LogMinute: time.Minute, keymap.LogMinutes5: 5 * time.Minute, keymap.LogMinutes15: 15 * time.Minute,
		keymap.LogMinutes30: 30 * time.Minute, keymap.LogHour: time.Hour,
	}
	length, is := lengths[action]
	if !is {
		return nil, false
	}
	v.since = since{length, f.Now().Add(-length)}
	v.followAll()
	return views.Notice{Text: "lines of the last " + termtext.Duration(length) + "; 0 shows all"}, true
}
