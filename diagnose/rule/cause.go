package rule

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

// Cause is one reason why a job is stuck, failed or slow: what it means to a
// person, and the rule that finds it.
type Cause struct {
	ID    train.Cause
	Stage train.Stage
	// Words explain it to a person, on screens and in docs/causes.md.
	logs.Words
	// Evidence names the texts, fields and numbers that show it, for docs/causes.md.
	Evidence string
	// Hides are the symptoms that it explains in the same job.
	Hides []train.Cause
	// Needs are the kinds without which it cannot be ruled out.
	Needs []schema.GroupKind
	// FromMessages is true where messages of Kubernetes tell of it: sources/signatures
	// knows their texts, and explain says what they mean here.
	FromMessages bool
	// OverTime is true for what logs and GPUs tell as time goes on.
	OverTime bool
	// FromMetrics is true for what metrics tell of first, though find looks too.
	FromMetrics bool
	// MatchesEnd recognises it in the end of a container or pod; nil where ends do not tell.
	MatchesEnd func(*Failure) bool
	// Find looks for it in the objects of a job; nil where told and ended are
	// all there is, and for causes that only logs or metrics tell of.
	Find func(*JobContext) []train.Finding
	// Explain completes what a message, an end or a line of a log told: title,
	// explanation, next steps. nil leaves the general words.
	Explain func(*JobContext, *train.Finding, *Match)
}

// Match is what a cause was recognised by.
type Match struct {
	Message *Message // nil for the end of a container
	Failure *Failure // nil for a message
	// Captures are what the text's signature captured.
	Captures []string
}

// Captured is the first capture that is not empty, of those from i on.
func (s *Match) Captured(i int) string {
	if s == nil {
		return ""
	}
	for ; i < len(s.Captures); i++ {
		if s.Captures[i] != "" {
			return Plain(s.Captures[i])
		}
	}
	return ""
}

// CauseTable is the ordered list of causes. Rules reach it through their
// context, since the list is made of them.
type CauseTable []*Cause

// Of finds a cause, nil when it is not in the list.
func (l CauseTable) Of(id train.Cause) *Cause {
	for _, c := range l {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Words returns the words of a cause, none for one that is not in the list.
func (l CauseTable) Words(id train.Cause) logs.Words {
	if c := l.Of(id); c != nil {
		return c.Words
	}
	return logs.Words{}
}

// Position is where a cause stands in the list; one that is not in it comes last.
func (l CauseTable) Position(id train.Cause) int {
	for i, c := range l {
		if c.ID == id {
			return i
		}
	}
	return len(l)
}

// Text is what the message said, or why the container ended.
func (s *Match) Text() string {
	switch {
	case s == nil:
		return ""
	case s.Message != nil:
		return s.Message.Text
	case s.Failure != nil:
		return s.Failure.Message
	}
	return ""
}

// Nth is the capture at a place, "" when there is none.
func (s *Match) Nth(i int) string {
	if s == nil || i >= len(s.Captures) {
		return ""
	}
	return Plain(s.Captures[i])
}
