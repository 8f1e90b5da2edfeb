package config

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/termtext"
)

// FuzzConfig: whatever a configuration contains, reading it ends, and each problem
// is one line at a line of the file; rules and receivers that were taken can be
// used.
func FuzzConfig(f *testing.F) {
	f.Add("alertRules:\n- name: idle\n  for: 30m\n  quiet: [\"22:00-07:00\", \"sat,sun 00:00-24:00\"]\n  timeZone: Europe/Berlin\n  receivers: [team]\n")
	f.Add("alertRules:\n- {name: mine, namespaces: [a-*], causes: [nccl-*], severities: [Error], phases: [running], labels: team=a, repeat: never, mostPerHour: 5, resolved: false}\n- {for: 1m}\n- {name: x, labels: \"(((\", for: soon, phases: [Dancing]}\n")
	for _, kind := range receivers.Kinds() {
		f.Add("receivers:\n  my-" + kind.Type + ":\n    " + strings.ReplaceAll(kind.Example, "\n", "\n    ") + "\n")
	}
	f.Add("a: &a [*a]\n? [x]\n: !!binary z\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, problems, err := parse("config.yaml", []byte(text))
		if err != nil {
			return
		}
		lines := 1 + strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + strings.Count(text, "\u0085")
		for _, p := range problems {
			if said := p.String(); p.Text == "" || said != termtext.Line(said) || p.Line < 0 || p.Line > lines {
				t.Errorf("a problem of %d lines is %+q", lines, said)
			}
		}
		names := map[string]bool{}
		for _, rule := range c.AlertRules() {
			if rule.Name == "" || names[rule.Name] || rule.For < 0 {
				t.Errorf("a rule is %+v", rule)
			}
			names[rule.Name] = true
		}
		for _, name := range c.ReceiverNames() {
			if _, service, err := c.Receiver(name); err == nil && service == nil {
				t.Errorf("receiver %q has no service", name)
			}
		}
	})
}
