package logs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// differentList is the list of ranks that differ from the others.
type differentList struct {
	views.Rows[difference]
	of *View

	version  uint64 // of the snapshot that was compared, 0 for none yet
	found    []difference
	compared int // ranks
	pending  int // of them, those whose newest lines were not read yet
	at       time.Time
	changes  uint64
}

func newDifferentList(v *View) differentList {
	l := differentList{of: v}
	l.Noun = "rank"
	l.Columns = differenceColumns()
	l.Key = func(d difference) string { return fmt.Sprint(d.rankPane.key) }
	l.FirstName = "gravity"
	l.Ref = func(d difference) train.Ref { return d.rankPane.rank.PodRef() }
	l.Sorts = map[keymap.Action]string{keymap.SortName: "RANK", keymap.SortAge: "LAST", keymap.SortNS: "NODE"}
	l.Detail = func(d difference) string { return d.why }
	l.Enter = l.open
	return l
}

// open shows the log of the rank alone.
func (l *differentList) open(d difference, _ views.Frame) views.Effect {
	v := l.of
	rankIndex := slices.Index(v.allRanks, d.rankPane)
	if rankIndex < 0 {
		return views.Notice{Text: "this rank is there no more", Failed: true}
	}
	at := slices.Index(v.shown, rankIndex)
	if at < 0 {
		v.shown = append(v.shown, rankIndex)
		at = len(v.shown) - 1
	}
	v.layer, v.focus, v.alone, v.merged = layerNone, at, true, false
	return nil
}

func (l *differentList) do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	l.load(f)
	if action == keymap.LogShowRanks {
		var rankIndices []int
		for _, d := range l.Chosen() {
			if at := slices.Index(l.of.allRanks, d.rankPane); at >= 0 {
				rankIndices = append(rankIndices, at)
			}
		}
		if len(rankIndices) > 0 {
			l.of.pick(rankIndices)
			l.of.layer = layerNone
		}
		return nil, true
	}
	return l.Rows.Do(action, f)
}

func (l *differentList) title(t views.Title) views.Title {
	t.Text += ": who is different"
	t.Filter, t.Flags, t.Note = l.FilterLine(), l.Flags(), l.Note()
	text := "comparing"
	if l.version != 0 {
		text = fmt.Sprintf("%d of %s", len(l.found), draw.Plural(l.compared, "rank"))
	}
	if l.pending > 0 {
		text += fmt.Sprintf(", still reading %d of them", l.pending)
	}
	t.Parts = append(t.Parts, draw.Span{Text: text, Role: themes.Text})
	return t
}

func (l *differentList) render(f views.Frame) []string {
	l.load(f)
	return l.Body(f, func() []string {
		if l.version == 0 {
			return []string{"comparing the last lines of all ranks" + f.Theme.Glyphs.Ellipsis}
		}
		if l.pending > 0 {
			return []string{"still reading what " + draw.Plural(l.pending, "rank") + " printed last" + f.Theme.Glyphs.Ellipsis}
		}
		return []string{"no rank differs from the others", "compared are states, the age of the newest line, and how it reads"}
	})
}

func (l *differentList) load(f views.Frame) {
	l.Load(draw.Version{Data: l.changes}, f.Ink(), func() []difference { return l.found })
}

// compared is the result of comparing.
type compared struct {
	version uint64
	at      time.Time
	ranks   int
	pending int
	found   []difference
}

// compare is the work of comparing all ranks, nil when this snapshot was
// compared already.
func (l *differentList) compare(f views.Frame) func(context.Context) any {
	s := f.Snapshot
	version := s.LogsVersion + s.JobsVersion + 1
	if version == l.version && (l.pending == 0 || s.Now.Equal(l.at)) {
		return nil
	}
	var ranks []comparing
	for _, p := range l.of.allRanks {
		ranks = append(ranks, comparing{rankPane: p, state: p.rank.State, text: p.rank.Reason, log: s.RankLog(l.of.job, p.rankIndex)})
	}
	return func(ctx context.Context) any {
		found, pending := compareRanks(ctx, ranks, s.Now)
		return compared{version, s.Now, len(ranks), pending, found}
	}
}

func (l *differentList) take(c compared) {
	l.version, l.at, l.compared, l.pending, l.found = c.version, c.at, c.ranks, c.pending, c.found
	l.changes++
}

func differenceColumns() []draw.Column[difference] {
	return []draw.Column[difference]{
		{Title: "RANK", Importance: 100, Right: true, Cell: func(d difference, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: strconv.Itoa(d.rankPane.rank.Index)}
		}, Compare: func(a, b difference) int { return cmp.Compare(a.rankPane.rank.Index, b.rankPane.rank.Index) }},
		{Title: "NODE", Importance: 60, Name: true, Min: 10, Max: 40, Cell: func(d difference, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: d.rankPane.rank.Node, Role: themes.Dim}
		}, Compare: func(a, b difference) int { return cmp.Compare(a.rankPane.rank.Node, b.rankPane.rank.Node) }},
		{Title: "LAST", Importance: 80, Right: true, Reserve: 5, Cell: func(d difference, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(lastTime(d.log))}
		}, Compare: func(a, b difference) int { return lastTime(b.log).Compare(lastTime(a.log)) }},
		{Title: "HOW", Importance: 95, Min: 20, Want: 44, Share: 40, Max: 90, Cell: func(d difference, _ draw.Ink) draw.Cell {
			role := themes.Waiting
			if d.kind <= diffError {
				role = themes.Bad
			}
			return draw.Cell{Text: d.why, Role: role}
		}},
		{Title: "LAST LINE", Importance: 70, Min: 12, Want: 30, Ends: true, Grow: true, Cell: func(d difference, _ draw.Ink) draw.Cell {
			return lastLineCell(d.log)
		}},
	}
}
