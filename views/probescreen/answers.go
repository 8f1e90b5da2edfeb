package probescreen

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Answers shows the answers of ranks to one probe, the odd ones on top.
type Answers struct {
	views.Rows[*answer]
	id    string
	reach views.Reach
	pods  []train.Ref

	// round is the set of probes in use, nil before the first snapshot; number
	// distinguishes rounds.
	round   *round
	number  int
	version uint64 // of the rows
}

// round is one run of the probe in all containers.
type round struct {
	probe  probes.Probe
	rows   []*answer
	of     map[actions.Container]*answer
	ask    views.Ask
	left   int // answers still to come
	newest time.Time
	counts counts
}

// answer is the row of one container.
type answer struct {
	actions.Target
	order int
	// arrived is false until the answer arrives.
	arrived bool
	result  probes.Result
	odd     bool
	took    time.Duration
}

// counts are the counts in the title; each answer is in one of them.
type counts struct{ bad, odd, unclear, alike int }

// NewAnswers makes the screen for one probe.
func NewAnswers(r views.AnswersRoute) *Answers {
	v := &Answers{id: r.Probe, reach: views.NewReach(r.Job, r.Pods), pods: r.Pods}
	v.Noun = "answer"
	v.Columns = answerColumns()
	v.Key = func(a *answer) string { return a.Namespace + "/" + a.Pod + "/" + a.Name }
	v.Faulty = func(a *answer) bool { return a.urgency() < calm }
	v.First, v.FirstName = func(a, b *answer) int {
		return cmp.Or(cmp.Compare(a.urgency(), b.urgency()), cmp.Compare(a.order, b.order))
	}, "the odd ones first"
	v.Ref = func(a *answer) train.Ref { return a.Target.PodRef() }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "POD", keymap.SortStatus: "STATE", keymap.SortAge: "TOOK"}
	v.Detail = func(a *answer) string { return a.result.Line }
	v.Enter = v.inFull
	return v
}

// calm is the urgency from which an answer needs no attention.
const calm = 3

// urgency orders answers: the fault itself, differing values, unknown ones,
// those still to come, the others.
func (a *answer) urgency() int {
	switch {
	case a.arrived && a.result.State == probes.Bad:
		return 0
	case a.odd:
		return 1
	case a.arrived && a.result.State == probes.Unclear:
		return 2
	case !a.arrived:
		return calm
	}
	return calm + 1
}

// Name is the screen's name in breadcrumbs.
func (v *Answers) Name() string { return "answers" }

// Crumb is the probe.
func (v *Answers) Crumb() string { return v.id }

// Scope is the scope of the screen's keys.
func (v *Answers) Scope() keymap.Scope { return keymap.ProbeAnswers }

// begin starts one round: it lists the containers and the command for each.
func (v *Answers) begin(f views.Frame) {
	if v.round != nil {
		return
	}
	v.number++
	r := &round{of: map[actions.Container]*answer{}}
	v.round = r
	known := false
	if r.probe, known = probes.Find(f.Probes, v.id); !known {
		r.probe.ID = v.id
		return
	}
	r.ask = views.Ask{ID: fmt.Sprint(v.id, " ", v.number)}
	if r.probe.Writes {
		r.ask.Changes = "probe " + v.id
	}
	for i, t := range v.reach.Targets(f) {
		row := &answer{Target: t, order: i}
		r.rows, r.of[t.Container] = append(r.rows, row), row
		switch why := views.MayProbe(f, r.probe); {
		case why != "":
			row.unanswered(why)
		case !targets.Runs(f.Snapshot, t):
			row.unanswered("not running: its log (l) tells why")
		default:
			v.plan(f, row)
		}
	}
	r.left = len(r.ask.Runs)
	v.judge()
}

// plan adds the commands for a container.
func (v *Answers) plan(f views.Frame, row *answer) {
	p := v.round.probe
	commands := p.Commands(f.Snapshot, row.Target)
	if len(commands) == 0 {
		row.unanswered("this probe has nothing to look at in this pod")
		return
	}
	v.round.ask.Runs = append(v.round.ask.Runs, views.Run{Target: row.Target, Commands: commands, Timeout: cmp.Or(p.Timeout, probes.DefaultTimeout)})
}

func (a *answer) unanswered(why string) {
	a.arrived, a.result = true, probes.Result{State: probes.Unclear, Line: why}
}

// Ask returns the commands to run.
func (v *Answers) Ask(f views.Frame) *views.Ask {
	v.begin(f)
	if len(v.round.ask.Runs) == 0 {
		return nil
	}
	return &v.round.ask
}

// Answered takes one answer. A bad one becomes evidence at once, all of them
// when the last has arrived and the odd ones are known.
func (v *Answers) Answered(a actions.Answer, _ views.Frame) views.Effect {
	if v.round == nil {
		return nil
	}
	row := v.round.of[a.Target.Container]
	if row == nil || row.arrived {
		return nil
	}
	row.arrived, row.took, row.result = true, a.Took, v.round.probe.Read(a)
	if at := a.Began.Add(a.Took); at.After(v.round.newest) {
		v.round.newest = at
	}
	v.round.left--
	v.judge()
	switch {
	case v.round.left == 0:
		return views.FileAnswers{Answers: v.filed(v.round.rows)}
	case row.result.State == probes.Bad:
		return views.FileAnswers{Answers: v.filed([]*answer{row})}
	}
	return nil
}

// filed are answers as evidence. An unknown answer is none.
func (v *Answers) filed(rows []*answer) []diagnose.ProbeAnswer {
	var all []diagnose.ProbeAnswer
	for _, row := range rows {
		if row.Job != "" && row.result.State != probes.Unclear {
			all = append(all, diagnose.ProbeAnswer{
				Probe: v.id, Job: row.Job, Rank: row.Index, Line: row.result.Line,
				Bad: row.result.State == probes.Bad, Odd: row.odd, At: v.round.newest,
			})
		}
	}
	return all
}

// judge finds the odd answers among those that have arrived, and counts.
func (v *Answers) judge() {
	r := v.round
	v.version++
	var results []probes.Result
	var reported []*answer
	for _, row := range r.rows {
		row.odd = false
		if row.arrived {
			results, reported = append(results, row.result), append(reported, row)
		}
	}
	for _, at := range probes.Odd(results) {
		reported[at].odd = true
	}
	r.counts = counts{}
	for _, row := range reported {
		switch {
		case row.result.State == probes.Bad:
			r.counts.bad++
		case row.odd:
			r.counts.odd++
		case row.result.State == probes.Unclear:
			r.counts.unclear++
		default:
			r.counts.alike++
		}
	}
}

// Title sums the answers up.
func (v *Answers) Title(f views.Frame) views.Title {
	v.load(f)
	title := views.Title{Text: draw.Clean(cmp.Or(v.round.probe.Title, v.id)) + " in " + v.reach.Words(f), Parts: v.summary(), Filter: v.FilterLine(), Flags: v.Flags()}
	if !v.round.newest.IsZero() {
		title.Note = "asked " + f.Ages.Since(v.round.newest) + " ago   "
	}
	title.Note += v.Note()
	return title
}

// summary sums up the answers: "63 alike", "1 differs".
func (v *Answers) summary() []draw.Span {
	r, c := v.round, v.round.counts
	var parts []draw.Span
	add := func(n int, text string, role themes.Role) {
		if n > 0 {
			parts = append(parts, draw.Span{Text: draw.Count(n) + " " + text, Role: role})
		}
	}
	differ := "differ"
	if c.odd == 1 {
		differ = "differs"
	}
	add(c.bad, "bad", themes.Bad)
	add(c.odd, differ, themes.Odd)
	add(c.alike, agreement(r.rows), themes.Good)
	add(c.unclear, "could not be told", themes.Waiting)
	add(r.left, "to come", themes.Dim)
	return parts
}

// agreement is "alike" where the answers that are not odd are the same.
func agreement(rows []*answer) string {
	key, n := "", 0
	for _, row := range rows {
		if !row.arrived || row.odd || row.result.State == probes.Unclear || row.result.State == probes.Bad {
			continue
		}
		if n++; row.result.Within == 0 && (row.result.Key == "" || n > 1 && row.result.Key != key) {
			return "answered"
		}
		key = row.result.Key
	}
	if n < 2 {
		return "answered"
	}
	return "alike"
}

// Do carries out an action.
func (v *Answers) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch action {
	case keymap.AskAgain:
		return v.again(f), true
	case keymap.ProbeRanks:
		return v.others(f), true
	case keymap.CopyText:
		return views.CopyText{Text: v.Text(f), Notice: "copied the answers"}, true
	case keymap.Save:
		return views.SaveFiles{Files: []views.File{{Name: "probe-" + views.FileName(v.id) + ".txt", Text: v.Text(f)}}}, true
	case keymap.OpenLogs:
		return v.logs(), true
	}
	return v.Rows.Do(action, f)
}

// again runs the probe once more; a probe that changes something asks the
// person first.
func (v *Answers) again(f views.Frame) views.Effect {
	if why := views.MayProbe(f, v.round.probe); why != "" {
		return views.Notice{Text: why, Failed: true}
	}
	if !v.round.probe.Writes {
		v.round = nil
		v.begin(f)
		return nil
	}
	return replaced(views.Probed(f, v.round.probe, v.reach.Refs(f)))
}

// others runs it in another choice of ranks.
func (v *Answers) others(f views.Frame) views.Effect {
	reach := v.reach
	if !reach.Next(f) {
		return views.Notice{Text: "there are no other ranks to choose"}
	}
	if v.round.probe.Writes {
		return replaced(views.Probed(f, v.round.probe, reach.Refs(f)))
	}
	v.reach, v.round = reach, nil
	v.begin(f)
	return nil
}

// replaced makes the effect's screen replace this one.
func replaced(e views.Effect) views.Effect {
	if asked, is := e.(views.Confirm); is {
		asked.Then = views.Effects{views.Back{}, asked.Then}
		return asked
	}
	return e
}

func (v *Answers) logs() views.Effect {
	row, ok := v.Current()
	if !ok || row.Job == "" || row.Rank < 0 {
		return views.Notice{Text: "there is no log of a rank here", Failed: true}
	}
	return views.OpenScreen{Route: views.LogsRoute{Job: row.Job, Ranks: []int{row.Rank}}}
}

// inFull opens the full answer of one rank.
func (v *Answers) inFull(a *answer, _ views.Frame) views.Effect {
	return views.OpenScreen{Route: views.TextRoute{Title: v.id + ", " + whose(a), Text: full(a)}}
}

func whose(a *answer) string {
	if a.Index < 0 {
		return "pod " + a.Pod
	}
	return "rank " + a.Label
}

// full is an answer with its details.
func full(a *answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, pod %s/%s", whose(a), a.Namespace, a.Pod)
	if a.Node != "" {
		b.WriteString(" on " + a.Node)
	}
	b.WriteString("\n")
	if !a.arrived {
		return b.String() + "no answer yet\n"
	}
	fmt.Fprintf(&b, "%s: %s\n", a.result.State, a.result.Line)
	if a.odd {
		b.WriteString("most ranks answered something else\n")
	}
	if len(a.result.Detail) > 0 {
		b.WriteString("\n" + strings.Join(a.result.Detail, "\n") + "\n")
	}
	return b.String()
}

// Text is every answer in full, in the order shown.
func (v *Answers) Text(f views.Frame) string {
	v.load(f)
	var b strings.Builder
	for i, row := range v.Rows.Rows() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(full(row))
	}
	return b.String()
}

// Render draws the answers.
func (v *Answers) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if _, known := probes.Find(f.Probes, v.id); !known {
			return []string{"there is no probe " + v.id, "x lists those there are"}
		}
		return []string{"there is no pod here to run anything in", "esc goes back"}
	})
}

func (v *Answers) load(f views.Frame) {
	v.begin(f)
	v.Load(draw.Version{Data: v.version}, f.Ink(), func() []*answer { return v.round.rows })
}
