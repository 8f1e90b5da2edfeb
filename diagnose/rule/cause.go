package rule

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/train"
)

// Cause is one reason why a job is stuck, failed or slow: its texts, and the
// rule that finds it.
type Cause struct {
	ID    train.Cause
	Stage train.Stage
	// Words explain it to a person, on screens and in docs/causes.md.
	logfindings.Words
	// Evidence names the texts, fields and numbers that show it, for docs/causes.md.
	Evidence string
	// Hides are the symptoms that it explains in the same job.
	Hides []train.Cause
	// Needs are the kinds without which it cannot be ruled out.
	Needs []schema.GroupKind
	// FromMessages is true where messages of Kubernetes show it: sources/signatures
	// matches their texts, and Explain completes the finding.
	FromMessages bool
	// FromStatus is true where the status of the job itself names it.
	FromStatus bool
	// OverTime is true for what logs and metrics show only over time.
	OverTime bool
	// FromPast is true for what metrics show only over the last hour.
	FromPast bool
	// FromMetrics is true for what metrics show first, though Find looks too.
	FromMetrics bool
	// MatchesEnd reports whether the end of a container or pod shows it; nil
	// where no end does.
	MatchesEnd func(*Failure) bool
	// Find looks for it in the objects of a job; nil where only messages, ends,
	// logs or metrics show it.
	Find func(*JobContext) []train.Finding
	// Explain completes the finding of a message, of an end or of a line of a
	// log: title, explanation, next steps. nil leaves the general text.
	Explain func(*JobContext, *train.Finding, *Match)
}

// Match is the message or the end of a container that shows a cause.
type Match struct {
	Message *Message // nil for the end of a container
	Failure *Failure // nil for a message
	// Captures are the groups of the pattern that matched the text, as its row
	// of sources/signatures orders them.
	Captures []string
}

// Text returns the text of the message, or why the container ended.
func (m *Match) Text() string {
	switch {
	case m == nil:
		return ""
	case m.Message != nil:
		return m.Message.Text
	case m.Failure != nil:
		return m.Failure.Message
	}
	return ""
}

// Capture returns the capture with index i, "" when there is none.
func (m *Match) Capture(i int) string {
	if m == nil || i >= len(m.Captures) {
		return ""
	}
	return Plain(m.Captures[i])
}

// CaptureFrom returns the first capture with index i or above that is not
// empty: a pattern with alternatives captures the same thing in several groups.
func (m *Match) CaptureFrom(i int) string {
	for ; m != nil && i < len(m.Captures); i++ {
		if m.Captures[i] != "" {
			return Plain(m.Captures[i])
		}
	}
	return ""
}

// CauseTable is the ordered list of causes. Rules reach it through JobContext:
// the list contains them, so they cannot name it.
type CauseTable []*Cause

// Of returns a cause, nil when it is not in the list.
func (l CauseTable) Of(id train.Cause) *Cause {
	for _, c := range l {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Words returns the words of a cause, none for one that is not in the list.
func (l CauseTable) Words(id train.Cause) logfindings.Words {
	if c := l.Of(id); c != nil {
		return c.Words
	}
	return logfindings.Words{}
}

// Position returns the index of a cause in the list; one that is not in it comes last.
func (l CauseTable) Position(id train.Cause) int {
	for i, c := range l {
		if c.ID == id {
			return i
		}
	}
	return len(l)
}
