package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// Verdict is what a diagnosis comes to, in one of four words that text, JSON
// and screens share.
type Verdict string

// The four verdicts. A job of which too little was read is never well.
const (
	CauseFound      Verdict = "cause-found"
	NothingWrong    Verdict = "nothing-wrong"
	NotEnoughRead   Verdict = "not-enough-read"
	NothingToLookAt Verdict = "nothing-to-look-at"
)

// Words is the verdict as people read it.
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

// Conclusion is the verdict on one job and what it rests on.
type Conclusion struct {
	Verdict Verdict
	// Sentence says it in one line: how the job stands, or why nobody can say.
	Sentence string
	// LookedAt names what was read; Missing is what was not.
	LookedAt []string
	Missing  []Missing

	because string // what is missing to tell, in one clause
}

// Missing is something that a diagnosis would rest on and that was not read.
type Missing struct {
	What string // "logs of ranks 0-3"
	Why  string // a clause: "the log of rank 3 was refused: …"
	Help string // what would let it be read
	// InPart: a part of it was read, on which the answer rests too.
	InPart bool

	// list is the list of the API server that did not come, "" for anything
	// else: kube/pods, kube/pytorchjobs.kubeflow.org.
	list string
	// decisive: without it nobody can say that the job is well.
	decisive bool
}

// Verdict is the verdict of an answer; a nil answer was given for nothing.
func (a *Answer) Verdict() Verdict {
	if a == nil || a.Conclusion == nil {
		return NothingToLookAt
	}
	return a.Conclusion.Verdict
}

// UnknownFailure says in one line of a job in trouble that nobody could read
// why, behind what its status says; "" for any other job, and for one of which
// a finding says more.
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

// Missing is what could not be read of the sources as a whole, for an answer
// about some jobs of a namespace ("" for all): a server that is out of reach or
// still lists, a file that is cut; where there is no job also what may not be
// listed, since jobs may be in it.
func (r *Report) Missing(namespace string, jobs int) []Missing {
	switch {
	case r == nil:
		return nil
	case jobs > 0:
		return r.inputs.missing
	}
	return r.inputs.missingIn(namespace)
}

// verdicts are all of them, the one that needs a person most first.
var verdicts = []Verdict{CauseFound, NotEnoughRead, NothingWrong, NothingToLookAt}

// Verdict sums up the verdicts on some jobs of a namespace: the one that needs
// a person most. Where there is no job, what could not be read decides.
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
