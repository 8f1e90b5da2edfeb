package logs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// rankList is the list that ranks are picked from.
type rankList struct {
	views.Rows[pick]
	of *View
}

// pick is a rank in the list.
type pick struct {
	*rankPane
	log *store.Log // nil while nothing of it was read
	why string     // why it is not followed, or has no line
}

func newRankList(v *View) rankList {
	l := rankList{of: v}
	l.Noun = "rank"
	l.Columns = l.columns()
	l.Key = func(p pick) string { return fmt.Sprint(p.key) }
	l.Faulty = func(p pick) bool { return draw.RankUrgency(p.rank.State) < 4 }
	l.FirstName = "rank"
	l.Ref = func(p pick) train.Ref { return p.rank.PodRef() }
	l.Sorts = map[keymap.Action]string{
		keymap.SortName: "RANK", keymap.SortStatus: "STATE", keymap.SortAge: "LAST", keymap.SortNS: "NODE",
	}
	l.Detail = func(p pick) string { return p.why }
	return l
}

// do carries out an action in the list.
func (l *rankList) do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	l.load(f)
	switch action {
	case keymap.LogShowRanks:
		l.show(l.Chosen())
		return nil, true
	case keymap.LogAllRanks:
		l.of.pickAll()
		l.of.layer = layerNone
		return nil, true
	}
	return l.Rows.Do(action, f)
}

// show gives these ranks panes, and no others.
func (l *rankList) show(picks []pick) {
	var rankIndices []int
	for _, p := range picks {
		if at := slices.Index(l.of.allRanks, p.rankPane); at >= 0 {
			rankIndices = append(rankIndices, at)
		}
	}
	if len(rankIndices) > 0 {
		l.of.pick(rankIndices)
		l.of.layer = layerNone
	}
}

// Click handles the mouse: twice shows the rank.
func (l *rankList) Click(x, y int, double bool, _ views.Frame) views.Effect {
	if hit := l.Table.Click(x, y); hit && double {
		l.show(l.Chosen())
	}
	return nil
}

func (l *rankList) title(t views.Title) views.Title {
	t.Text += ": which ranks"
	t.Filter, t.Flags, t.Note = l.FilterLine(), l.Flags(), l.Note()
	t.Parts = append(t.Parts, draw.Span{Text: draw.Plural(l.Total(), "rank"), Role: themes.Text})
	return t
}

func (l *rankList) render(f views.Frame) []string {
	l.load(f)
	return l.Body(f, func() []string { return []string{"no ranks"} })
}

func (l *rankList) load(f views.Frame) {
	s := f.Snapshot
	version := draw.Version{Data: s.LogsVersion + s.JobsVersion + s.ObjectsVersion}
	l.Load(version, f.Ink(), func() []pick {
		rows := make([]pick, 0, len(l.of.allRanks))
		for _, p := range l.of.allRanks {
			row := pick{rankPane: p, log: s.RankLog(l.of.job, p.rankIndex), why: f.Streams.Why(l.of.id, p.rankIndex)}
			if lineCount(row.log) == 0 {
				row.why = (&drawer{&l.of.paneSet}).briefly(f, p, row.log)
			}
			rows = append(rows, row)
		}
		return rows
	})
}

func (l *rankList) columns() []draw.Column[pick] {
	return []draw.Column[pick]{
		{Title: "RANK", Importance: 100, Right: true, Cell: func(p pick, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: views.RankNumber(ink.Theme, p.rank)}
		}, Compare: func(a, b pick) int { return cmp.Compare(a.rank.Index, b.rank.Index) }},
		{Title: "ROLE", Importance: 40, Name: true, Min: 8, Max: 24, Cell: func(p pick, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: p.rank.RoleName(), Role: themes.Dim}
		}},
		{Title: "NODE", Importance: 60, Name: true, Min: 10, Max: 40, Cell: func(p pick, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: p.rank.Node, Role: themes.Dim}
		}, Compare: func(a, b pick) int { return cmp.Compare(a.rank.Node, b.rank.Node) }},
		{Title: "STATE", Importance: 90, Cell: func(p pick, ink draw.Ink) draw.Cell {
			s := views.RankState(ink.Theme, l.of.job, p.rank)
			return draw.Cell{Text: s.String(), Role: s.Role}
		}, Compare: func(a, b pick) int {
			return cmp.Compare(draw.RankUrgency(a.rank.State), draw.RankUrgency(b.rank.State))
		}},
		{Title: "LOG", Importance: 85, Cell: streamCell},
		{Title: "LAST", Importance: 80, Right: true, Reserve: 5, Cell: func(p pick, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(lastTime(p.log))}
		}, Compare: func(a, b pick) int { return lastTime(b.log).Compare(lastTime(a.log)) }},
		{Title: "LINES", Importance: 50, Right: true, Cell: func(p pick, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: draw.Count(lineCount(p.log)), Role: themes.Dim}
		}, Compare: func(a, b pick) int { return cmp.Compare(lineCount(a.log), lineCount(b.log)) }, Descending: true},
		{Title: "LAST LINE", Importance: 70, Min: 12, Want: 30, Ends: true, Grow: true, Cell: func(p pick, _ draw.Ink) draw.Cell {
			if lineCount(p.log) == 0 {
				return draw.Cell{Text: p.why, Role: themes.Dim}
			}
			return lastLineCell(p.log)
		}},
	}
}

// streamCell shows whether a rank's log is followed.
func streamCell(p pick, ink draw.Ink) draw.Cell {
	if p.log == nil || p.log.Status.State == "" {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	s := streamWord(ink.Theme, views.LogState(p.rank, p.log.Status.State))
	return draw.Cell{Text: s.String(), Role: s.Role}
}

func lineCount(log *store.Log) int {
	if log == nil {
		return 0
	}
	return log.Lines.Len()
}

// lastLineCell is the newest line of a log.
func lastLineCell(log *store.Log) draw.Cell {
	if lineCount(log) == 0 {
		return draw.Cell{}
	}
	text := log.Lines.At(log.Lines.Len() - 1).Text
	if len(text) > levelBytes {
		text = text[:levelBytes]
	}
	text = draw.LogPlain(text)
	return draw.Cell{Text: draw.LogMessage(text), Role: draw.LevelOf(text).Role()}
}
