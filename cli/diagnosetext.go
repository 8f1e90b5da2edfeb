package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// printText writes the findings so that each fits into a chat message. Named
// jobs without a finding are listed one by one too.
func (d *diagnosis) printText(w io.Writer, named bool) error {
	var text bytes.Buffer
	var reported []sameVerdict
	outlined := 0
	for _, job := range d.jobs {
		if job.Outlined && !named {
			outlined++
			continue
		}
		if findings := d.findings(job); len(findings) > 0 {
			for i := range findings {
				gap(&text)
				printFinding(&text, &findings[i], i == 0)
			}
			d.printChecks(&text, job)
			d.printVerdict(&text, job)
		} else if answer := d.answers[job.ID]; answer != nil {
			reported = addAlike(reported, job, answer.Conclusion)
		}
	}
	printVerdicts(&text, reported, len(d.jobs)-outlined, named)
	if len(d.beyond) > 0 {
		gap(&text)
		fmt.Fprintln(&text, "Of the cluster as a whole:")
		printBasis(&text, nil, d.beyond)
	}
	if outlined > 0 {
		fmt.Fprintf(&text, "%s not looked at: the excerpt file of another job keeps only the room that a job takes.\n", counted(outlined, len(d.jobs), "job"))
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// counted is "12 jobs", or "12 of 15 jobs".
func counted(n, all int, noun string) string {
	if n == all {
		return termtext.Count(n, noun)
	}
	return fmt.Sprintf("%d of %s", n, termtext.Count(all, noun))
}

// printVerdict writes the verdict on a job below its findings.
func (d *diagnosis) printVerdict(w *bytes.Buffer, job *train.Job) {
	c := d.answers[job.ID].Conclusion
	switch {
	case c == nil:
	case c.Verdict == diagnose.CauseFound:
		fmt.Fprintf(w, "  Verdict: %s.\n", c.Verdict.Words())
		printBasis(w, nil, slices.DeleteFunc(slices.Clone(c.Missing), func(m diagnose.Missing) bool { return !m.InPart }))
	default:
		fmt.Fprintf(w, "  Verdict: %s: %s.\n", c.Verdict.Words(), termtext.Line(c.Sentence))
		printBasis(w, c.LookedAt, c.Missing)
	}
}

func printFinding(w *bytes.Buffer, f *train.Finding, root bool) {
	fmt.Fprintf(w, "%s: %s\n", termtext.Line(f.Job.String()), termtext.Line(f.Title))
	facts := []string{string(f.Cause), string(f.Severity)}
	if f.Confidence != "" {
		facts = append(facts, string(f.Confidence))
	}
	if !f.Since.IsZero() {
		facts = append(facts, "since "+f.Since.UTC().Format("2006-01-02 15:04:05Z"))
	}
	if !root {
		facts = append(facts, "independent of the first")
	}
	fmt.Fprintf(w, "  %s\n", strings.Join(facts, ", "))
	if line := rankLine(f); line != "" {
		fmt.Fprintf(w, "  %s\n", line)
	}
	if f.Explanation != "" {
		fmt.Fprintf(w, "  %s\n", termtext.Line(f.Explanation))
	}
	for i := range f.Evidence {
		fmt.Fprintf(w, "  > %s\n", evidenceLine(&f.Evidence[i]))
	}
	for i, s := range f.Next {
		fmt.Fprintf(w, "  %d. %s\n", i+1, termtext.Line(s.Text))
		if s.Command != "" {
			fmt.Fprintf(w, "     $ %s\n", termtext.Line(s.Command))
		}
		for line := range strings.Lines(s.Edit) {
			fmt.Fprintf(w, "     %s\n", termtext.Line(strings.TrimRight(line, "\n")))
		}
	}
	if f.Verify != "" {
		fmt.Fprintf(w, "  Then: %s\n", termtext.Line(f.Verify))
	}
	if len(f.Hides) > 0 {
		fmt.Fprintf(w, "  Explains: %s\n", diagnose.CausesInWords(f.Hides))
	}
}

func rankLine(f *train.Finding) string {
	var parts []string
	if len(f.Ranks) > 0 {
		parts = append(parts, "Ranks "+shortRanks(f.Ranks))
	}
	if f.RootRank >= 0 && (len(f.Ranks) > 1 || len(f.Ranks) == 0) {
		parts = append(parts, fmt.Sprintf("rank %d first", f.RootRank))
	}
	return strings.Join(parts, "; ")
}

// shortRanks joins ranks that follow on each other: "0-3, 7".
func shortRanks(ranks []int) string {
	var parts []string
	for i := 0; i < len(ranks); {
		end := i
		for end+1 < len(ranks) && ranks[end+1] == ranks[end]+1 {
			end++
		}
		part := strconv.Itoa(ranks[i])
		if end > i {
			part += "-" + strconv.Itoa(ranks[end])
		}
		parts, i = append(parts, part), end+1
	}
	return strings.Join(parts, ", ")
}

// maxQuoted is how much of a line is quoted in text.
const maxQuoted = 300

func evidenceLine(e *train.Evidence) string {
	from := objectName(e.Object)
	if e.Field != "" && e.Kind != train.EvidenceEvent {
		from = strings.TrimSpace(from + " " + e.Field)
	}
	if name := logName(e.Stream); name != "" {
		from = name
		if e.Line > 0 {
			from += ":" + strconv.FormatInt(e.Line, 10)
		}
	}
	if e.Rank >= 0 {
		from = strings.TrimSpace(fmt.Sprintf("rank %d %s", e.Rank, from))
	}
	text := []rune(termtext.Line(e.Text))
	if len(text) > maxQuoted {
		text = append(text[:maxQuoted], '…')
	}
	if from == "" {
		return string(text)
	}
	return termtext.Line(from) + ": " + string(text)
}

// printChecks counts the causes that were ruled out and those that could not be
// checked; with --ruled-out it lists them.
func (d *diagnosis) printChecks(w *bytes.Buffer, job *train.Job) {
	passed := map[train.Stage][]train.Cause{}
	var reasons []string
	ruledOut, unknown := 0, map[string][]train.Cause{} // by reason
	for _, c := range d.answers[job.ID].Checks {
		switch c.Result {
		case train.CheckPass:
			passed[c.Stage] = append(passed[c.Stage], c.Cause)
			ruledOut++
		case train.CheckUnknown:
			if unknown[c.Why] == nil {
				reasons = append(reasons, c.Why)
			}
			unknown[c.Why] = append(unknown[c.Why], c.Cause)
		}
	}
	switch {
	case ruledOut > 0 && d.listsChecks:
		fmt.Fprintf(w, "  Ruled out: %s\n", termtext.Count(ruledOut, "cause"))
		for _, stage := range train.Stages {
			if len(passed[stage]) > 0 {
				fmt.Fprintf(w, "    %s: %s\n", stage, diagnose.CausesInWords(passed[stage]))
			}
		}
	case ruledOut > 0:
		fmt.Fprintf(w, "  Ruled out: %s (--ruled-out lists them)\n", termtext.Count(ruledOut, "cause"))
	}
	for _, why := range reasons {
		fmt.Fprintf(w, "  Could not be checked, since %s: %s\n", shown(why), termtext.Count(len(unknown[why]), "cause"))
		if d.listsChecks {
			fmt.Fprintf(w, "    %s\n", diagnose.CausesInWords(unknown[why]))
		}
	}
}
