package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/train"
)

// redactFindings removes secrets from what findings quote of logs, events and
// objects, because people paste them. A secret in one text of a finding is
// removed from all its texts.
func redactFindings(r *redact.Redactor, findings []train.Finding) {
	for i := range findings {
		if holdsSecret(r, &findings[i]) {
			redactFinding(r, &findings[i])
		}
	}
}

// holdsSecret saves nearly all findings the copies. A step's arguments are
// those of its command.
func holdsSecret(r *redact.Redactor, f *train.Finding) bool {
	is := func(text string) bool { return r.Part(text, nil) != text }
	return is(f.Title) || is(f.Explanation) || is(f.Verify) ||
		slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool { return is(e.Text) || quotedCut(e.Text) }) ||
		slices.ContainsFunc(f.Next, func(s train.Step) bool {
			return is(s.Text) || is(s.Command) || is(s.Edit) || slices.ContainsFunc(s.Arguments, is)
		})
}

func redactFinding(r *redact.Redactor, f *train.Finding) {
	f.Evidence, f.Next = slices.Clone(f.Evidence), slices.Clone(f.Next)
	var secrets []string
	for i := range f.Evidence {
		e, found := &f.Evidence[i], []string(nil)
		e.Text, found = r.Secrets(e.Text, quotedCut(e.Text))
		secrets = append(secrets, found...)
	}
	for _, text := range []*string{&f.Title, &f.Explanation, &f.Verify} {
		*text = r.Part(*text, secrets)
	}
	for i := range f.Evidence {
		f.Evidence[i].Text = r.Part(f.Evidence[i].Text, secrets)
	}
	for i := range f.Next {
		redactStep(r, &f.Next[i], secrets)
	}
}

func redactStep(r *redact.Redactor, s *train.Step, secrets []string) {
	for _, text := range []*string{&s.Text, &s.Command, &s.Edit} {
		*text = r.Part(*text, secrets)
	}
	s.Arguments = slices.Clone(r.Arguments(s.Arguments))
	for i := range s.Arguments {
		s.Arguments[i] = r.Part(s.Arguments[i], secrets)
	}
}

// redactConclusion removes secrets from what a verdict quotes of statuses and
// of responses of servers.
func redactConclusion(r *redact.Redactor, c *Conclusion) {
	if c == nil {
		return
	}
	c.Sentence, c.because = r.Text(c.Sentence), r.Text(c.because)
	for i := range c.Missing {
		m := &c.Missing[i]
		m.What, m.Why, m.Help = r.Text(m.What), r.Text(m.Why), r.Text(m.Help)
	}
}

// quotedCut reports whether a quoted text may be the beginning of a longer
// one: train.LogHit cuts at 512 bytes or less within a letter, plain marks it.
func quotedCut(text string) bool {
	return len(text) >= 508 && len(text) <= 512 || strings.HasSuffix(text, "…")
}
