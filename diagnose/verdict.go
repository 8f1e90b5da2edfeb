package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// Verdict is the result of a diagnosis, one of four values that text, JSON and
// screens share.
type Verdict string

// The four verdicts. A job of which too little was read is never well.
const (
	CauseFound      Verdict = "cause-found"
	NothingWrong    Verdict = "nothing-wrong"
	NotEnoughRead   Verdict = "not-enough-read"
	NothingToLookAt Verdict = "nothing-to-look-at"
)

// Words returns the verdict as users read it.
func (v Verdict) Words() string {
	switch v {
	case CauseFound:
		return "cause found"
	case NothingWrong:
		return "nothing wrong"
	case NothingToLookAt:
		return "nothing to look at"
	}
	return "not enough was read to say"
}

// Conclusion is the verdict on one job and its reasons.
type Conclusion struct {
	Verdict Verdict
	// Sentence is one line: the state of the job, or why it is unknown.
	Sentence string
	// LookedAt names what was read; Missing is what was not.
	LookedAt []string
	Missing  []Missing
	// LogsUnread is true for a job that runs and of which no log was read: the verdict
	// that nothing is wrong is about its objects alone.
	LogsUnread bool

	logsRead int    // ranks of which a log was read
	because  string // the missing information, in one clause
}

// Missing is something that a diagnosis depends on and that was not read.
type Missing struct {
	What string // "logs of ranks 0-3"
	Why  string // a clause: "the log of rank 3 was refused: …"
	Help string // what would let it be read
	// InPart is true when a part of it was read, on which the answer depends
	// too.
	InPart bool

	// list is the list of the API server that was not read, "" for anything
	// else: kube/pods, kube/pytorchjobs.kubeflow.org.
	list string
	// decisive is true when the job cannot be reported as well without it.
	decisive bool
}

// Verdict returns the verdict of an answer; a nil answer has nothing to look
// at.
func (a *Answer) Verdict() Verdict {
	if a == nil || a.Conclusion == nil {
		return NothingToLookAt
	}
	return a.Conclusion.Verdict
}

// UnknownFailure returns one line for a job in trouble whose reason could not
// be read, after its status; "" for any other job, and for one with a more
// informative finding.
func (a *Answer) UnknownFailure(job *train.Job) string {
	switch {
	case a.Verdict() != NotEnoughRead || !InTrouble(job):
		return ""
	case job.Reason == "":
		return a.Conclusion.Sentence
	case len(a.Findings) > 0:
		return ""
	}
	return strings.TrimSuffix(rule.Plain(job.Reason), ".") + "; why is not known because " + a.Conclusion.because
}

// Missing returns what could not be read of the sources as a whole, for an
// answer about some jobs of a namespace ("" for all): a server that is
// unreachable or still lists, a file that is cut; without any job also lists
// that were refused, since jobs may be in them.
func (r *Report) Missing(namespace string, jobs int) []Missing {
	switch {
	case r == nil:
		return nil
	case jobs > 0:
		return r.inputs.missing
	}
	return r.inputs.missingIn(namespace)
}

// verdicts are all verdicts, the most urgent first.
var verdicts = []Verdict{CauseFound, NotEnoughRead, NothingWrong, NothingToLookAt}

// Verdict sums up the verdicts on some jobs of a namespace: the most urgent
// one. Without any job, what could not be read decides.
func (r *Report) Verdict(namespace string, jobs []train.JobID) Verdict {
	if len(jobs) == 0 && len(r.Missing(namespace, 0)) > 0 {
		return NotEnoughRead
	}
	worst := len(verdicts) - 1
	for _, id := range jobs {
		worst = min(worst, slices.Index(verdicts, r.Job(id).Verdict()))
	}
	return verdicts[worst]
}
