package ui

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
)

// From these sizes there is room for more: found by feel.
const (
	// wrongFrom is the height from which findings have a line of their own; on
	// lower screens they are beside the favourite namespaces.
	wrongFrom = 30
	// wordsFrom is the width from which their counts are labelled.
	wordsFrom = 70
)

// findingSum is the header's summary of findings, and the report that it was made
// of.
type findingSum struct {
	sum       diagnose.Sum
	report    *diagnose.Report
	namespace string
}

// sumFindings sums up the newest report, once for each.
func (h *header) sumFindings() diagnose.Sum {
	w := &h.m.findings
	if w.report != h.m.analysis.report || w.namespace != h.m.namespace {
		*w = findingSum{report: h.m.analysis.report, namespace: h.m.namespace}
		w.sum = w.report.Sum(h.m.analysis.looked, h.m.frame().ShowsTraining)
	}
	return w.sum
}

// addFindings shows how many jobs have an error or a warning, and the first of them.
func (h *header) addFindings(line *draw.Line) {
	sum, g := h.sumFindings(), &h.m.theme.Glyphs
	switch {
	case h.m.analysis.broken != "":
		line.Add(themes.Bad, " "+g.Failed+" no diagnosis: it broke")
	case h.m.analysis.report == nil:
		h.addUndiagnosed(line)
	case sum.Needs() == 0 && h.needs(sum) > 0:
		h.addIdlePods(line)
	case sum.Needs() == 0:
		h.addVerdict(line, sum)
	default:
		h.addCounts(line, sum, line.Left() >= wordsFrom)
		h.addFirst(line, sum.First)
	}
}

// addFirst names the first job of the list, and why it needs a person in the words of
// the list.
func (h *header) addFirst(line *draw.Line, job *train.Job) {
	f := h.m.frame()
	if now := f.Snapshot.Job(job.ID); now != nil {
		job = now
	}
	why := (&jobrows.Facts{Snapshot: f.Snapshot, Report: f.Diagnosis, Ages: f.Ages}).Reason(job)
	name := job.Ref.Name
	if ns := job.Ref.Namespace; ns != "" && h.m.namespace == "" {
		name = ns + "/" + name
	}
	line.Add(themes.Text, "   ").Add(themes.Strong, draw.Clean(name)).Add(themes.Text, "  "+draw.Clean(why.Text))
}

// addUndiagnosed adds why there is no diagnosis yet: which source is out of
// reach, was refused or still lists, and what to do.
func (h *header) addUndiagnosed(line *draw.Line) {
	g := &h.m.theme.Glyphs
	missing := h.m.frame().Missing()
	if len(missing) == 0 {
		line.Add(themes.Dim, " looking for what is wrong"+g.Ellipsis)
		return
	}
	line.Add(themes.Waiting, " "+g.Unknown+" not known yet").Add(themes.Dim, ": "+draw.Clean(strings.Join(missing, "; ")))
}

// addVerdict shows, where nothing was found, whether that means that nothing is
// wrong: a tick needs complete and healthy sources, at least one job, and an
// answer of every log that was requested.
func (h *header) addVerdict(line *draw.Line, sum diagnose.Sum) {
	g, missing := &h.m.theme.Glyphs, h.m.analysis.report.Missing(h.m.namespace, sum.Looked)
	switch {
	case len(missing) > 0:
		line.Add(themes.Waiting, " "+g.Unknown+" "+diagnose.NotEnoughRead.Words()).Add(themes.Dim, ": "+unreadWords(missing))
		if advice := h.m.frame().Advice(); advice != "" {
			line.Add(themes.Dim, "; "+draw.Clean(advice))
		}
	case sum.Looked == 0:
		line.Add(themes.Dim, " "+diagnose.NothingToLookAt.Words()+": no training job here")
	case h.addFirstRead(line):
	case sum.Unknown > 0:
		line.Add(themes.Waiting, " "+g.Unknown+" "+diagnose.NotEnoughRead.Words()).Add(themes.Dim, " of "+unknownWords(sum.Unknown, sum.Looked))
	default:
		logs := "no log read"
		if sum.LogsRead > 0 {
			logs = "logs read of " + draw.Count(sum.LogsRead)
		}
		line.Add(themes.Good, " "+g.Done).Add(themes.Dim, " nothing wrong found in "+draw.Plural(sum.Looked, "job")+", "+logs)
	}
}

// unreadWords is how many things were not read, where it is more than one, and why the
// first was not.
func unreadWords(missing []diagnose.Missing) string {
	first := draw.Clean(missing[0].Why)
	if more := len(missing) - 1; more > 0 {
		return draw.Count(len(missing)) + " sources are not read: " + first
	}
	return first
}

// unknownWords is "the job", "any of 4 jobs", "2 of 4 jobs".
func unknownWords(unknown, of int) string {
	switch {
	case of == 1:
		return "the job"
	case unknown == of:
		return "any of " + draw.Plural(of, "job")
	}
	return draw.Count(unknown) + " of " + draw.Plural(of, "job")
}

// addFirstRead adds that logs of the jobs on the screen are being read for the
// first time: until they have answered nobody knows whether a job is well. Of
// files all logs are read at once.
func (h *header) addFirstRead(line *draw.Line) bool {
	if h.m.acting.actor() == nil {
		return false
	}
	first := views.FirstReadOf(h.m.reading.plan, h.m.analysis.looked)
	if first.Unread == 0 {
		return false
	}
	line.Add(themes.Waiting, " "+h.m.theme.Glyphs.Unknown+" not known yet").Add(themes.Dim, ": "+first.Text())
	return true
}

// needs is how many jobs, and pods of no job with idle GPUs, need a person.
func (h *header) needs(sum diagnose.Sum) int {
	pods, _, _ := h.idlePods()
	return sum.Needs() + pods
}

// addIdlePods shows, where no job needs a person, how many pods of no job hold idle
// GPUs, and the one with the most.
func (h *header) addIdlePods(line *draw.Line) {
	_, gpus, first := h.idlePods()
	h.addCounts(line, diagnose.Sum{}, true)
	line.Add(themes.Text, "   ").Add(themes.Strong, draw.Clean(first)).Add(themes.Text, "  holds "+draw.Plural(gpus, "idle GPU"))
}

// idlePods counts the pods of no job in the namespace that hold idle GPUs, and returns
// the one with the most, and how many these are.
func (h *header) idlePods() (pods, gpus int, first string) {
	for _, p := range h.m.analysis.gpus.idlePods {
		if h.m.namespace != "" && p.Namespace != h.m.namespace {
			continue
		}
		if pods++; pods > 1 {
			continue
		}
		first, gpus = p.Name, p.GPUs
		if h.m.namespace == "" {
			first = p.Namespace + "/" + first
		}
	}
	return pods, gpus, first
}

// addCounts shows how many jobs, and pods with idle GPUs, need a person, those with an
// error first.
func (h *header) addCounts(line *draw.Line, sum diagnose.Sum, words bool) {
	g := &h.m.theme.Glyphs
	pods, _, _ := h.idlePods()
	if sum.Errors > 0 {
		line.Add(themes.Bad, fmt.Sprintf(" %s %s", g.Failed, draw.Count(sum.Errors)))
	}
	if n := sum.Warnings + pods; n > 0 {
		line.Add(themes.Waiting, fmt.Sprintf(" %s %s", g.Warning, draw.Count(n)))
	}
	if words && sum.Needs()+pods > 0 {
		line.Add(themes.Text, "  "+needWords(sum, pods))
	}
}

// needWords is "2 jobs need you", "2 jobs and 1 pod need you".
func needWords(sum diagnose.Sum, pods int) string {
	switch {
	case pods == 0:
		return sum.NeedWords()
	case sum.Needs() > 0:
		return draw.Plural(sum.Needs(), "job") + " and " + draw.Plural(pods, "pod") + " need you"
	case pods == 1:
		return "1 pod needs you"
	}
	return draw.Plural(pods, "pod") + " need you"
}
