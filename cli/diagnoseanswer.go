package cli

import (
	"io"
	"iter"
	"slices"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// diagnosisAnswer is the output of `traintop diagnose -o json`. Scripts rely on
// it: fields are only ever added. Unknown facts are left out.
type diagnosisAnswer struct {
	Findings []findingAnswer `json:"findings"`
	Checks   []checkAnswer   `json:"checks"`
	// Verdict is that on all jobs together: the one that needs a person most.
	// Verdicts are those on each job.
	Verdict  diagnose.Verdict `json:"verdict"`
	Verdicts []verdictAnswer  `json:"verdicts"`
	// Missing is what could not be read of the sources as a whole.
	Missing  []missingAnswer `json:"missing,omitempty"`
	Problems []problemAnswer `json:"problems,omitempty"`
}

type findingAnswer struct {
	Cause    train.Cause    `json:"cause"`
	Severity train.Severity `json:"severity"`
	Stage    train.Stage    `json:"stage"`
	Title    string         `json:"title"`
	Job      string         `json:"job,omitempty"`
	Ranks    []int          `json:"ranks,omitempty"`
	// RootRank is the rank that failed first, absent when ranks do not differ.
	RootRank    *int             `json:"rootRank,omitempty"`
	Since       *time.Time       `json:"since,omitempty"`
	Confidence  train.Confidence `json:"confidence,omitempty"`
	Evidence    []evidenceAnswer `json:"evidence"`
	Explanation string           `json:"explanation,omitempty"`
	Next        []stepAnswer     `json:"next"`
	Verify      string           `json:"verify,omitempty"`
	Hides       []train.Cause    `json:"hides,omitempty"`
}

type evidenceAnswer struct {
	Kind   train.EvidenceKind `json:"kind"`
	Object string             `json:"object,omitempty"`
	Field  string             `json:"field,omitempty"`
	Text   string             `json:"text"`
	Rank   *int               `json:"rank,omitempty"`
	Log    string             `json:"log,omitempty"`
	Line   int64              `json:"line,omitempty"`
	Time   *time.Time         `json:"time,omitempty"`
}

type stepAnswer struct {
	Text      string   `json:"text"`
	Command   string   `json:"command,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	Edit      string   `json:"edit,omitempty"`
}

type checkAnswer struct {
	Cause  train.Cause       `json:"cause"`
	Result train.CheckResult `json:"result"`
	Why    string            `json:"why,omitempty"`
	Stage  train.Stage       `json:"stage,omitempty"`
	Job    string            `json:"job,omitempty"`
}

// answer puts the findings of all jobs in one list, the worst job first.
func (d *diagnosis) answer(problems []problemAnswer) diagnosisAnswer {
	answer := d.answerWithoutJobs(problems)
	answer.Findings = slices.AppendSeq(answer.Findings, d.eachFinding())
	answer.Checks = slices.AppendSeq(answer.Checks, d.eachCheck())
	answer.Verdicts = slices.AppendSeq(answer.Verdicts, d.eachVerdict())
	return answer
}

// printJSON prints the answer job by job: each has a check for every cause, which is
// more than all that is known of the job.
func (d *diagnosis) printJSON(w io.Writer, problems []problemAnswer) error {
	return jsontext.PrintLists(w, d.answerWithoutJobs(problems),
		jsontext.ListOf("findings", d.eachFinding()), jsontext.ListOf("checks", d.eachCheck()), jsontext.ListOf("verdicts", d.eachVerdict()))
}

// answerWithoutJobs has the lists about single jobs empty.
func (d *diagnosis) answerWithoutJobs(problems []problemAnswer) diagnosisAnswer {
	return diagnosisAnswer{
		Findings: []findingAnswer{}, Checks: []checkAnswer{}, Verdicts: []verdictAnswer{},
		Verdict: d.verdict, Missing: answerMissing(d.missing), Problems: problems,
	}
}

func (d *diagnosis) eachFinding() iter.Seq[findingAnswer] {
	return func(yield func(findingAnswer) bool) {
		for _, job := range d.jobs {
			findings := d.findings(job)
			for i := range findings {
				if !yield(answerFinding(&findings[i])) {
					return
				}
			}
		}
	}
}

func (d *diagnosis) eachCheck() iter.Seq[checkAnswer] {
	return func(yield func(checkAnswer) bool) {
		for _, job := range d.jobs {
			a := d.answers[job.ID]
			if a == nil {
				continue
			}
			name := job.Ref.String()
			for _, c := range a.Checks {
				if !yield(checkAnswer{c.Cause, c.Result, c.Why, c.Stage, name}) {
					return
				}
			}
		}
	}
}

func answerFinding(f *train.Finding) findingAnswer {
	a := findingAnswer{
		Cause: f.Cause, Severity: f.Severity, Stage: f.Stage, Title: f.Title, Job: f.Job.String(), Ranks: f.Ranks, RootRank: rankOrNone(f.RootRank),
		Since: jsontext.Known(f.Since), Confidence: f.Confidence, Explanation: f.Explanation, Verify: f.Verify, Hides: f.Hides,
		Evidence: []evidenceAnswer{}, Next: []stepAnswer{},
	}
	for i := range f.Evidence {
		e := &f.Evidence[i]
		a.Evidence = append(a.Evidence, evidenceAnswer{e.Kind, objectName(e.Object), e.Field, e.Text, rankOrNone(e.Rank), logName(e.Stream), e.Line, jsontext.Known(e.Time)})
	}
	for _, s := range f.Next {
		a.Next = append(a.Next, stepAnswer{s.Text, s.Command, s.Arguments, s.Edit})
	}
	return a
}

// rankOrNone leaves out a negative rank.
func rankOrNone(rank int) *int {
	if rank < 0 {
		return nil
	}
	return &rank
}

func objectName(r train.Ref) string {
	if r.Name == "" {
		return r.Kind
	}
	return r.String()
}

func logName(id train.StreamID) string {
	if id == (train.StreamID{}) {
		return ""
	}
	return id.String()
}
