package wait

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Condition is one state of a job that ends the wait for it.
type Condition struct {
	// Text is the condition as a person writes it: "loss<2".
	Text string

	kind conditionKind
	// metric is compared with limit, by operator: < <= > >=.
	metric, operator string
	limit            float64
	cause            train.Cause
}

type conditionKind uint8

// NeedsLogs holds from madeStep on, NeedsDiagnosis for inTrouble and hasFinding.
const (
	isRunning conditionKind = iota
	isDone
	isFailed
	hasEnded
	madeStep
	inTrouble
	reachedStep
	reachedEpoch
	metricIs
	hasFinding
)

// DefaultCondition is waited for where none is given.
const DefaultCondition = "done"

// plain are the conditions of one word.
var plain = []struct {
	word, meaning string
	kind          conditionKind
}{
	{"running", "every rank runs, or ran", isRunning},
	{"done", "the job succeeded", isDone},
	{"failed", "the job failed", isFailed},
	{"ended", "the job succeeded or failed", hasEnded},
	{"first-step", "its logs show a first step", madeStep},
	{"trouble", "the diagnosis has an error or a warning", inTrouble},
}

// forms are the conditions with a value, for messages and completion.
var forms = []string{"step=N", "epoch=N", "loss<X", "loss>X", "finding=CAUSE"}

// Words returns the conditions of one word, each with its meaning.
func Words() (words, meanings []string) {
	for _, p := range plain {
		words, meanings = append(words, p.word), append(meanings, p.meaning)
	}
	return words, meanings
}

// ParseConditions parses conditions, each element one or several with commas
// between; without any it is DefaultCondition. causes are those that a finding
// can have. Errors name what is allowed.
func ParseConditions(texts []string, causes []train.Cause) ([]Condition, error) {
	var all []Condition
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ",") {
			c, err := parseCondition(strings.TrimSpace(part), causes)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(all, func(o Condition) bool { return o.Text == c.Text }) {
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 {
		c, err := parseCondition(DefaultCondition, causes)
		return []Condition{c}, err
	}
	return all, nil
}

func parseCondition(text string, causes []train.Cause) (Condition, error) {
	for _, p := range plain {
		if strings.EqualFold(text, p.word) {
			return Condition{Text: p.word, kind: p.kind}, nil
		}
	}
	at := strings.IndexAny(text, "<>=")
	if at <= 0 {
		return Condition{}, unknownCondition(text)
	}
	name, operator, value := strings.TrimSpace(text[:at]), text[at:at+1], strings.TrimSpace(text[at+1:])
	if operator != "=" && strings.HasPrefix(value, "=") {
		operator, value = operator+"=", strings.TrimSpace(value[1:])
	}
	c := Condition{Text: name + operator + value, metric: name, operator: operator}
	if strings.EqualFold(name, "finding") && operator == "=" {
		c.kind, c.cause = hasFinding, train.Cause(strings.ToLower(value))
		c.Text = "finding=" + string(c.cause)
		if !slices.Contains(causes, c.cause) {
			return c, fmt.Errorf("%q: the diagnosis knows no cause %q%s; docs/causes.md lists them", text, value, nearest(c.cause, causes))
		}
		return c, nil
	}
	limit, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(limit) || math.IsInf(limit, 0) {
		return c, fmt.Errorf("%q: %q is no number", text, value)
	}
	c.limit = limit
	return c, c.setQuantity()
}

// setQuantity finds what a comparison is about.
func (c *Condition) setQuantity() error {
	switch name := strings.ToLower(c.metric); {
	case name == "step":
		c.kind = reachedStep
	case name == "epoch":
		c.kind = reachedEpoch
	case c.operator == "=":
		return fmt.Errorf("%q: a metric is hardly ever exactly %s; give %s<%[2]s or %[3]s>%[2]s", c.Text, text(c.limit), c.metric)
	default:
		c.kind = metricIs
		return nil
	}
	if c.operator[0] == '<' {
		return fmt.Errorf("%q: a %s only grows; give %[2]s=N, which holds from %[2]s N on", c.Text, strings.ToLower(c.metric))
	}
	return nil
}

func unknownCondition(given string) error {
	words, _ := Words()
	return fmt.Errorf("%q is no condition; there are %s, %s, and any metric in place of loss", given, strings.Join(words, ", "), strings.Join(forms, ", "))
}

// nearest names causes that contain a word of the typed one.
func nearest(typed train.Cause, causes []train.Cause) string {
	var near []string
	for _, c := range causes {
		for word := range strings.SplitSeq(string(typed), "-") {
			if len(word) > 2 && strings.Contains(string(c), word) && !slices.Contains(near, string(c)) {
				near = append(near, string(c))
			}
		}
	}
	if len(near) == 0 {
		return ""
	}
	return "; there are " + strings.Join(near[:min(len(near), 5)], ", ")
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// NeedsLogs reports whether logs have to be read to know whether it holds.
func (c *Condition) NeedsLogs() bool { return c.kind >= madeStep }

// NeedsDiagnosis reports whether the diagnosis decides whether it holds.
func (c *Condition) NeedsDiagnosis() bool { return c.kind == inTrouble || c.kind == hasFinding }

// NeedsWholeLogs reports whether earlier lines count too: a value that a metric
// once had, a step before the run went back or before many lines without one, the
// steps of earlier epochs.
func (c *Condition) NeedsWholeLogs() bool { return c.NeedsLogs() && !c.NeedsDiagnosis() }

// holds reports whether it holds, or held, in an attempt of a job.
func (c *Condition) holds(f *facts) bool {
	switch c.kind {
	case isRunning:
		return f.ran
	case isDone:
		return f.phase == train.Succeeded
	case isFailed:
		return f.phase == train.Failed
	case hasEnded:
		return f.phase.Terminal()
	case madeStep:
		return f.stepped
	case inTrouble:
		return f.trouble
	case hasFinding:
		return f.causes[c.cause]
	case reachedStep:
		return c.compare(f.step)
	case reachedEpoch:
		return c.compare(f.epoch)
	}
	return f.metrics[c.Text]
}

// compare never holds for NaN. A step that is asked for with = may be passed
// between two printed ones.
func (c *Condition) compare(v float64) bool {
	switch c.operator {
	case "<":
		return v < c.limit
	case "<=":
		return v <= c.limit
	case ">":
		return v > c.limit
	}
	return v >= c.limit
}

// found reports whether any printed value of the metric fulfils it.
func (c *Condition) found(run *series.Run) bool {
	return slices.ContainsFunc(run.Tracks(c.nameIn(run)), func(track series.Track) bool {
		return slices.ContainsFunc(track.Values, c.compare)
	})
}

// nameIn is the metric's name in a log, "" where it has none. The case does not matter, as
// for `traintop curves --metric`; "loss" is the loss of the job list, whatever it is called.
func (c *Condition) nameIn(run *series.Run) string {
	i := slices.IndexFunc(run.Metrics, func(have string) bool { return strings.EqualFold(have, c.metric) })
	switch {
	case i >= 0:
		return run.Metrics[i]
	case strings.EqualFold(c.metric, "loss") && series.IsLoss(run.LossName):
		return run.LossName
	}
	return ""
}
