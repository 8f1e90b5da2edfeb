package diagnosis

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// finding lays out one finding: the fault, since when and where, the reason,
// the evidence, the steps.
func (w *writer) finding(x *train.Finding) {
	w.headline(x)
	if x.Explanation != "" {
		w.blank()
		w.text(themes.Text, "  ", x.Explanation)
	}
	w.evidence(x)
	w.steps(x)
	if x.Verify != "" {
		w.blank()
		w.text(themes.Text, "  It worked when  ", strings.TrimPrefix(x.Verify, "It worked when "))
	}
	if len(x.Hides) > 0 {
		w.blank()
		w.text(themes.Dim, "  Explains  ", diagnose.CausesInWords(x.Hides))
	}
	w.blank()
}

func (w *writer) headline(x *train.Finding) {
	role := roleOf(x.Severity)
	first := len(w.lines)
	w.wrapped(draw.Span{Text: w.severityMark(x.Severity) + " ", Role: role}, role, x.Title, w.prose)
	facts := w.about(x)
	name := string(x.Cause)
	if x.Confidence != "" {
		name += ", " + string(x.Confidence)
	}
	if w.width < textWidth || !w.beside(first, themes.Dim, draw.Clean(name)) {
		facts = append(facts, name)
	}
	w.text(themes.Dim, "  ", strings.Join(facts, ", "))
}

func (w *writer) severityMark(s train.Severity) string {
	switch s {
	case train.SeverityError:
		return w.f.Theme.Glyphs.Failed
	case train.SeverityWarning:
		return w.f.Theme.Glyphs.Warning
	}
	return w.f.Theme.Glyphs.Dot
}

// about are the facts below a finding's title: the job, since when.
func (w *writer) about(x *train.Finding) []string {
	var facts []string
	if text := rankWords(x); text != "" {
		facts = append(facts, text)
	}
	if !x.Since.IsZero() {
		facts = append(facts, "since "+clock(x.Since, w.f.Now())+" ("+w.f.Ages.Since(x.Since)+" ago)")
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
		return termtext.Ranks(x.Ranks)
	}
	return ""
}

func (w *writer) evidence(x *train.Finding) {
	if len(x.Evidence) == 0 {
		return
	}
	w.blank()
	w.text(themes.Heading, "  ", "Evidence")
	labels := make([]string, len(x.Evidence))
	widest := 0
	for i := range x.Evidence {
		labels[i] = fmt.Sprintf("  %d %s  ", i+1, w.source(&x.Evidence[i]))
		if width := draw.Width(labels[i]); width <= w.width/3 {
			widest = max(widest, width)
		}
	}
	for i := range x.Evidence {
		e := &x.Evidence[i]
		w.begin(item{evidence: e, key: evidenceKey(x, e)})
		w.wide(themes.Text, draw.Fit(labels[i], max(widest, draw.Width(labels[i])), false, ""), e.Text)
		w.end()
	}
}

// evidenceKey identifies a piece of evidence by its source, not by its text,
// which may change with time.
func evidenceKey(x *train.Finding, e *train.Evidence) string {
	if e.Stream != (train.StreamID{}) {
		return fmt.Sprintf("%s %s %d", x.Cause, e.Stream, e.Line)
	}
	if e.Kind == train.EvidenceProbe {
		return fmt.Sprintf("%s %s %s %d", x.Cause, e.Kind, e.Field, e.Rank)
	}
	return fmt.Sprintf("%s %s %s %s %s %s", x.Cause, e.Kind, e.Object, e.Field, e.GPU, e.Metric)
}

// source names the source of a piece of evidence: "event pod/bert-0 14:02:31".
func (w *writer) source(e *train.Evidence) string {
	var parts []string
	object := strings.ToLower(e.Object.Kind)
	if e.Object.Name != "" {
		object += "/" + e.Object.Name
	} else {
		object = termtext.Plural(2, object)
	}
	switch {
	case e.Kind == train.EvidenceProbe && e.Rank >= 0:
		parts = append(parts, "probe", e.Field, fmt.Sprintf("rank %d", e.Rank))
	case e.Kind == train.EvidenceProbe:
		parts = append(parts, "probe", e.Field)
	case e.Kind == train.EvidenceLog && e.Rank >= 0:
		parts = append(parts, "log", fmt.Sprintf("rank %d", e.Rank))
	case e.Kind == train.EvidenceSeries && e.Rank >= 0:
		parts = append(parts, "metric", fmt.Sprintf("rank %d", e.Rank))
	case e.Kind == train.EvidenceSeries:
		parts = append(parts, "metric", object)
	case e.Kind != train.EvidenceEvent && e.Kind != train.EvidenceLog && object != "":
		parts = append(parts, object, shortField(e.Field))
	default:
		parts = append(parts, string(e.Kind), object)
	}
	if !e.Time.IsZero() {
		parts = append(parts, clock(e.Time, w.f.Now()))
	}
	return draw.Clean(strings.Join(strings.Fields(strings.Join(parts, " ")), " "))
}

// shortField is the distinguishing part of a field's path: "PodScheduled" of
// "status.conditions[PodScheduled].message".
func shortField(path string) string {
	if _, name, is := strings.Cut(path, "conditions["); is {
		name, _, _ = strings.Cut(name, "]")
		return name
	}
	if _, rest, is := strings.Cut(path, "ontainerStatuses["); is {
		return strings.Replace(rest, "].", " ", 1)
	}
	return strings.TrimPrefix(path, "status.")
}

func (w *writer) steps(x *train.Finding) {
	if len(x.Next) == 0 {
		return
	}
	w.blank()
	w.text(themes.Heading, "  ", "Do next")
	for i := range x.Next {
		s := &x.Next[i]
		w.begin(item{step: s, ranks: x.Ranks, key: stepKey(x, s)})
		w.text(themes.Text, fmt.Sprintf("  %c ", letter(i)), s.Text)
		switch {
		case s.Probe != "" && w.probes != nil && w.probes(s.Probe):
			w.wide(themes.Accent, "    ", "probe "+s.Probe)
			w.beside(len(w.lines)-1, themes.Dim, "enter runs it in the ranks")
		case s.Command != "":
			first := len(w.lines)
			w.wide(themes.Accent, "    ", s.Command)
			w.beside(first, themes.Dim, w.enter(s))
		}
		w.edit(s)
		w.end()
	}
}

func (w *writer) edit(s *train.Step) {
	if s.Edit == "" {
		return
	}
	for _, text := range strings.Split(strings.TrimRight(s.Edit, "\n"), "\n") {
		w.wide(editRole(text), "    ", text)
	}
}

// enter describes the effect of the enter key on a step.
func (w *writer) enter(s *train.Step) string {
	switch {
	case w.runs == nil:
		return ""
	case w.runs(s):
		return "enter shows it"
	}
	return "enter copies it"
}

// stepKey names a step by its command, or else by its text.
func stepKey(x *train.Finding, s *train.Step) string {
	if s.Command != "" {
		return string(x.Cause) + " $ " + s.Command
	}
	return string(x.Cause) + " do " + s.Text
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
