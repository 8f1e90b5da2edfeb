package diagnose

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// fromMessages returns findings from messages about pods that do not start,
// and about objects that cannot create theirs.
func fromMessages(s *rule.JobContext) []train.Finding {
	if s.Job.Phase == train.Succeeded {
		return nil
	}
	var found []train.Finding
	reported := map[train.Cause]int{}
	messages := append(s.OwnerMessages(), s.StartMessages()...)
	matches, exact := classified(s, messages)
	for i := range messages {
		m, match := &messages[i], matches[i]
		if match == nil || match.Symptom && exact[m.Pod] {
			continue
		}
		c := s.Causes.Of(match.Cause)
		s.Current = c
		if at, known := reported[c.ID]; known {
			addMessage(&found[at], m)
			continue
		}
		reported[c.ID] = len(found)
		found = append(found, messageFinding(s, c, m, match.Captures))
	}
	return append(found, fromUnknownWords(s, messages, exact)...)
}

// classified returns the matches of messages, nil for a message without one,
// and the pods with an exact reason why they do not start: other messages
// about those only name the state that follows, "Back-off pulling image" after
// a full disk.
func classified(s *rule.JobContext, messages []rule.Message) (matches []*signatures.Match, exact map[*rule.Pod]bool) {
	matches, exact = make([]*signatures.Match, len(messages)), map[*rule.Pod]bool{}
	for i := range messages {
		match := messages[i].Classify()
		if match == nil {
			continue
		}
		if c := s.Causes.Of(match.Cause); c == nil || !c.FromMessages || match.Symptom && isMoreInformative(&messages[i]) {
			continue
		}
		matches[i] = match
		exact[messages[i].Pod] = exact[messages[i].Pod] || !match.Symptom
	}
	joinPullSecrets(s, messages, matches)
	return matches, exact
}

// joinPullSecrets merges findings: a pull secret that cannot be read matters
// where the image then is not pulled, and belongs to that finding.
func joinPullSecrets(s *rule.JobContext, messages []rule.Message, matches []*signatures.Match) {
	for i := range messages {
		if messages[i].Reason != "FailedToRetrieveImagePullSecret" {
			continue
		}
		for k, match := range matches {
			if match != nil && messages[k].Pod == messages[i].Pod && s.Causes.Of(match.Cause).Stage == train.StageImage {
				matches[i] = match
			}
		}
	}
}

func messageFinding(s *rule.JobContext, c *rule.Cause, m *rule.Message, captures []string) train.Finding {
	severity := train.SeverityError
	if s.Job.Phase != train.Failed && c.Stage != train.StageAdmission {
		severity = s.SeverityAfter(m.Since, rule.StartGrace)
	}
	f := s.NewFinding(severity, m.Since)
	addMessage(&f, m)
	f.Title = rule.Plain(m.Text)
	explain(s, c, &f, &rule.Match{Message: m, Captures: captures})
	return f
}

// isMoreInformative reports a container that cannot be configured for a reason that
// the message contains: only that reason counts then.
func isMoreInformative(m *rule.Message) bool {
	return m.Reason == "CreateContainerConfigError" && m.Text != "" && !rule.HasAny(m.Text, "onfigmap", "ecret")
}

// bare reports a message that only names a state: "Error: ImagePullBackOff".
func bare(m *rule.Message) bool {
	word, found := strings.CutPrefix(m.Text, "Error: ")
	return found && !strings.ContainsAny(word, " :")
}

// addMessage adds the rank and the text of a message to a finding.
func addMessage(f *train.Finding, m *rule.Message) {
	if m.Pod != nil {
		f.Ranks = sorted(append(f.Ranks, m.Pod.Rank.Index))
	}
	last := len(f.Evidence) - 1 // messages come object by object, oldest first
	switch {
	case last >= 0 && sayTheSame(&f.Evidence[last], &m.Proof):
		f.Evidence[last] = m.Proof // one of many attempts: keep only the newest
	case last < 0 || !bare(m):
		f.Evidence = append(f.Evidence, m.Proof)
	}
	if !m.Since.IsZero() && m.Since.Before(f.Since) {
		f.Since = m.Since
	}
}

// attemptID is what differs in each attempt of a kubelet: the ID of a sandbox,
// a container.
var attemptID = regexp.MustCompile(`\b[0-9a-f]{12,}\b`)

// sayTheSame reports two events about one object whose texts differ in the ID
// of the attempt at most.
func sayTheSame(a, b *train.Evidence) bool {
	return a.Kind == b.Kind && a.Kind == train.EvidenceEvent && a.Object == b.Object && a.Rank == b.Rank &&
		attemptID.ReplaceAllString(a.Text, "") == attemptID.ReplaceAllString(b.Text, "")
}

// explain completes a finding with the text of its cause, or else with the
// general text.
func explain(s *rule.JobContext, c *rule.Cause, f *train.Finding, match *rule.Match) {
	if c.Explain != nil {
		c.Explain(s, f, match)
	}
	if f.Explanation == "" {
		f.Explanation = c.Meaning
	}
	if len(f.Next) == 0 {
		f.Next = c.Advice()
	}
	if !slices.ContainsFunc(f.Next, namesObjects) {
		f.Next = append(f.Next, s.ShowStep(match))
	}
	if f.Verify == "" {
		f.Verify = rule.VerifyOf(c.Stage)
		if match != nil && match.Message != nil && match.Message.Pod == nil && strings.HasPrefix(match.Message.Reason, "FailedCreate") {
			f.Verify = rule.VerifyOf(train.StageAdmission) // there are no pods yet to check
		}
	}
}

// namesObjects reports whether a step shows or changes something in the
// cluster.
func namesObjects(step train.Step) bool {
	return step.Edit != "" || strings.HasPrefix(step.Command, "kubectl ")
}
