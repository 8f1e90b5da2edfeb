package diagnose

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/diagnose/signatures"
	"github.com/traintop/traintop/train"
)

// fromMessages are findings of what Kubernetes says about pods that do not
// start, and about objects that cannot make theirs.
func (s *jobContext) fromMessages() []train.Finding {
	if s.job.Phase == train.Succeeded {
		return nil
	}
	var found []train.Finding
	told := map[train.Cause]int{}
	messages := append(s.ownerMessages(), s.startMessages()...)
	matches, exact := s.classified(messages)
	for i := range messages {
		m, match := &messages[i], matches[i]
		if match == nil || match.Symptom && exact[m.pod] {
			continue
		}
		c := s.causes.of(match.Cause)
		s.current = c
		if at, known := told[c.id]; known {
			addMessage(&found[at], m)
			continue
		}
		told[c.id] = len(found)
		found = append(found, s.messageFinding(c, m, match.Captures))
	}
	return append(found, s.fromUnknownWords(messages, exact)...)
}

// classified are what messages tell, nil for one that tells nothing, and which
// pods are told exactly why they do not start: what else is said of those only
// names the state that follows, "Back-off pulling image" after a full disk.
func (s *jobContext) classified(messages []message) (matches []*signatures.Match, exact map[*pod]bool) {
	matches, exact = make([]*signatures.Match, len(messages)), map[*pod]bool{}
	for i := range messages {
		match := messages[i].classify()
		if match == nil {
			continue
		}
		if c := s.causes.of(match.Cause); c == nil || !c.hasMessages || match.Symptom && messages[i].tellsMore() {
			continue
		}
		matches[i] = match
		exact[messages[i].pod] = exact[messages[i].pod] || !match.Symptom
	}
	s.joinPullSecrets(messages, matches)
	return matches, exact
}

// joinPullSecrets: a pull secret that cannot be read matters where the image
// then does not come, and is a part of that.
func (s *jobContext) joinPullSecrets(messages []message, matches []*signatures.Match) {
	for i := range messages {
		if messages[i].reason != "FailedToRetrieveImagePullSecret" {
			continue
		}
		for k, match := range matches {
			if match != nil && messages[k].pod == messages[i].pod && s.causes.of(match.Cause).stage == train.StageImage {
				matches[i] = match
			}
		}
	}
}

func (s *jobContext) messageFinding(c *cause, m *message, captures []string) train.Finding {
	severity := train.SeverityError
	if s.job.Phase != train.Failed && c.stage != train.StageAdmission {
		severity = s.severityAfter(m.since, startGrace)
	}
	f := s.newFinding(severity, m.since)
	addMessage(&f, m)
	f.Title = plain(m.text)
	s.explain(c, &f, &match{message: m, captures: captures})
	return f
}

// tellsMore reports a container that cannot be configured for a reason that is
// told beside it: the reason's own words are what counts then.
func (m *message) tellsMore() bool {
	return m.reason == "CreateContainerConfigError" && m.text != "" && !hasAny(m.text, "onfigmap", "ecret")
}

// bare reports a message that only names a state: "Error: ImagePullBackOff".
func (m *message) bare() bool {
	word, found := strings.CutPrefix(m.text, "Error: ")
	return found && !strings.ContainsAny(word, " :")
}

// addMessage adds the rank and the words of a message to a finding.
func addMessage(f *train.Finding, m *message) {
	if m.pod != nil {
		f.Ranks = sorted(append(f.Ranks, m.pod.rank.Index))
	}
	last := len(f.Evidence) - 1 // messages come object by object, oldest first
	switch {
	case last >= 0 && sayTheSame(&f.Evidence[last], &m.proof):
		f.Evidence[last] = m.proof // an attempt of many: the newest stands for all
	case last < 0 || !m.bare():
		f.Evidence = append(f.Evidence, m.proof)
	}
	if !m.since.IsZero() && m.since.Before(f.Since) {
		f.Since = m.since
	}
}

// attemptID is what differs in each attempt of a kubelet: of a sandbox, a container.
var attemptID = regexp.MustCompile(`\b[0-9a-f]{12,}\b`)

// sayTheSame reports two events about one object whose words differ in the name
// of the attempt at most.
func sayTheSame(a, b *train.Evidence) bool {
	return a.Kind == b.Kind && a.Kind == train.EvidenceEvent && a.Object == b.Object && a.Rank == b.Rank &&
		attemptID.ReplaceAllString(a.Text, "") == attemptID.ReplaceAllString(b.Text, "")
}

// explain completes a finding with what its cause has to say, and where that
// is nothing with the general words.
func (s *jobContext) explain(c *cause, f *train.Finding, by *match) {
	if c.explain != nil {
		c.explain(s, f, by)
	}
	if f.Explanation == "" {
		f.Explanation = c.meaning
	}
	if len(f.Next) == 0 {
		f.Next = []train.Step{do(c.fix)}
	}
	if len(f.Next) == 1 && f.Next[0].Command == "" {
		f.Next = append(f.Next, s.showStep(by))
	}
	if f.Verify == "" {
		f.Verify = verifyOf(c.stage)
		if by != nil && by.message != nil && by.message.pod == nil && strings.HasPrefix(by.message.reason, "FailedCreate") {
			f.Verify = verifyOf(train.StageAdmission) // there are no pods yet that could go on
		}
	}
}
