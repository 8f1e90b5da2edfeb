package formats

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/traintop/traintop/train"
)

// Pattern is a person's own format, from the configuration file.
type Pattern struct {
	// Name is used in messages.
	Name string `json:"name"`
	// Match is a regular expression in Go's syntax; its named groups are
	// metrics: step, epoch, total (of steps), epochs (in all), loss and so on.
	// A group that matches no number is left out of the point.
	Match string `json:"match"`
	// Example is a line that Match must read, tested when it is loaded.
	Example string `json:"example"`
}

// Patterns are compiled, in the order in which they are tried. The zero value has none.
type Patterns struct{ list []compiled }

type compiled struct {
	expression *regexp.Regexp
	groups     []string
}

// Compile compiles a person's patterns. The error names every invalid pattern and its
// fault.
func Compile(list []Pattern) (Patterns, error) {
	var done Patterns
	var problems []error
	for _, pattern := range list {
		c, err := pattern.compile()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		done.list = append(done.list, c)
	}
	return done, errors.Join(problems...)
}

// Check returns the fault of a pattern, nil if there is none.
func (p Pattern) Check() error {
	_, err := p.compile()
	return err
}

func (p Pattern) compile() (compiled, error) {
	name := p.Name
	if name == "" {
		name = p.Match
	}
	// Lines are matched with plain blanks.
	expression, err := regexp.Compile(string(appendPlain(nil, []byte(p.Match))))
	if err != nil {
		return compiled{}, fmt.Errorf("pattern %q: %w", name, err)
	}
	c := compiled{expression: expression, groups: expression.SubexpNames()}
	if len(strings.Join(c.groups, "")) == 0 {
		return compiled{}, fmt.Errorf("pattern %q: no named group: write (?P<loss>...) around what is to be read", name)
	}
	if p.Example == "" {
		return compiled{}, fmt.Errorf("pattern %q: no example: add a line that it must read", name)
	}
	var pt point
	if !c.read(appendPlain(nil, []byte(p.Example)), &pt) {
		return compiled{}, fmt.Errorf("pattern %q: does not read a number from its example %q", name, p.Example)
	}
	return c, nil
}

// read sets a point from the groups of a match; false if the line does not match or no
// group is a number.
func (c *compiled) read(text []byte, pt *point) bool {
	at := c.expression.FindSubmatchIndex(text)
	if at == nil {
		return false
	}
	pt.reset()
	for i, name := range c.groups {
		if name == "" || at[2*i] < 0 {
			continue
		}
		group := bytes.TrimSpace(text[at[2*i]:at[2*i+1]])
		v, _, ok := readValue(group, 0)
		if !ok {
			continue
		}
		pt.take(name, v.number)
	}
	return len(pt.metrics) > 0 || pt.positioned()
}

// take sets the field or metric of a named group.
func (p *point) take(name string, v float64) {
	whole := !math.IsNaN(v) && !math.IsInf(v, 0)
	switch {
	case name == "step" && whole:
		p.hasStep, p.step, p.scope, p.scopeKnown = true, v, train.ScopeRun, true
	case name == "epoch" && whole:
		p.hasEpoch, p.epoch = true, v
	case name == "total" && whole:
		p.totals.TotalSteps = v
	case name == "epochs" && whole:
		p.totals.TotalEpochs = v
	default:
		p.add(name, v)
		p.atLeast(metric)
		if name == train.MetricLoss || name == train.MetricEvalLoss {
			p.atLeast(loss)
		}
	}
}

// personal tries a person's own patterns.
func (p *Parser) personal(l *line) bool {
	pt := &p.pairs.point
	for i := range p.patterns.list {
		if !p.patterns.list[i].read(l.text, pt) && !p.patterns.list[i].read(l.whole, pt) {
			continue
		}
		if pt.totals.TotalSteps > 0 && pt.hasStep {
			pt.stepOf = pt.totals.TotalSteps
		}
		if pt.totals.TotalEpochs > 0 && pt.hasEpoch {
			pt.epochOf = pt.totals.TotalEpochs
		}
		if len(pt.metrics) == 0 {
			l.stream.locate(pt)
			return true
		}
		p.accept(l, pt)
		return true
	}
	return false
}

// GroupName returns the name that a pattern's group should have for a number that
// a log calls name: step, epoch, a known loss, or the name itself as letters,
// digits and underscores; "" where nothing is left of it.
func GroupName(name string) string {
	var words wordList
	switch classify([]byte(name), &words).class {
	case classStep:
		return "step"
	case classEpoch:
		return "epoch"
	case classLoss:
		return train.MetricLoss
	case classEvalLoss:
		return train.MetricEvalLoss
	}
	return strings.Trim(notGroupName.ReplaceAllString(name, "_"), "_")
}

// notGroupName is what Go's regular expressions do not take in the name of a
// group.
var notGroupName = regexp.MustCompile(`[^A-Za-z0-9_]+`)
