package job

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// tableHead is the line of titles, and one below the table.
const tableHead = 2

// manyRanks is from when a job's ranks are shown as a wall, the odd ones first.
const manyRanks = 100

// ranksTab is the table of ranks, with the wall of cells above it on demand.
type ranksTab struct {
	views.Rows[rank]
	job *train.Job
	// frame is the one being drawn: cells look up logs in it.
	frame views.Frame
	gpus  rankGPUs
	cells cellKind // the quantity in the cells of GPUs and of the wall
	// wall is nil until a person chooses: many ranks have one then.
	wall *bool
	head int // lines of the wall as last drawn
	// below is the curve and the log under the table.
	below rankPreview
}

// rank is a rank and its index in Job.Ranks.
type rank struct {
	*train.Rank
	rankIndex int
	job       train.JobID
}

func newRanks() *ranksTab {
	t := &ranksTab{}
	t.Noun = "rank"
	t.Columns = t.rankColumns()
	t.Key = func(r rank) string { return fmt.Sprint(r.Role, " ", r.RoleIndex, " ", r.Index, " ", r.rankIndex) }
	t.Faulty = func(r rank) bool { return draw.RankUrgency(r.State) < calmUrgency || t.oddityOf(r) != nil }
	t.Detail = t.reason
	t.Ref = func(r rank) train.Ref {
		if r.Pod == "" {
			return train.Ref{}
		}
		return r.PodRef()
	}
	t.Sorts = map[keymap.Action]string{
		keymap.SortName: "POD", keymap.SortAge: "FOR", keymap.SortStatus: "STATE", keymap.SortRestarts: "RESTARTS", keymap.SortNS: "NODE", keymap.SortUse: titleUse,
	}
	t.Enter = func(r rank, _ views.Frame) views.Effect {
		return views.OpenScreen{Route: views.LogsRoute{Job: r.job, Ranks: []int{r.rankIndex}}}
	}
	return t
}

// calmUrgency is from which urgency on a rank is well.
const calmUrgency = 4

// oddFirst orders by fault: ranks that do not run, then those whose GPUs are
// odd, errors first.
func (t *ranksTab) oddFirst(a, b rank) int {
	return cmp.Or(
		cmp.Compare(draw.RankUrgency(a.State), draw.RankUrgency(b.State)),
		cmp.Compare(t.oddityOf(a).calm(), t.oddityOf(b).calm()),
	)
}

// oddityOf is the fault of the GPUs of a rank that runs, nil for none.
func (t *ranksTab) oddityOf(r rank) *rankSignal {
	if r.State != train.RankRunning || r.rankIndex >= len(t.gpus.odd) {
		return nil
	}
	return t.gpus.odd[r.rankIndex]
}

func (o *rankSignal) calm() int {
	switch {
	case o == nil:
		return 2
	case o.role == themes.Bad:
		return 0
	}
	return 1
}

// reason is why a rank is in its state: what was diagnosed of it, such as the
// exception in its log, its own reason, or the fault of its GPUs.
func (t *ranksTab) reason(r rank) string {
	if text := t.diagnosed(r); text != "" {
		return text
	}
	if odd := t.oddityOf(r); odd != nil && r.Reason == "" {
		return odd.text
	}
	return r.Reason
}

// diagnosed is the first finding about a rank that does not run, "" without
// one. A rank that waits shows itself what it waits for where the finding is about
// the wait of several.
func (t *ranksTab) diagnosed(r rank) string {
	answer := t.frame.Diagnosis.Job(r.job)
	if answer == nil || draw.RankUrgency(r.State) >= calmUrgency {
		return ""
	}
	for i := range answer.Findings {
		switch x := &answer.Findings[i]; {
		case x.Severity == train.SeverityInfo:
		case x.RootRank == r.Index:
			return x.Title
		case x.RootRank < 0 && waitsToRun(r.State) && r.Reason != "" && slices.Contains(x.Ranks, r.Index):
			return r.Reason
		}
	}
	return ""
}

// waitsToRun reports whether a rank has a pod that has yet to start.
func waitsToRun(s train.RankState) bool {
	return s == train.RankGated || s == train.RankPending || s == train.RankStarting || s == train.RankWaiting
}

// beginAt puts the cursor on the rank with this index in Job.Ranks until a
// person moves it; -1 leaves it on top.
func (t *ranksTab) beginAt(rankIndex int) {
	begin := ""
	if rankIndex >= 0 {
		begin = t.Key(rank{&t.job.Ranks[rankIndex], rankIndex, t.job.ID})
	}
	if begin != t.Begin {
		t.Begin = begin
		t.Refresh()
	}
}

func (t *ranksTab) load(f views.Frame, j *train.Job) {
	t.job, t.frame = j, f
	t.gpus.load(f, j)
	t.showLogs(f.Snapshot.HasLogs())
	t.showGPUs()
	t.First, t.FirstName = nil, "rank"
	if len(j.Ranks) > manyRanks {
		t.First, t.FirstName = t.oddFirst, "oddest"
	}
	t.Load(draw.Version{Data: f.Snapshot.JobsVersion + t.gpus.version + t.sortVersion(f)}, f.Ink(), func() []rank {
		rows := make([]rank, len(j.Ranks))
		for i := range j.Ranks {
			rows[i] = rank{&j.Ranks[i], i, j.ID}
		}
		return rows
	})
}

// showLogs shows the columns from logs, or hides them where none is read.
func (t *ranksTab) showLogs(show bool) {
	if t.Chose() {
		return // a person wants to see them
	}
	for i := range t.Columns {
		switch c := &t.Columns[i]; c.Title {
		case titleStep, titleLast, titleSaid:
			c.Wide = !show
		}
	}
}

func (t *ranksTab) walled() bool {
	if t.wall == nil {
		return t.job != nil && len(t.job.Ranks) > manyRanks
	}
	return *t.wall
}

func (t *ranksTab) toggleWall() {
	wall := !t.walled()
	t.wall = &wall
}

func (t *ranksTab) render(f views.Frame) []string {
	var wall []string
	if t.walled() {
		wall = t.drawWall(f, f.Height/2)
	}
	t.head = len(wall)
	f.Height -= len(wall)
	t.Arrange(f.Ink())
	below := t.below.render(f, t, f.Height-t.Len()-tableHead)
	f.Height -= len(below)
	return append(append(wall, t.Body(f, func() []string {
		return []string{"no ranks", "the job asks for none, or what it asks for could not be read"}
	})...), below...)
}

// Click handles the mouse below the wall.
func (t *ranksTab) Click(x, y int, double bool, f views.Frame) views.Effect {
	return t.Rows.Click(x, y-t.head, double, f)
}

// chosenRanks are the indices of the marked ranks in Job.Ranks, or of the one
// under the cursor once it was moved; nil otherwise.
func (t *ranksTab) chosenRanks() []int {
	if t.Marks() == 0 && !t.Moved() {
		return nil
	}
	var rankIndices []int
	for _, r := range t.Chosen() {
		rankIndices = append(rankIndices, r.rankIndex)
	}
	return rankIndices
}

// rankColumns are those of the ranks; values of GPUs and logs are before the
// pod.
func (t *ranksTab) rankColumns() []draw.Column[rank] {
	all := []draw.Column[rank]{
		{Title: "RANK", Importance: 100, Right: true, Cell: number, Compare: columns.By(func(r rank) int { return r.Index })},
		{Title: "ROLE", Importance: 60, Name: true, Min: 8, Max: 24, Cell: columns.Dim(role), Compare: columns.By(role)},
		{Title: "NODE", Importance: 70, Name: true, Min: 10, Max: 40, Cell: func(r rank, ink draw.Ink) draw.Cell {
			if r.Node == "" {
				return columns.Dash(ink)
			}
			return draw.Cell{Text: r.Node}
		}, Compare: columns.By(func(r rank) string { return r.Node })},
		{Title: "STATE", Importance: 95, Cell: t.state, Compare: t.oddFirst},
		{Title: titleGPUs, Importance: 65, Right: true, Cell: devices},
		{Title: "RESTARTS", Importance: 55, Right: true, Cell: amount(func(r rank) int { return r.Restarts }, themes.Redoing), Compare: columns.By(func(r rank) int { return r.Restarts }), Descending: true},
		{Title: "FOR", Importance: 80, Right: true, Reserve: 5, Cell: func(r rank, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(r.Since)}
		}, Compare: func(a, b rank) int { return b.Since.Compare(a.Since) }},
	}
	all = append(all, t.gpuColumns()...)
	all = append(all, t.logColumns()...)
	return append(all, []draw.Column[rank]{
		{Title: "POD", Importance: 50, Name: true, Min: 12, Max: 60, Cell: columns.Dim(func(r rank) string { return r.Pod }), Compare: columns.By(func(r rank) string { return r.Pod })},
		{Title: "CONTAINER", Importance: 20, Name: true, Max: 30, Wide: true, Cell: columns.Dim(func(r rank) string { return r.Container })},
		{Title: "WHY", Importance: 90, Min: 12, Want: 20, Share: 25, Grow: true, Wrap: true, Cell: func(r rank, _ draw.Ink) draw.Cell {
			if draw.RankUrgency(r.State) < calmUrgency {
				return draw.Cell{Text: t.reason(r)}
			}
			if odd := t.oddityOf(r); odd != nil && r.Reason == "" {
				return draw.Cell{Text: odd.text, Role: odd.role}
			}
			return draw.Cell{Text: r.Reason, Role: themes.Dim}
		}},
	}...)
}

func number(r rank, ink draw.Ink) draw.Cell {
	return draw.Cell{Text: views.RankNumber(ink.Theme, r.Rank)}
}

func role(r rank) string { return r.RoleName() }

// state is the state of a rank, or the fault of its GPUs.
func (t *ranksTab) state(r rank, ink draw.Ink) draw.Cell {
	if odd := t.oddityOf(r); odd != nil {
		return draw.Cell{Text: oddSign(ink.Theme, odd.role) + " " + odd.word, Role: odd.role}
	}
	s := views.RankState(ink.Theme, t.job, r.Rank)
	return draw.Cell{Text: s.String(), Role: s.Role}
}

func devices(r rank, ink draw.Ink) draw.Cell {
	if r.GPUs == 0 {
		return columns.Dash(ink)
	}
	return draw.Cell{Text: draw.Devices(r.GPUs, r.Slices), Role: themes.Text}
}

func amount(of func(rank) int, as themes.Role) func(rank, draw.Ink) draw.Cell {
	return func(r rank, ink draw.Ink) draw.Cell {
		if of(r) == 0 {
			return columns.Dash(ink)
		}
		return draw.Cell{Text: draw.Count(of(r)), Role: as}
	}
}
