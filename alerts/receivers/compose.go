package receivers

import (
	"strings"

	"github.com/traintop/traintop/alerts"
)

// dialect is the markup of a service.
type dialect struct {
	length measure
	// escape is for text in a sentence, escapeCode for text in code.
	escape, escapeCode escape
	// bold and code are the marks before and after such text; next separates
	// lines.
	bold, code [2]string
	next       string
}

// plainText is no markup.
func plainText(m measure) dialect {
	return dialect{length: m, escape: asIs, escapeCode: asIs, next: "\n"}
}

// Names of facts that every message has.
const (
	evidenceName = "evidence"
	openName     = "open it with"
)

// leastFact is the length of a fact, without its name, below which it is left
// out.
const leastFact = 12

// composed is a message of at most a length, heading first. Where it is longer,
// evidence is cut to a third, and then the last facts are left out.
func (d dialect) composed(m alerts.Message, most int) string {
	rest := most
	var lines []string
	add := func(line string) {
		if line == "" {
			return
		}
		lines = append(lines, line)
		rest -= d.length(line) + d.length(d.next)
	}
	heading := ""
	if m.Heading != "" {
		heading = d.wrapped(d.bold, m.Heading, most/3, d.escape)
	}
	add(heading)
	command := d.named(openName, m.Command, most/6)
	rest -= d.length(command) + d.length(d.next)
	facts := 0
	for _, f := range m.Fields {
		facts += d.length(d.fact(f, most)) + d.length(d.next)
	}
	evidence := d.named(evidenceName, m.Evidence, max(most/3, rest-facts))
	rest -= d.length(evidence) + d.length(d.next)
	for _, f := range m.Fields {
		if rest < d.length(f.Name)+leastFact {
			break
		}
		add(d.fact(f, rest))
	}
	add(evidence)
	add(command)
	return strings.Join(lines, d.next)
}

// fact is one fact on a line.
func (d dialect) fact(f alerts.Field, most int) string {
	name := f.Name + ": "
	return name + fit(f.Text, most-d.length(name), d.length, d.escape)
}

// named is a fact whose text is code, "" for none.
func (d dialect) named(name, text string, most int) string {
	if text == "" {
		return ""
	}
	name += ": "
	return name + d.wrapped(d.code, text, most-d.length(name), d.escapeCode)
}

func (d dialect) wrapped(markup [2]string, text string, most int, e escape) string {
	return markup[0] + fit(text, most-d.length(markup[0])-d.length(markup[1]), d.length, e) + markup[1]
}
