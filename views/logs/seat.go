package logs

import (
	"slices"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// seat is a rank of the job and the pane of its log.
type seat struct {
	key   seatKey
	place int // in Job.Ranks
	rank  *train.Rank
	pane  pane
}

// seatKey finds a rank again when places in Job.Ranks move.
type seatKey struct {
	role             string
	roleIndex, index int
}

func keyOf(r *train.Rank) seatKey { return seatKey{r.Role, r.RoleIndex, r.Index} }

// load takes the job, its ranks, and the logs of those that are shown.
func (v *View) load(f views.Frame) {
	now := f.Snapshot.Job(v.id)
	v.gone = now == nil && v.job != nil
	if now != nil && (now != v.job || v.seats == nil) {
		v.job = now
		v.seat()
	}
	if v.job == nil {
		return
	}
	if !v.picked {
		v.showAll(f)
	}
	for _, at := range v.onPage() {
		v.loadPane(f, v.seats[at])
	}
	v.beginAt(f)
}

// loadPane takes the newest picture of a seat's log.
func (v *paneSet) loadPane(f views.Frame, s *seat) {
	s.pane.load(f, v.job, s)
}

// loadAll takes the newest picture of the logs of all ranks that are shown,
// on the page or not.
func (v *paneSet) loadAll(f views.Frame) {
	for _, at := range v.shown {
		v.loadPane(f, v.seats[at])
	}
}

// seat gives every rank of the job its seat; those known keep theirs.
func (v *paneSet) seat() {
	known := make(map[seatKey]*seat, len(v.seats))
	for _, s := range v.seats {
		known[s.key] = s
	}
	var shown []seatKey
	for _, at := range v.shown {
		shown = append(shown, v.seats[at].key)
	}
	v.seats = make([]*seat, len(v.job.Ranks))
	places := make(map[seatKey]int, len(v.seats))
	for i := range v.job.Ranks {
		r := &v.job.Ranks[i]
		key := keyOf(r)
		s := known[key]
		if s == nil {
			s = &seat{key: key}
			s.pane.follow = true
		}
		delete(known, key) // two ranks of one name have a seat each
		s.place, s.rank = i, r
		v.seats[i], places[key] = s, i
	}
	v.shown = v.shown[:0]
	for _, key := range shown {
		if at, is := places[key]; is {
			v.shown = append(v.shown, at)
		}
	}
}

// showAll shows all ranks. The order is made once, so that panes do not move
// about: rank 0, those in trouble, the one that prints the metrics, then the
// others in rank order. Ranks that join later come last.
func (v *paneSet) showAll(f views.Frame) {
	if len(v.shown) == len(v.seats) {
		return
	}
	var first []int
	if len(v.shown) == 0 {
		first = v.telling(f)
	}
	add := func(at int) {
		if !slices.Contains(v.shown, at) {
			v.shown = append(v.shown, at)
		}
	}
	for _, at := range first {
		add(at)
	}
	taken := make([]bool, len(v.seats))
	for _, at := range v.shown {
		taken[at] = true
	}
	for at := range v.seats {
		if !taken[at] {
			v.shown = append(v.shown, at)
		}
	}
}

// mostTelling bounds how many ranks stand before the others.
const mostTelling = 8

// telling are the ranks that tell most about the job.
func (v *paneSet) telling(f views.Frame) []int {
	if len(v.seats) == 0 {
		return nil
	}
	places := []int{0}
	for at, s := range v.seats {
		if len(places) < mostTelling && inTrouble(s.rank.State) {
			places = append(places, at)
		}
	}
	for at := range v.seats {
		if log := f.Snapshot.RankLog(v.job, at); log != nil && log.Samples.Samples > 0 {
			places = append(places, at)
			break
		}
	}
	return append(places, len(v.seats)-1)
}

func inTrouble(state train.RankState) bool {
	switch state {
	case train.RankFailed, train.RankLost, train.RankCrashing, train.RankWaiting:
		return true
	}
	return false
}

// pick shows these ranks, places in seats, and nothing else.
func (v *paneSet) pick(places []int) {
	v.shown, v.picked = slices.Clone(places), true
	v.focus, v.alone = 0, false
	v.merge.reset()
}

// pickAll shows all ranks again.
func (v *paneSet) pickAll() {
	v.shown, v.picked, v.focus = nil, false, 0
	v.merge.reset()
}

// beginAt goes, once, to where the screen was asked to begin.
func (v *View) beginAt(f views.Frame) {
	r := v.begin
	if r == nil {
		return
	}
	v.begin = nil
	var places []int
	for _, at := range r.Ranks {
		if at >= 0 && at < len(v.seats) && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	switch {
	case len(places) == 1:
		v.focus, v.alone, v.lone = max(0, slices.Index(v.shown, places[0])), true, true
	case len(places) > 1:
		v.pick(places)
	}
	if r.Previous {
		for _, at := range v.shown {
			v.loadPane(f, v.seats[at])
			v.seats[at].pane.older()
		}
	}
	if r.Stream != (train.StreamID{}) {
		v.goTo(f, r.Stream, r.Line)
	}
	for _, at := range v.onPage() {
		v.loadPane(f, v.seats[at])
	}
}

// goTo puts the focus on the pane of a log, and the line on the screen.
func (v *paneSet) goTo(f views.Frame, id train.StreamID, line int64) bool {
	_, place, _ := f.Snapshot.LogPlace(id)
	if place < 0 || place >= len(v.seats) {
		return false
	}
	at := slices.Index(v.shown, place)
	if at < 0 {
		v.shown = append(v.shown, place)
		at = len(v.shown) - 1
	}
	v.focus = at
	s := v.seats[place]
	s.pane.pin(f, v.job, s, id)
	s.pane.reveal(line)
	return true
}
