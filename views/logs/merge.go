package logs

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// merge is the view of all shown ranks by time.
type merge struct {
	paused bool
	top    lineNumbers // when paused: the lines at the top
	left   int
	seen   int64 // newest lines of all logs when it was paused, summed

	// As last drawn.
	entries []entry
	first   lineNumbers // of entries[0]
	rows    []mergedRow
	height  int

	target   train.StreamID // the line pointed to; number 0 for the last shown
	targetAt int64
}

// mergedRow is a row of the screen: a row of the text of an entry.
type mergedRow struct{ entry, part int }

// mostWalked bounds the lines that are read to fill a screen. Where many ranks
// print the same, entries at its far end count some ranks too few.
const mostWalked = 4096

func (m *merge) reset() {
	*m = merge{height: m.height}
}

func (m *merge) follow() bool { return !m.paused }

func (m *merge) resume() {
	m.paused, m.top, m.targetAt = false, nil, 0
}

func (m *merge) pause(v *paneSet) {
	if !m.paused {
		m.paused, m.top, m.seen = true, m.first, v.newestOfAll()
	}
}

func (m *merge) toggleFollow() views.Effect {
	if m.paused {
		m.resume()
		return views.Notice{Text: "following"}
	}
	m.paused, m.top, m.seen = true, m.first, 0
	return views.Notice{Text: "paused; s follows again"}
}

func (m *merge) unseen(v *paneSet) int64 {
	if !m.paused || m.seen == 0 {
		return 0
	}
	return max(0, v.newestOfAll()-m.seen)
}

// newestOfAll sums the numbers of the newest lines.
func (v *paneSet) newestOfAll() int64 {
	sum := int64(0)
	for _, at := range v.shown {
		sum += v.allRanks[at].pane.newest()
	}
	return sum
}

// tracks are the logs that are merged, at their beginnings, in the order of ranks.
func (v *paneSet) tracks() []*track {
	var tracks []*track
	for _, at := range slices.Sorted(slices.Values(v.shown)) {
		s := v.allRanks[at]
		if l := v.linesIn(&s.pane); l != nil && l.Len() > 0 {
			tracks = append(tracks, &track{Cursor: loglines.Cursor{Lines: l, Place: at}, rankPane: s, index: len(tracks), lines: l})
		}
	}
	return tracks
}

// back walks back over lines until they make about want entries, and returns
// them in order of time; the tracks are at the first of them then.
func back(tracks []*track, want int, k *sorts) []passed {
	w := walkFrom(tracks, true, k)
	count := filling{tracks: len(tracks)}
	lines := make([]passed, 0, 4*want)
	for len(lines) < mostWalked && count.entries < want {
		p, any := w.take()
		if !any {
			break
		}
		count.add(p)
		lines = append(lines, p)
	}
	slices.Reverse(lines)
	return lines
}

// onward walks forward over lines until they make about want entries that no
// later line can join any more.
func onward(tracks []*track, want int, k *sorts) []passed {
	w := walkFrom(tracks, false, k)
	count := filling{tracks: len(tracks)}
	lines := make([]passed, 0, 4*want)
	full := int64(math.MaxInt64) // when the last wanted entry began
	for len(lines) < mostWalked {
		p, any := w.take()
		if !any || p.when > full && p.when-full > foldWithin {
			break
		}
		count.add(p)
		lines = append(lines, p)
		if count.entries > want && full == math.MaxInt64 {
			if full = p.when; p.kind == 0 {
				break
			}
		}
	}
	return lines
}

// tail makes the entries that end with the newest line.
func (m *merge) tail(v *paneSet, height int) {
	tracks, k := v.tracks(), v.newSorts()
	for _, t := range tracks {
		t.At = t.lines.Len()
	}
	lines := back(tracks, height+foldMargin, k)
	entries := fold(lines, len(tracks), k, m.spot(tracks))
	if drop := len(entries) - height; drop > 0 {
		entries = entries[drop:]
	}
	m.entries = withLines(entries)
	if len(entries) > 0 {
		m.first = after(tracks, lines[:entries[0].order])
	}
}

// foldMargin is how many entries are made beyond those that are shown, so that
// those shown count all ranks; found by feel.
const foldMargin = 4

// after are the positions of tracks behind some lines.
func after(tracks []*track, lines []passed) lineNumbers {
	for _, p := range lines {
		p.track.At++
	}
	return lineNumbersOf(tracks)
}

// from makes the entries from m.top on. Lines that belong to an entry above the
// top are not shown again. A top that is in none of the logs, as when another
// attempt is shown, is replaced by the newest lines.
func (m *merge) from(v *paneSet, height int) {
	tracks, k := v.tracks(), v.newSorts()
	if !m.top.in(tracks) {
		m.tail(v, height)
		m.top = m.first
		return
	}
	m.top.put(tracks)
	m.entries, m.first = nil, m.top
	top := make([]int, len(tracks))
	for i, t := range tracks {
		top[i] = t.At
	}
	before := back(tracks, foldMargin, k)
	if cut := slices.IndexFunc(before, func(p passed) bool { return before[len(before)-1].when-p.when <= foldWithin }); cut > 0 {
		before = before[cut:]
	}
	for i, t := range tracks {
		t.At = top[i]
	}
	lines := append(before, onward(tracks, height, k)...)
	for _, e := range fold(lines, len(tracks), k, m.spot(tracks)) {
		if e.order >= len(before) && len(m.entries) < height {
			e.order -= len(before)
			m.entries = append(m.entries, e)
		}
	}
	withLines(m.entries)
}

// withLines looks up the lines of entries that are shown.
func withLines(entries []entry) []entry {
	for i := range entries {
		entries[i].line = entries[i].passed.line()
	}
	return entries
}

// scroll moves by entries. At the end it follows again.
func (m *merge) scroll(v *paneSet, f views.Frame, by int) {
	v.loadAll(f)
	if by > 0 && !m.paused {
		return
	}
	m.pause(v)
	if by < 0 {
		m.up(v, -by)
		return
	}
	m.from(v, m.height+by)
	if len(m.entries) <= m.height {
		m.resume()
		return
	}
	tracks, k := v.tracks(), v.newSorts()
	m.top.put(tracks)
	lines := onward(tracks, m.height+by, k)
	m.top.put(tracks) // the look ahead has moved them
	m.top = after(tracks, lines[:m.entries[min(by, len(m.entries)-1)].order])
}

// up moves the top back by entries.
func (m *merge) up(v *paneSet, by int) {
	tracks, k := v.tracks(), v.newSorts()
	m.top.put(tracks)
	lines := back(tracks, by+foldMargin, k)
	entries := fold(lines, len(tracks), k, spot{})
	if len(entries) == 0 {
		return
	}
	m.top = after(tracks, lines[:entries[max(0, len(entries)-by)].order])
}

// head goes to the oldest lines.
func (m *merge) head(v *paneSet, f views.Frame) {
	v.loadAll(f)
	m.pause(v)
	m.top, m.targetAt = lineNumbersOf(v.tracks()), 0
}

// goToTime puts the first line at or after an instant on the screen.
func (m *merge) goToTime(v *paneSet, f views.Frame, at time.Time) {
	v.loadAll(f)
	m.pause(v)
	tracks := v.tracks()
	for _, t := range tracks {
		t.MoveTo(loglines.OrderAt(at))
	}
	m.top, m.targetAt = lineNumbersOf(tracks), 0
	if p, any := walkFrom(tracks, false, nil).take(); any {
		m.point(p)
	}
	m.above(v)
}

// above moves the top back by a third of the screen, and further where the rest
// does not fill it.
func (m *merge) above(v *paneSet) {
	m.up(v, m.height/3)
	if v.wrap {
		return
	}
	if m.from(v, m.height); len(m.entries) < m.height {
		m.tail(v, m.height)
		m.top = m.first
	}
}

// spot is the position of the line pointed to.
func (m *merge) spot(tracks []*track) spot {
	for _, t := range tracks {
		if m.targetAt > 0 && t.lines.all.ID == m.target {
			return spot{t, t.lines.find(m.targetAt)}
		}
	}
	return spot{}
}

func (m *merge) point(p passed) { m.target, m.targetAt = p.track.lines.all.ID, p.line().Number }

// reveal shows a line and points to it.
func (m *merge) reveal(v *paneSet, f views.Frame, id train.StreamID, number int64) {
	v.loadAll(f)
	m.pause(v)
	m.target, m.targetAt = id, number
	for i, e := range m.entries {
		if e.track.lines.all.ID == id && e.line.Number == number {
			m.pointTo(i)
			return
		}
	}
	tracks := v.tracks()
	m.toLine(tracks, id, number)
	m.top = lineNumbersOf(tracks)
	m.above(v)
}

// toLine puts all tracks at the moment of a line, and its own before it.
func (m *merge) toLine(tracks []*track, id train.StreamID, number int64) {
	when := int64(math.MaxInt64)
	for _, t := range tracks {
		if t.lines.all.ID == id {
			t.At = t.lines.find(number)
			when = t.Order()
		}
	}
	for _, t := range tracks {
		if t.lines.all.ID != id {
			t.MoveTo(when)
		}
	}
}

// fields are the parts of all logs that a jump searches.
func (m *merge) fields(v *paneSet, j jump) []field {
	tracks := v.tracks()
	id, number := m.pointed()
	switch {
	case j.on && number > 0:
		m.toLine(tracks, id, number)
		if j.step > 0 {
			for _, t := range tracks {
				if t.lines.all.ID == id {
					t.At++
				}
			}
		}
	case m.paused:
		m.top.put(tracks)
	case j.step < 0:
		for _, t := range tracks {
			t.At = t.lines.Len()
		}
	}
	var fields []field
	for _, t := range tracks {
		fields = append(fields, t.field(j.step))
	}
	return fields
}

// whole are all logs, for a jump that has reached their end.
func (m *merge) whole(v *paneSet, j jump) []field {
	var fields []field
	for _, t := range v.tracks() {
		fields = append(fields, whole(t.lines, j.step))
	}
	return fields
}

// said is the line pointed to, so that a jump can skip its copies.
func (m *merge) said(v *paneSet) jumpOrigin {
	id, number := m.pointed()
	for _, t := range v.tracks() {
		if all := t.lines.all; number > 0 && all.ID == id {
			at := all.Lines.Find(number)
			return jumpOrigin{id, foldKey(all.Lines.At(at).Text), all.Lines.Order(at)}
		}
	}
	return jumpOrigin{}
}

// field is the part of a track's log from its position on.
func (t *track) field(step int) field {
	all := t.lines.all
	at := all.Lines.Len()
	if t.At < t.lines.Len() {
		at = all.Lines.Find(t.lines.At(t.At).Number)
	}
	if step > 0 {
		return field{log: all, from: at, end: all.Lines.Len()}
	}
	return field{log: all, from: at - 1, end: t.lines.low - 1}
}

// pointed is the line that keys apply to: the one pointed to while it is on the
// screen, else the last. number is 0 without any.
func (m *merge) pointed() (id train.StreamID, number int64) {
	for _, e := range m.entries {
		if id, number = e.track.lines.all.ID, e.line.Number; e.pointed {
			return m.target, m.targetAt
		}
	}
	return id, number
}

// pointTo makes an entry that is shown the only one pointed to.
func (m *merge) pointTo(at int) {
	for i := range m.entries {
		m.entries[i].pointed = i == at
	}
}

// click points to the line in a row.
func (m *merge) click(y int) {
	if y >= 0 && y < len(m.rows) {
		at := m.rows[y].entry
		m.point(m.entries[at].passed)
		m.pointTo(at)
	}
}
