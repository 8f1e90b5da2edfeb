package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// page is what is to say, in lines of spans, and which of them can be chosen.
type page struct {
	lines []line
	items []item
	// head is how many lines stand above it; follow asks that the item under
	// the cursor be on the screen.
	head   int
	follow bool
}

type line []draw.Span

// item is a piece of evidence or a step, and the lines that it takes.
type item struct {
	first, last int
	evidence    *train.Evidence
	step        *train.Step
	finding     *train.Finding
}

// writer lays a page out.
type writer struct {
	page
	f     views.Frame
	width int
}

// textWidth is as wide as lines of text are laid out at most: longer ones are
// hard to read.
const textWidth = 110

// compose lays out what there is to say about the chosen stage.
func (v *View) compose(f views.Frame, follow bool) page {
	w := &writer{f: f, width: max(8, min(f.Width-2, textWidth))}
	w.follow = follow
	answer := f.Diagnosis.Job(v.id)
	stage := v.chosen(f)
	v.sayHealed(w)
	if answer == nil {
		w.text(themes.Dim, "", "the job has not been looked at yet"+f.Theme.Glyphs.Ellipsis)
		return w.page
	}
	here, elsewhere := byStage(answer.Findings, stage)
	for _, finding := range here {
		w.finding(finding)
	}
	if len(here) == 0 {
		w.quietStage(v.job, answer, stage)
	}
	w.elsewhere(elsewhere)
	w.checks(answer.Checks, stage, len(here) > 0)
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

// sayHealed tells of findings that went away while one looked.
func (v *View) sayHealed(w *writer) {
	for _, h := range v.gone {
		w.text(themes.Good, w.f.Theme.Glyphs.Done+" ", fmt.Sprintf("gone since %s: %s", h.at.UTC().Format("15:04:05"), h.finding.Title))
	}
	if len(v.gone) > 0 {
		w.blank()
	}
}

// finding lays out one finding.
func (w *writer) finding(x *train.Finding) {
	mark := w.f.Theme.Glyphs.Warning
	if x.Severity == train.SeverityError {
		mark = w.f.Theme.Glyphs.Failed
	}
	w.text(roleOf(x.Severity), mark+" ", x.Title)
	w.text(themes.Dim, "  ", strings.Join(w.about(x), ", "))
	if x.Explanation != "" {
		w.blank()
		w.text(themes.Text, "  ", x.Explanation)
	}
	w.evidence(x)
	w.steps(x)
	if x.Verify != "" {
		w.blank()
		w.text(themes.Text, "  To see that it worked: ", x.Verify)
	}
	if len(x.Hides) > 0 {
		w.blank()
		w.text(themes.Dim, "  Explains  ", joinCauses(x.Hides))
	}
	w.blank()
}

// about are the facts beside a finding's title.
func (w *writer) about(x *train.Finding) []string {
	facts := []string{string(x.Cause)}
	if x.Confidence != "" {
		facts = append(facts, string(x.Confidence))
	}
	if text := rankWords(x); text != "" {
		facts = append(facts, text)
	}
	if !x.Since.IsZero() {
		facts = append(facts, "since "+x.Since.UTC().Format("15:04:05")+" ("+w.f.Ages.Since(x.Since)+")")
	}
	return facts
}

// rankWords name the ranks concerned, the first to fail first.
func rankWords(x *train.Finding) string {
	switch {
	case x.RootRank >= 0 && len(x.Ranks) > 1:
		return fmt.Sprintf("rank %d first, %d ranks in all", x.RootRank, len(x.Ranks))
	case x.RootRank >= 0:
		return fmt.Sprintf("rank %d", x.RootRank)
	case len(x.Ranks) == 1:
		return fmt.Sprintf("rank %d", x.Ranks[0])
	case len(x.Ranks) > 1:
		return "ranks " + ranges(x.Ranks)
	}
	return ""
}

// ranges writes ranks as people do: "0-3, 7".
func ranges(ranks []int) string {
	var parts []string
	for i := 0; i < len(ranks); {
		j := i
		for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
			j++
		}
		part := fmt.Sprint(ranks[i])
		if j > i {
			part = fmt.Sprintf("%d-%d", ranks[i], ranks[j])
		}
		parts = append(parts, part)
		i = j + 1
		if len(parts) == 8 && i < len(ranks) {
			parts = append(parts, fmt.Sprintf("and %d more", len(ranks)-i))
			break
		}
	}
	return strings.Join(parts, ", ")
}

func (w *writer) evidence(x *train.Finding) {
	if len(x.Evidence) == 0 {
		return
	}
	w.blank()
	w.text(themes.Heading, "  ", "Evidence")
	for i := range x.Evidence {
		e := &x.Evidence[i]
		w.begin(item{evidence: e, finding: x})
		w.text(themes.Text, fmt.Sprintf("  %d %s  ", i+1, source(e)), e.Text)
		w.end()
	}
}

// source says where a piece of evidence is from: "event pod/bert-0".
func source(e *train.Evidence) string {
	parts := []string{string(e.Kind)}
	if e.Rank >= 0 && e.Kind == train.EvidenceLog {
		parts = append(parts, fmt.Sprintf("rank %d", e.Rank))
	} else if e.Object.Name != "" {
		parts = append(parts, strings.ToLower(e.Object.Kind)+"/"+e.Object.Name)
	}
	if e.Field != "" {
		parts = append(parts, e.Field)
	}
	if !e.Time.IsZero() {
		parts = append(parts, e.Time.UTC().Format("15:04:05"))
	}
	return strings.Join(parts, " ")
}

func (w *writer) steps(x *train.Finding) {
	if len(x.Next) == 0 {
		return
	}
	w.blank()
	w.text(themes.Heading, "  ", "Do next")
	for i := range x.Next {
		s := &x.Next[i]
		w.begin(item{step: s, finding: x})
		w.text(themes.Text, fmt.Sprintf("  %c ", letter(i)), s.Text)
		if s.Command != "" {
			w.text(themes.Accent, "      ", s.Command)
		}
		for _, edit := range strings.Split(strings.TrimRight(s.Edit, "\n"), "\n") {
			if s.Edit != "" {
				w.text(editRole(edit), "      ", edit)
			}
		}
		w.end()
	}
}

func letter(i int) rune { return rune('a' + i%26) }

func editRole(text string) themes.Role {
	switch {
	case strings.HasPrefix(text, "+"):
		return themes.Good
	case strings.HasPrefix(text, "-"):
		return themes.Bad
	}
	return themes.Dim
}

// quietStage says how the job stands with a stage at which nothing was found.
func (w *writer) quietStage(job *train.Job, answer *diagnose.Answer, stage train.Stage) {
	for _, s := range diagnose.Pipeline(w.f.Snapshot, job, answer) {
		if s.Stage != stage {
			continue
		}
		mark := markOf(w.f.Theme, s.State)
		text := string(stage) + ": " + mark.Word
		if s.Text != "" {
			text += ", " + s.Text
		}
		w.text(mark.Role, mark.Mark+" ", text)
	}
	if len(answer.Findings) == 0 {
		w.text(themes.Text, "  ", "Nothing is wrong with this job as far as could be looked at.")
	}
	w.blank()
}

// elsewhere names the findings at other stages.
func (w *writer) elsewhere(findings []*train.Finding) {
	for _, x := range findings {
		w.text(themes.Dim, "  also at "+string(x.Stage)+": ", x.Title)
	}
	if len(findings) > 0 {
		w.blank()
	}
}

// checks say what was ruled out and what could not be looked at. Beside a
// finding those of all stages stand, as short as can be.
func (w *writer) checks(checks []train.Check, stage train.Stage, beside bool) {
	var passed []train.Cause
	var unknown []train.Check
	for _, c := range checks {
		if !beside && c.Stage != stage {
			continue
		}
		switch c.Result {
		case train.CheckPass:
			passed = append(passed, c.Cause)
		case train.CheckUnknown:
			unknown = append(unknown, c)
		}
	}
	if len(passed) > 0 {
		w.text(themes.Dim, "  Ruled out  ", joinCauses(passed))
	}
	w.unknown(unknown)
}

// unknown groups what could not be checked by the reason.
func (w *writer) unknown(checks []train.Check) {
	var reasons []string
	causes := map[string][]train.Cause{}
	for _, c := range checks {
		if causes[c.Why] == nil {
			reasons = append(reasons, c.Why)
		}
		causes[c.Why] = append(causes[c.Why], c.Cause)
	}
	for _, why := range reasons {
		w.text(themes.Waiting, "  Not checked  ", joinCauses(causes[why])+": "+why)
	}
}

func joinCauses(causes []train.Cause) string {
	words := make([]string, 0, len(causes))
	for _, c := range causes {
		if !slices.Contains(words, string(c)) {
			words = append(words, string(c))
		}
	}
	return strings.Join(words, ", ")
}

func (w *writer) begin(i item) {
	i.first = len(w.lines)
	w.items = append(w.items, i)
}

func (w *writer) end() { w.items[len(w.items)-1].last = len(w.lines) - 1 }

func (w *writer) blank() { w.lines = append(w.lines, nil) }

// text adds a text, wrapped below where it begins.
func (w *writer) text(role themes.Role, label, text string) {
	indent := min(draw.Width(label), w.width/2)
	first := themes.Dim
	if strings.TrimSpace(label) == strings.TrimSpace(w.f.Theme.Glyphs.Failed) || role == themes.Good || role == themes.Bad {
		first = role
	}
	for i, part := range draw.Wrap(draw.Clean(text), max(4, w.width-indent)) {
		if i == 0 {
			w.lines = append(w.lines, line{{Text: label, Role: first}, {Text: part, Role: role}})
			continue
		}
		w.lines = append(w.lines, line{{Text: draw.Spaces(indent), Role: themes.Text}, {Text: part, Role: role}})
	}
}

// window draws height lines from offset on, the chosen item marked.
func (p *page) window(f views.Frame, offset, height, chosen int) []string {
	first, last := -1, -1
	if chosen < len(p.items) {
		first, last = p.items[chosen].first, p.items[chosen].last
	}
	lines := make([]string, 0, height)
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
		lines = append(lines, out.String())
	}
	return draw.Lines(lines, height)
}

// plain is the whole diagnosis as text: every finding, then the checks.
func (v *View) plain(f views.Frame) string {
	v.load(f)
	answer := f.Diagnosis.Job(v.id)
	if answer == nil || v.job == nil {
		return ""
	}
	w := &writer{f: f, width: textWidth}
	w.text(themes.Text, "", v.job.Ref.String())
	for i := range answer.Findings {
		w.finding(&answer.Findings[i])
	}
	if len(answer.Findings) == 0 {
		w.text(themes.Text, "", "nothing found")
	}
	w.checks(answer.Checks, "", true)
	var b strings.Builder
	for _, l := range w.lines {
		for _, span := range l {
			b.WriteString(span.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
