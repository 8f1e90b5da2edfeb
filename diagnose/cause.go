package diagnose

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

// cause is one reason why a job is stuck, failed or slow: what it means to a
// person, and the rule that finds it. Each stands in a file of its own.
type cause struct {
	id    train.Cause
	stage train.Stage
	// meaning, evidence and fix are for docs/causes.md: one or two plain sentences each.
	meaning, evidence, fix string
	// text is what is said where nothing but a text tells of it, a line of a
	// log say; left out for causes of which no text tells.
	text logs.Words
	// hides are the symptoms that it explains in the same job.
	hides []train.Cause
	// needs are the kinds without which it cannot be ruled out.
	needs []schema.GroupKind
	// hasMessages is true where messages of Kubernetes tell of it: diagnose/signatures
	// knows their texts, and explain says what they mean here.
	hasMessages bool
	// overTime is true for what logs and GPUs tell as time goes on.
	overTime bool
	// fromMetrics is true for what metrics tell of first, though find looks too.
	fromMetrics bool
	// matchesEnd recognises it in the end of a container or pod; nil where ends do not tell.
	matchesEnd func(*failure) bool
	// find looks for it in the objects of a job; nil where told and ended are
	// all there is, and for causes that only logs or metrics tell of.
	find func(*jobContext) []train.Finding
	// explain completes what a message, an end or a line of a log told: title,
	// explanation, next steps. nil leaves the general words.
	explain func(*jobContext, *train.Finding, *match)
}

// match is what a cause was recognised by.
type match struct {
	message *message // nil for the end of a container
	failure *failure // nil for a message
	// captures are what the text's signature captured.
	captures []string
}

// captured is the first capture that is not empty, of those from i on.
func (s *match) captured(i int) string {
	if s == nil {
		return ""
	}
	for ; i < len(s.captures); i++ {
		if s.captures[i] != "" {
			return plain(s.captures[i])
		}
	}
	return ""
}

// causeTable is the ordered list of causes. Rules reach it through their
// subject, since the list is made of them.
type causeTable []*cause

// of finds a cause, nil when it is not in the list.
func (l causeTable) of(id train.Cause) *cause {
	for _, c := range l {
		if c.id == id {
			return c
		}
	}
	return nil
}

// words are those for a cause that a text shows.
func (l causeTable) words(id train.Cause) logs.Words {
	if c := l.of(id); c != nil {
		return c.text
	}
	return logs.Words{}
}

// position is where a cause stands in the list; one that is not in it comes last.
func (l causeTable) position(id train.Cause) int {
	for i, c := range l {
		if c.id == id {
			return i
		}
	}
	return len(l)
}

// text is what the message said, or why the container ended.
func (s *match) text() string {
	switch {
	case s == nil:
		return ""
	case s.message != nil:
		return s.message.text
	case s.failure != nil:
		return s.failure.message
	}
	return ""
}

// nth is the capture at a place, "" when there is none.
func (s *match) nth(i int) string {
	if s == nil || i >= len(s.captures) {
		return ""
	}
	return plain(s.captures[i])
}
