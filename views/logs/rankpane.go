package logs

import (
	"slices"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// rankPane is a rank of the job and the pane of its log.
type rankPane struct {
	key       rankKey
	rankIndex int // in Job.Ranks
	rank      *train.Rank
	pane      pane
}

// rankKey finds a rank again when indices in Job.Ranks move.
type rankKey struct {
	role             string
	roleIndex, index int
}

func keyOf(r *train.Rank) rankKey { return rankKey{r.Role, r.RoleIndex, r.Index} }

// load takes the job, its ranks, and the logs of those that are shown.
func (v *View) load(f views.Frame) {
	now := f.Snapshot.Job(v.id)
	v.gone = now == nil && v.job != nil
	if now != nil && (now != v.job || v.allRanks == nil) {
		v.job = now
		v.assignPanes()
	}
	if v.job == nil {
		return
	}
	if !v.picked {
		v.showAll(f)
	}
	for _, at := range v.onPage() {
		v.loadPane(f, v.allRanks[at])
	}
	v.beginAt(f)
}

// loadPane takes the newest snapshot of a rank's log.
func (v *paneSet) loadPane(f views.Frame, s *rankPane) {
	s.pane.load(f, v.job, s)
}

// loadAll takes the newest snapshot of the logs of all ranks that are shown, on
// the page or not.
func (v *paneSet) loadAll(f views.Frame) {
	for _, at := range v.shown {
		v.loadPane(f, v.allRanks[at])
	}
}

// assignPanes gives every rank of the job its pane; those known keep theirs.
func (v *paneSet) assignPanes() {
	known := make(map[rankKey]*rankPane, len(v.allRanks))
	for _, s := range v.allRanks {
		known[s.key] = s
	}
	var shown []rankKey
	for _, at := range v.shown {
		shown = append(shown, v.allRanks[at].key)
	}
	v.allRanks = make([]*rankPane, len(v.job.Ranks))
	rankIndices := make(map[rankKey]int, len(v.allRanks))
	for i := range v.job.Ranks {
		r := &v.job.Ranks[i]
		key := keyOf(r)
		s := known[key]
		if s == nil {
			s = &rankPane{key: key}
			s.pane.follow = true
		}
		delete(known, key) // two ranks of one name have a pane each
		s.rankIndex, s.rank = i, r
		v.allRanks[i], rankIndices[key] = s, i
	}
	v.shown = v.shown[:0]
	for _, key := range shown {
		if at, is := rankIndices[key]; is {
			v.shown = append(v.shown, at)
		}
	}
}

// showAll shows all ranks in rank order. The focus begins at the rank to look at
// first, and later stays at its rank when others join.
func (v *paneSet) showAll(f views.Frame) {
	if len(v.shown) == len(v.allRanks) {
		return
	}
	focused, opened := v.focused(), len(v.shown) == 0
	v.shown = v.shown[:0]
	for at := range v.allRanks {
		v.shown = append(v.shown, at)
	}
	if opened {
		v.focus = v.firstFocus(f)
	} else if at := slices.Index(v.allRanks, focused); at >= 0 {
		v.focus = at
	}
}

// firstFocus is the rank that failed first, or else the one that prints the
// metrics of the job, as an index in allRanks.
func (v *paneSet) firstFocus(f views.Frame) int {
	if at := views.FailedRank(v.job, f.Diagnosis.Job(v.id)); at >= 0 {
		return at
	}
	for at := range v.allRanks {
		if log := f.Snapshot.RankLog(v.job, at); log != nil && log.Samples.Samples > 0 {
			return at
		}
	}
	return 0
}

// pick shows these ranks, indices in allRanks, and nothing else.
func (v *paneSet) pick(rankIndices []int) {
	v.shown, v.picked = slices.Clone(rankIndices), true
	v.focus, v.alone = 0, false
	v.merge.reset()
}

// pickAll shows all ranks again.
func (v *paneSet) pickAll() {
	v.shown, v.picked, v.focus = nil, false, 0
	v.merge.reset()
}

// beginAt moves, once, to the position that the screen was opened with.
func (v *View) beginAt(f views.Frame) {
	r := v.begin
	if r == nil {
		return
	}
	v.begin = nil
	var rankIndices []int
	for _, at := range r.Ranks {
		if at >= 0 && at < len(v.allRanks) && !slices.Contains(rankIndices, at) {
			rankIndices = append(rankIndices, at)
		}
	}
	switch {
	case len(rankIndices) == 1:
		v.focus, v.alone, v.lone = max(0, slices.Index(v.shown, rankIndices[0])), true, true
	case len(rankIndices) > 1:
		v.pick(rankIndices)
	}
	if r.Previous {
		for _, at := range v.shown {
			v.loadPane(f, v.allRanks[at])
			v.allRanks[at].pane.older()
		}
	}
	if r.Stream != (train.StreamID{}) {
		v.goTo(f, r.Stream, r.Line)
	}
	for _, at := range v.onPage() {
		v.loadPane(f, v.allRanks[at])
	}
}

// goTo focuses the pane of a log, and shows the line.
func (v *paneSet) goTo(f views.Frame, id train.StreamID, line int64) bool {
	_, rankIndex, _ := f.Snapshot.RankOfLog(id)
	if rankIndex < 0 || rankIndex >= len(v.allRanks) {
		return false
	}
	at := slices.Index(v.shown, rankIndex)
	if at < 0 {
		v.shown = append(v.shown, rankIndex)
		at = len(v.shown) - 1
	}
	v.focus = at
	s := v.allRanks[rankIndex]
	s.pane.pin(f, v.job, s, id)
	s.pane.reveal(line)
	return true
}
