package diagnosis

import (
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// page is the text in lines of spans, with the lines that can be chosen.
type page struct {
	lines []line
	items []item
	// head is how many lines are above it; follow asks that the item under the
	// cursor be on the screen.
	head   int
	follow bool
}

type line []draw.Span

// item is a piece of evidence, a step or a finding at another stage, and its
// lines.
type item struct {
	first, last int
	// key stays the same while a newer report has the same item.
	key      string
	evidence *train.Evidence
	step     *train.Step
	ranks    []int       // those that the step's finding concerns, by index
	stage    train.Stage // of a finding of another stage
}

// compose lays out the text of the chosen stage.
func (v *View) compose(f views.Frame, follow bool) page {
	w := newWriter(f, f.Width-2)
	w.follow = follow
	w.runs = func(s *train.Step) bool {
		_, can := v.inPlace(f, s.Arguments)
		return s.Harmless && can
	}
	w.probes = func(id string) bool {
		_, can := probeOf(f, id)
		return can
	}
	answer := v.answer(f)
	v.sayHealed(w)
	if answer == nil {
		w.text(themes.Dim, "", "the job has not been looked at yet"+f.Theme.Glyphs.Ellipsis)
		return w.page
	}
	stage := v.chosen(f)
	here, elsewhere := byStage(answer.Findings, stage)
	for _, finding := range here {
		w.finding(finding)
	}
	w.elsewhere(elsewhere)
	unfound := answer.Verdict() != diagnose.CauseFound
	if unfound {
		w.verdict(answer.Conclusion)
	}
	if len(here) == 0 {
		w.quiet(v.way(f), stage, len(answer.Findings) == 0)
	}
	if unfound {
		w.basis(answer.Conclusion)
	}
	w.checks(answer.Checks, stage, v.way(f), v.listed)
	return w.page
}

func byStage(findings []train.Finding, stage train.Stage) (here, elsewhere []*train.Finding) {
	for i := range findings {
		if findings[i].Stage == stage {
			here = append(here, &findings[i])
		} else {
			elsewhere = append(elsewhere, &findings[i])
		}
	}
	return here, elsewhere
}

// elsewhere names the findings at other stages; enter goes there.
func (w *writer) elsewhere(findings []*train.Finding) {
	for _, x := range findings {
		w.begin(item{stage: x.Stage, key: "at " + string(x.Stage) + " " + string(x.Cause)})
		w.text(roleOf(x.Severity), "  also at "+string(x.Stage)+"  ", x.Title)
		w.end()
	}
	if len(findings) > 0 {
		w.blank()
	}
}

// quiet describes the job at a stage that has no finding; with no finding at
// all, at every stage.
func (w *writer) quiet(way []diagnose.StageStatus, stage train.Stage, nothing bool) {
	for _, s := range way {
		if nothing || s.Stage == stage {
			mark := markOf(w.f.Theme, s.State)
			text := mark.Word
			if s.Text != "" {
				text += ": " + s.Text
			}
			role := themes.Dim
			if s.Stage == stage {
				role = themes.Text
			}
			w.marked(mark, draw.Fit(string(s.Stage), stageWidth, false, ""), role, text)
		}
	}
	w.blank()
}

// stageWidth is the width of the longest stage's name and a gap.
const stageWidth = len(train.StageRendezvous) + 2

// window draws height lines from offset on, the chosen item marked.
func (p *page) window(f views.Frame, offset, height, chosen int) []string {
	first, last := -1, -1
	if chosen < len(p.items) {
		first, last = p.items[chosen].first, p.items[chosen].last
	}
	lines := make([]string, 0, max(0, height))
	for i := offset; i < len(p.lines) && len(lines) < height; i++ {
		out := f.Line()
		mark := " "
		if i >= first && i <= last {
			mark = f.Theme.Glyphs.Cursor
		}
		out.Add(themes.Accent, mark)
		for _, span := range p.lines[i] {
			out.Add(span.Role, span.Text)
		}
		if below := len(p.lines) - i - 1; len(lines) == height-1 && below > 0 && height > 3 {
			more := " " + draw.Plural(below, "line") + " below "
			if out.Left() >= draw.Width(more) {
				out.Right(f.Line().Add(themes.Dim, more))
			}
		}
		lines = append(lines, out.String())
	}
	return draw.Lines(lines, height)
}

// plain is the whole diagnosis as text: every finding, then the checks.
func (v *View) plain(f views.Frame) string {
	v.load(f)
	answer := v.answer(f)
	if answer == nil || v.job == nil {
		return ""
	}
	w := newWriter(f, textWidth)
	w.text(themes.Text, "", v.job.Ref.String())
	for i := range answer.Findings {
		w.finding(&answer.Findings[i])
	}
	if len(answer.Findings) == 0 {
		w.quiet(v.way(f), "", true)
	}
	w.verdict(answer.Conclusion)
	w.basis(answer.Conclusion)
	w.checks(answer.Checks, "", v.way(f), true)
	var b strings.Builder
	for _, l := range w.lines {
		for _, span := range l {
			b.WriteString(span.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
