package jobrows

import (
	"fmt"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Reason is a sentence about a job, and the role that it is drawn in.
type Reason struct {
	Text string
	Role themes.Role
}

// why is the sentence that makes opening the job unnecessary.
func (f *Facts) why(j job, _ draw.Ink) draw.Cell {
	r := f.Reason(j)
	return draw.Cell{Text: short(r.Text), Role: r.Role}
}

// whyText is what a command prints: the sentence of the screen, in full.
func (f *Facts) whyText(j job) string {
	return redact.Text(termtext.Line(f.Reason(j).Text))
}

// Reason is the best known explanation of a job's state: a finding of the
// diagnosis, the job's own reason, that it has stalled, a signal, or its
// reported progress. train/kinds/reason.go writes the job's own.
func (f *Facts) Reason(j job) Reason {
	r := f.reason(j)
	r.Text = f.masked(r.Text)
	return r
}

// masked returns a sentence without the secrets that a status or an event may quote. Each
// is looked at once.
func (f *Facts) masked(text string) string {
	if text == "" {
		return ""
	}
	safe, known := f.safe[text]
	if !known {
		if len(f.safe) >= mostSafe || f.safe == nil {
			f.safe = map[string]string{}
		}
		safe = redact.Text(text)
		f.safe[text] = safe
	}
	return safe
}

// mostSafe bounds how many sentences are remembered.
const mostSafe = 4096

func (f *Facts) reason(j job) Reason {
	text, severity := trouble(f.Report, j)
	stalled := f.stalled(j)
	switch {
	case severity != "" && isFinding(f.Report, j):
		return Reason{text, severityRole(severity)}
	case f.Report.Job(j.ID).UnknownFailure(j) != "":
		return Reason{f.Report.Job(j.ID).UnknownFailure(j), themes.Waiting}
	case j.Reason != "":
		return Reason{j.Reason, f.reasonRole(j)}
	case severity == train.SeverityError:
		return Reason{text, severityRole(severity)}
	case stalled != "":
		return Reason{stalled, themes.Waiting}
	case severity != "":
		return Reason{text, severityRole(severity)}
	case f.outdated(j) != "":
		return Reason{f.outdated(j), themes.Dim}
	case j.Queue != nil && !j.Queue.Admitted && j.Queue.Reason != "":
		return Reason{j.Queue.Reason, f.reasonRole(j)}
	case j.Phase == train.Running && f.run(j) == nil: // or else the columns show more than the operator
		return Reason{progress(j), themes.Dim}
	case j.Phase == train.Pending:
		return Reason{unexplained(j), themes.Dim}
	}
	return Reason{}
}

// unexplained reports that nothing which was read shows what a pending job waits
// for, "" where the states of its ranks show it.
func unexplained(j job) string {
	pods := 0
	for i := range j.Ranks {
		switch r := &j.Ranks[i]; {
		case r.State == train.RankMissing:
		case r.State != train.RankPending:
			return ""
		default:
			pods++
		}
	}
	switch {
	case pods > 0:
		return "its pods wait for a node, and neither their status nor an event says why"
	case j.Unread:
		return "its status and its events do not say why, and its pods were not read"
	}
	return "it has no pods, and no event says why"
}

// reasonRole is the role of a job's own reason.
func (f *Facts) reasonRole(j job) themes.Role {
	if j.Phase == train.Succeeded || j.Phase == train.Suspended {
		return themes.Dim
	}
	return themes.Text
}

// progress is the operator's own report on a running job.
func progress(j job) string {
	if j.Progress == nil {
		return ""
	}
	text := fmt.Sprintf("%.0f %%", j.Progress.Percent)
	if loss := j.Progress.Metrics["loss"]; loss != "" {
		text += ", loss " + loss
	}
	if j.Progress.Remaining > 0 {
		text += ", " + termtext.Duration(j.Progress.Remaining) + " left"
	}
	return text
}
