package cli

import (
	"iter"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// noVerdictError counts jobs without a verdict. The answer itself was printed. The
// command ends with exitUnknown after it (exitcodes.go).
// because is why there is none, nil where the answer contains it.
type noVerdictError struct {
	unknown, all int
	because      error
}

func (e *noVerdictError) Error() string {
	if e.because != nil {
		return diagnose.NotEnoughRead.Words() + ": " + strings.TrimPrefix(e.because.Error(), diagnose.NotEnoughRead.Words()+" ")
	}
	text := diagnose.NotEnoughRead.Words()
	if e.all > 0 {
		text += " of " + counted(e.unknown, e.all, "job")
	}
	return text + "; what is missing, and what would let it be read, stands in the answer"
}

// unknown is an error where a requested job has no verdict, or where it was not
// found and not all was read. Causes found for other jobs change nothing.
func (d *diagnosis) unknown() error {
	n := 0
	for _, job := range d.jobs {
		if d.isUnknown(job) {
			n++
		}
	}
	if n == 0 && (len(d.jobs) > 0 || d.verdict != diagnose.NotEnoughRead) {
		return nil
	}
	return &noVerdictError{unknown: n, all: len(d.jobs)}
}

// isUnknown leaves out jobs that an excerpt file only outlines: they were not
// requested.
func (d *diagnosis) isUnknown(job *train.Job) bool {
	return !job.Outlined && d.answers[job.ID].Verdict() == diagnose.NotEnoughRead
}

// verdictAnswer is the verdict on one job in JSON.
type verdictAnswer struct {
	Job     string           `json:"job"`
	Verdict diagnose.Verdict `json:"verdict"`
	// Sentence is one line of text; LookedAt names what was read, Missing what
	// was not.
	Sentence string          `json:"sentence,omitempty"`
	LookedAt []string        `json:"lookedAt,omitempty"`
	Missing  []missingAnswer `json:"missing,omitempty"`
}

// missingAnswer is something that was not read: why, and what would let it be
// read.
type missingAnswer struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Help string `json:"help,omitempty"`
}

func (d *diagnosis) eachVerdict() iter.Seq[verdictAnswer] {
	return func(yield func(verdictAnswer) bool) {
		for _, job := range d.jobs {
			answer := d.answers[job.ID]
			if answer == nil || answer.Conclusion == nil {
				continue
			}
			c := answer.Conclusion
			if !yield(verdictAnswer{job.Ref.String(), c.Verdict, c.Sentence, c.LookedAt, answerMissing(c.Missing)}) {
				return
			}
		}
	}
}

func answerMissing(missing []diagnose.Missing) []missingAnswer {
	var all []missingAnswer
	for _, m := range missing {
		all = append(all, missingAnswer{m.What, m.Why, m.Help})
	}
	return all
}
