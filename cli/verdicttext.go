package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// sameVerdict are jobs without a finding that share a verdict.
type sameVerdict struct {
	*diagnose.Conclusion
	jobs []string
	// looked is what was read for any of them.
	looked []string
}

// printVerdicts writes the verdict on jobs without printed findings, one text
// for those that share it. Where no job was named, those with nothing wrong are
// counted.
func printVerdicts(w *bytes.Buffer, reported []sameVerdict, jobs int, named bool) {
	for _, group := range reported {
		if group.Verdict == diagnose.NothingWrong && !named {
			continue
		}
		gap(w)
		fmt.Fprintf(w, "%s: %s: %s.\n", strings.Join(firstOf(group.jobs), ", "), group.Verdict.Words(), termtext.Line(group.Sentence))
		printBasis(w, firstOf(group.looked), group.Missing)
	}
	if !named {
		printCalm(w, reported, jobs)
	}
}

// printCalm counts the jobs with nothing wrong, and names what was read for
// that.
func printCalm(w *bytes.Buffer, reported []sameVerdict, jobs int) {
	calm, unread := 0, 0
	var looked []string
	var missing []diagnose.Missing
	for _, group := range reported {
		if group.Verdict != diagnose.NothingWrong {
			continue
		}
		if calm += len(group.jobs); group.LogsUnread {
			unread += len(group.jobs)
		}
		looked = append(looked, group.looked...)
		missing = append(missing, group.Missing...)
	}
	if calm == 0 {
		return
	}
	gap(w)
	fmt.Fprintf(w, "%s in %s%s.\n", capital(diagnose.NothingWrong.Words()), counted(calm, jobs, "job"), ofUnreadLogs(unread, calm))
	printBasis(w, firstOf(unique(looked)), unique(missing))
}

// ofUnreadLogs limits the verdict on jobs that run and whose logs were not
// read.
func ofUnreadLogs(unread, calm int) string {
	switch {
	case unread == 0:
		return ""
	case unread == calm:
		return ", of which no log was read"
	}
	return fmt.Sprintf(", of %d of which no log was read", unread)
}

func gap(w *bytes.Buffer) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
}

// mostAlike is how many names, and how many missing things, are listed; the
// others are counted.
const mostAlike = 6

func firstOf(names []string) []string { return termtext.FewLines(names, mostAlike) }

func unique[T comparable](list []T) []T {
	var kept []T
	for _, x := range list {
		if !slices.Contains(kept, x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// printBasis names what was read for a verdict, and what was not.
func printBasis(w *bytes.Buffer, looked []string, missing []diagnose.Missing) {
	if len(looked) > 0 {
		fmt.Fprintf(w, "  Looked at: %s\n", termtext.Line(strings.Join(looked, ", ")))
	}
	for _, group := range diagnose.BySameHelp(missing[:min(len(missing), mostAlike)]) {
		for _, m := range group {
			fmt.Fprintf(w, "  Not read: %s\n", termtext.Line(m.Why))
		}
		if help := group[0].Help; help != "" {
			fmt.Fprintf(w, "    To read %s: %s\n", termtext.Agree(len(group), "it", "them"), termtext.Line(help))
		}
	}
	if more := len(missing) - mostAlike; more > 0 {
		fmt.Fprintf(w, "  Not read: %s; -o json lists them\n", termtext.More(more, ""))
	}
}

// addAlike adds a job to those that share its verdict.
func addAlike(all []sameVerdict, job *train.Job, c *diagnose.Conclusion) []sameVerdict {
	name := termtext.Line(job.Ref.String())
	for i := range all {
		if same := all[i].Conclusion; same == c || same.Verdict == c.Verdict && same.Sentence == c.Sentence && slices.Equal(same.Missing, c.Missing) {
			all[i].jobs = append(all[i].jobs, name)
			if same != c {
				all[i].looked = unique(append(all[i].looked, c.LookedAt...))
			}
			return all
		}
	}
	return append(all, sameVerdict{c, []string{name}, slices.Clone(c.LookedAt)})
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
