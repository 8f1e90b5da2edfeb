package charts

import (
	"fmt"
	"math"
	"time"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// barCells is the length of the progress bar.
const barCells = 12

// progressLine shows how far training is and when it will end.
func (s *sheet) progressLine(width int) string {
	o := &s.run.Progress
	line := draw.NewLine(s.theme, width, false).Add(themes.Text, " ")
	fact := func(role themes.Role, value, what string) {
		if value != "" && line.Left() > draw.Width(value)+draw.Width(what)+3 {
			line.Add(role, value).Add(themes.Dim, what+"   ")
		}
	}
	if gap := s.stalled(); gap > 0 {
		fact(themes.Bad, "stalled: no step for "+termtext.Duration(gap), ", median step "+stepTime(o.StepTime))
	} else if gap := o.Stalled(s.now); gap > 0 {
		fact(themes.Dim, "last step "+termtext.Duration(gap)+" ago", "")
	}
	if finite(o.Step) {
		fact(themes.Strong, s.stepWord()+" "+draw.Step(o.Step), ofTotal(o.TotalSteps, draw.Step))
	}
	if share := s.doneShare(); finite(share) && line.Left() > barCells+8 {
		bar(line, s.theme, share, barCells)
		line.Add(themes.Text, fmt.Sprintf(" %.0f %%   ", share*100))
	}
	if finite(o.Epoch) {
		fact(themes.Text, "epoch "+draw.Short(math.Round(o.Epoch*100)/100), ofTotal(o.TotalEpochs, draw.Short))
	}
	moves := !s.hangs && s.stalled() == 0
	if o.StepTime > 0 && moves {
		since := ""
		if o.RunStepTime > 0 {
			since = " (" + stepTime(o.RunStepTime) + " since the start)"
		}
		fact(themes.Text, stepTime(o.StepTime)+"/"+s.stepWord(), since)
	}
	if moves && !s.over {
		fact(themes.Strong, eta(o.Remaining), spread(o.Spread))
	}
	return line.String()
}

// ofTotal is " of 3,000", "" without a known total.
func ofTotal(total float64, text func(float64) string) string {
	if total > 0 && finite(total) {
		return " of " + text(total)
	}
	return ""
}

// stalled is for how long no step was logged, 0 while all is well. A file may
// be the log of a run of last week, or be copied meanwhile: it has stalled only
// when it grew while the screen was open and then stopped.
func (s *sheet) stalled() time.Duration {
	o := &s.run.Progress
	switch {
	case s.job == nil || s.job.Phase.Terminal() || s.silent:
		return 0
	case !s.job.LogsOnly:
		return o.Stalled(s.now)
	case s.grew.IsZero():
		return 0
	}
	return o.Stalled(o.Newest.Add(s.now.Sub(s.grew)))
}

// bar draws a bar of some cells, its empty part as well.
func bar(line *draw.Line, t *themes.Theme, share float64, cells int) {
	line.Add(themes.BarFull, draw.Bar(t, share, cells)).Add(themes.Dim, t.Glyphs.Divider)
}

// doneShare is the share of training that is done, NaN when unknown.
func (s *sheet) doneShare() float64 {
	o := &s.run.Progress
	switch {
	case o.TotalSteps > 0 && finite(o.Step/o.TotalSteps):
		return min(1, max(0, o.Step/o.TotalSteps))
	case o.TotalEpochs > 0 && finite(o.Epoch/o.TotalEpochs):
		return min(1, max(0, o.Epoch/o.TotalEpochs))
	}
	return math.NaN()
}

func eta(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return "ETA " + termtext.Duration(d)
}

func spread(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " ±" + termtext.Duration(d)
}

// stepTime prints how long a step takes: 2.31 s, 480 ms.
func stepTime(d time.Duration) string {
	switch s := d.Seconds(); {
	case s <= 0:
		return ""
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1000)
	case s < 120:
		return fmt.Sprintf("%.3g s", s)
	}
	return termtext.Duration(d)
}

// stepWord is the unit that the program counts in.
func (s *sheet) stepWord() string {
	lines := s.lines(s.main, s.rank)
	if len(lines) == 0 {
		return "step"
	}
	switch lines[len(lines)-1].track.Unit {
	case series.UnitEpochs:
		return "epoch"
	case series.UnitSamples, series.UnitItems:
		return "sample"
	}
	return "step"
}

// notes are warnings that must be seen: values that are not finite, work that
// was repeated, how much would be lost now.
func (s *sheet) notes(width int) string {
	line := draw.NewLine(s.theme, width, false).Add(themes.Text, " ")
	note := func(role themes.Role, text string) {
		if line.Left() > draw.Width(text)+3 {
			line.Add(role, text).Add(themes.Text, "   ")
		}
	}
	if text := s.brokenNote(); text != "" {
		note(themes.Bad, s.theme.Glyphs.Broken+" "+text)
	}
	if o := &s.run.Progress; o.LostSteps > 0 {
		text := "lost steps: " + draw.Step(math.Round(o.LostSteps))
		if o.LostTime > 0 {
			text += " (" + termtext.Duration(o.LostTime) + ")"
		}
		note(themes.Redoing, text)
	}
	if steps, any := s.sinceCheckpoint(); any && s.stepWord() == "step" {
		text := draw.Step(math.Round(steps)) + " steps since the last checkpoint"
		if each := s.run.StepTime; each > 0 {
			text += " (" + termtext.Duration(time.Duration(steps*float64(each))) + ")"
		}
		note(themes.Dim, text)
	}
	if n := s.count(markSpike); n > 0 {
		note(themes.Waiting, draw.Plural(n, "spike"))
	}
	return line.String()
}

// count returns at how many positions there are marks of a kind: a spike of the
// loss and of the gradients at one step are one.
func (s *sheet) count(kind markKind) int {
	n, last := 0, math.NaN()
	for i := range s.marks {
		if m := &s.marks[i]; m.kind == kind && m.x != last {
			n, last = n+1, m.x
		}
	}
	return n
}

// brokenNote describes the first value that is not finite, the loss's before
// that of others.
func (s *sheet) brokenNote() string {
	first := (*mark)(nil)
	for i := range s.marks {
		m := &s.marks[i]
		if m.kind == markBroken && (first == nil || isLoss(m) && !isLoss(first)) {
			first = m
		}
	}
	if first == nil {
		return ""
	}
	c, r := first.curve, first.curve.row(first.index)
	text := draw.Value(c.track.Values[first.index])
	if c.key.metric != s.main {
		text += " " + nameOf(c.key.metric)
	}
	text += " at " + s.stepWord() + " " + draw.Step(r.X)
	if len(s.curveSet.ranks(s.main)) > 1 || s.job != nil && len(s.job.Ranks) > 1 {
		text += fmt.Sprintf(" (rank %d)", c.key.rank)
	}
	return draw.Clean(text)
}

func isLoss(m *mark) bool {
	return m.curve.key.metric == "loss" || m.curve.key.metric == "eval_loss"
}
