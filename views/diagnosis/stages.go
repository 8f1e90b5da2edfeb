package diagnosis

import (
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// madeWay is the computed way of the job, and its input.
type madeWay struct {
	stages          []diagnose.StageStatus
	job             *train.Job
	answer          *diagnose.Answer
	events, objects uint64
	logs, gpus      uint64
}

// way is how far the job has come, computed once for each change.
func (v *View) way(f views.Frame) []diagnose.StageStatus {
	s, answer := f.Snapshot, v.answer(f)
	now := madeWay{job: v.job, answer: answer, events: s.EventsVersion, objects: s.ObjectsVersion, logs: s.JobLogsVersion(v.id), gpus: s.GPUsVersion}
	now.stages = v.made.stages
	if now.stages == nil || !v.made.same(&now) {
		now.stages = diagnose.Pipeline(s, v.job, answer)
		v.made = now
	}
	return v.made.stages
}

func (m *madeWay) same(as *madeWay) bool {
	return m.job == as.job && m.answer == as.answer && m.events == as.events && m.objects == as.objects && m.logs == as.logs && m.gpus == as.gpus
}

// drawStages draws the stages of the job, the chosen one marked, and a rule.
// Where there is no room for all names, only the chosen one has its name.
func (v *View) drawStages(f views.Frame) []string {
	way := v.way(f)
	chosen := v.chosen(f)
	v.stages = v.stages[:0]
	names := f.Width >= widthOfNames(way)
	gap := " " + f.Theme.Glyphs.Rule + " "
	if f.Width < narrow {
		gap = " "
	}
	line := f.Line().Add(themes.Text, " ")
	x := 1
	for i, s := range way {
		if i > 0 {
			line.Add(themes.Rule, gap)
			x += draw.Width(gap)
		}
		mark := markOf(f.Theme, s.State)
		text, role := mark.Mark, mark.Role
		if names || s.Stage == chosen {
			text = string(s.Stage) + " " + mark.Mark
		}
		if s.Stage == chosen {
			line.Add(themes.Key, "[")
			line.Add(role, text)
			line.Add(themes.Key, "]")
			x += 2
		} else {
			line.Add(role, text)
		}
		x += draw.Width(text)
		v.stages = append(v.stages, x)
	}
	rule := f.Theme.Paint(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, f.Width))
	return []string{line.String(), rule}
}

func widthOfNames(way []diagnose.StageStatus) int {
	width := 3
	for _, s := range way {
		width += draw.Width(string(s.Stage)) + 5
	}
	return width
}

func markOf(t *themes.Theme, s diagnose.StageState) draw.State {
	g := &t.Glyphs
	switch s {
	case diagnose.StagePassed:
		return draw.State{Mark: g.Done, Word: string(s), Role: themes.Good}
	case diagnose.StageWaiting:
		return draw.State{Mark: g.Waiting, Word: string(s), Role: themes.Waiting}
	case diagnose.StageWarned:
		return draw.State{Mark: g.Warning, Word: string(s), Role: themes.Waiting}
	case diagnose.StageFailed:
		return draw.State{Mark: g.Failed, Word: string(s), Role: themes.Bad}
	case diagnose.StageAhead:
		return draw.State{Mark: g.Dot, Word: "not reached", Role: themes.Dim}
	}
	return draw.State{Mark: g.Unknown, Word: string(s), Role: themes.Dim}
}

func roleOf(s train.Severity) themes.Role {
	switch s {
	case train.SeverityError:
		return themes.Bad
	case train.SeverityWarning:
		return themes.Waiting
	}
	return themes.Text
}
