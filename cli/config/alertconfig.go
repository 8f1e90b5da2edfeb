package config

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// alertConfig is the part of the configuration file about incidents. It holds
// for all contexts.
type alertConfig struct {
	Rules   []alertRule `json:"alertRules"`
	Cluster string      `json:"clusterName"`
	rules   []alerts.Rule
}

// alertRule is a rule as it is written. One with the name of a preset changes
// that: what it leaves out stays.
type alertRule struct {
	Name       string   `json:"name"`
	Causes     []string `json:"causes"`
	Severities []string `json:"severities"`
	Phases     []string `json:"phases"`
	Namespaces []string `json:"namespaces"`
	Owners     []string `json:"owners"`
	Labels     string   `json:"labels"`
	For        length   `json:"for"`
	Repeat     repeat   `json:"repeat"`
	Quiet      []string `json:"quiet"`
	TimeZone   string   `json:"timeZone"`
	// Most is how many incidents are sent in an hour.
	Most      *int     `json:"mostPerHour"`
	Resolved  *bool    `json:"resolved"`
	Receivers []string `json:"receivers"`
	Off       *bool    `json:"off"`
}

// length is a length of time as a person writes it, and repeat one that may be
// never.
type length string
type repeat string

const lengthWords = "a length of time such as 90s, 10m, 2h or 7d"

func (length) allowed() string { return lengthWords }
func (repeat) allowed() string { return lengthWords + ", or " + never }

// never is a length of time that does not end.
const never = "never"

// rulesKey is the setting with the rules.
const rulesKey = "alertRules"

// inRule reports whether a setting is one of a rule.
func inRule(path string) bool { return strings.HasPrefix(path, rulesKey+"[") }

func alertConfigKeys() []Key {
	var names []string
	for _, rule := range alerts.Presets() {
		names = append(names, rule.Name)
	}
	return []Key{
		{
			name: rulesKey, kind: "list of `name`, `causes`, `severities`, `phases`, `namespaces`, `owners`, `labels`, `for`, `repeat`, `quiet`, `timeZone`, `mostPerHour`, `resolved`, `receivers`, `off`", everywhere: true, atStart: true,
			preset: strings.Join(names, ", "), meaning: "which troubles are incidents, and who is told of them when, see docs/alerts.md",
		},
		{name: "clusterName", kind: "text", preset: "the context's name", everywhere: true, atStart: true, meaning: "how messages call the cluster"},
	}
}

// AlertRules are the rules that can be used.
func (c *alertConfig) AlertRules() []alerts.Rule { return c.rules }

// ClusterName is how messages call the cluster, "" for its context.
func (c *alertConfig) ClusterName() string { return c.Cluster }

// checkAlerts makes the rules, and reports those that cannot be used. named are the
// receivers that can be used.
func (c *alertConfig) checkAlerts(r *reader, named []string) {
	c.rules = nil
	for k, written := range c.Rules {
		at := r.itemPath(rulesKey, k)
		rule, wrong := written.rule()
		for _, part := range wrong {
			r.add(at+"."+part.key, "the rule %q: %v; the rule is left out", written.Name, part.err)
		}
		switch {
		case len(wrong) > 0:
		case slices.ContainsFunc(c.rules, func(other alerts.Rule) bool { return strings.EqualFold(other.Name, rule.Name) }):
			r.add(at+".name", "there are two rules %q; the first is used", rule.Name)
		default:
			c.rules = append(c.rules, rule)
			for i, name := range written.Receivers {
				if !slices.Contains(named, name) {
					r.add(fmt.Sprintf("%s.receivers[%d]", at, i), "the rule %q: %v; it sends nothing there", rule.Name, noReceiver(name, named))
				}
			}
		}
	}
}

// wrongPart is a part of a rule that cannot be used, and why.
type wrongPart struct {
	key string
	err error
}

// rule converts it, and returns each part that cannot be used.
func (a *alertRule) rule() (rule alerts.Rule, wrong []wrongPart) {
	if a.Name == "" {
		wrong = append(wrong, wrongPart{"name", errors.New("it has no name")})
	}
	if at := slices.IndexFunc(alerts.Presets(), func(p alerts.Rule) bool { return strings.EqualFold(p.Name, a.Name) }); at >= 0 {
		rule = alerts.Presets()[at]
		rule.Off = false // who writes a rule wants it
	}
	rule.Name = a.Name
	for _, key := range a.emptyLists() {
		wrong = append(wrong, wrongPart{key, fmt.Errorf("%s is an empty list, and a rule matches at least one; leave it out for all", key)})
	}
	wrong = append(wrong, a.set(&rule)...)
	if a.Resolved != nil {
		rule.KeepResolved = !*a.Resolved
	}
	if a.Off != nil {
		rule.Off = *a.Off
	}
	if a.Receivers != nil {
		rule.Receivers = a.Receivers
	}
	return rule, wrong
}

// set sets the parts of a rule that have values of their own.
func (a *alertRule) set(rule *alerts.Rule) (wrong []wrongPart) {
	for _, part := range []struct {
		key string
		set func(*alerts.Rule) error
	}{
		{"causes", a.setCauses}, {"severities", a.setSeverities}, {"phases", a.setPhases},
		{"namespaces", func(rule *alerts.Rule) error { return setPatterns(&rule.Namespaces, a.Namespaces) }},
		{"owners", func(rule *alerts.Rule) error { return setPatterns(&rule.Owners, a.Owners) }}, {"labels", a.setLabels},
		{"for", a.setFor}, {"repeat", a.setRepeat}, {"timeZone", a.checkZone}, {"quiet", a.setQuiet}, {"mostPerHour", a.setMost},
	} {
		for _, err := range eachOf(part.set(rule)) {
			wrong = append(wrong, wrongPart{part.key, err})
		}
	}
	return wrong
}

// eachOf are the errors that were joined in one, none for nil.
func eachOf(err error) []error {
	var joined interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &joined):
		return joined.Unwrap()
	}
	return []error{err}
}

// emptyLists are the names of lists with nothing in them. A rule without
// the list matches all, which is hardly what is meant.
func (a *alertRule) emptyLists() (names []string) {
	for _, one := range []struct {
		key  string
		list []string
	}{
		{"causes", a.Causes}, {"severities", a.Severities}, {"phases", a.Phases},
		{"namespaces", a.Namespaces}, {"owners", a.Owners}, {"receivers", a.Receivers},
	} {
		if one.list != nil && len(one.list) == 0 {
			names = append(names, one.key)
		}
	}
	return names
}

func (a *alertRule) setCauses(rule *alerts.Rule) error {
	if a.Causes == nil {
		return nil
	}
	var wrong []error
	rule.Causes = nil
	var known []train.Cause
	for _, described := range diagnose.Causes() {
		known = append(known, described.ID)
	}
	for _, name := range a.Causes {
		before := len(rule.Causes)
		for _, cause := range known {
			if fits, err := path.Match(name, string(cause)); err == nil && fits {
				rule.Causes = append(rule.Causes, cause)
			}
		}
		if len(rule.Causes) == before {
			wrong = append(wrong, fmt.Errorf("there is no cause %q%s; docs/causes.md has all", name, didYouMean(name, textsOf(known))))
		}
	}
	return errors.Join(wrong...)
}

func (a *alertRule) setSeverities(rule *alerts.Rule) error {
	return setWords(&rule.Severities, a.Severities, "severity", []train.Severity{train.SeverityError, train.SeverityWarning, train.SeverityInfo})
}

func (a *alertRule) setPhases(rule *alerts.Rule) error {
	return setWords(&rule.Phases, a.Phases, "phase", []train.Phase{train.Pending, train.Queued, train.Suspended, train.Running, train.Restarting, train.Failed})
}

// setWords takes words of a list, whatever their case.
func setWords[T ~string](into *[]T, words []string, what string, allowed []T) error {
	if words == nil {
		return nil
	}
	*into = nil
	var wrong []error
	for _, word := range words {
		at := slices.IndexFunc(allowed, func(one T) bool { return strings.EqualFold(string(one), word) })
		if at < 0 {
			wrong = append(wrong, fmt.Errorf("%q is no %s; allowed are %s", word, what, strings.Join(textsOf(allowed), ", ")))
			continue
		}
		*into = append(*into, allowed[at])
	}
	return errors.Join(wrong...)
}

func textsOf[T ~string](all []T) (texts []string) {
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return texts
}

// setPatterns takes names and patterns.
func setPatterns(into *[]string, patterns []string) error {
	if patterns == nil {
		return nil
	}
	var wrong []error
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			wrong = append(wrong, fmt.Errorf("%q is no name or pattern with * and ?", pattern))
		}
	}
	*into = patterns
	return errors.Join(wrong...)
}

func (a *alertRule) setLabels(rule *alerts.Rule) error {
	if a.Labels == "" {
		return nil
	}
	selector, err := labels.Parse(a.Labels)
	if err != nil {
		return fmt.Errorf("%q is no label selector as kubectl's -l: %w", a.Labels, err)
	}
	rule.Labels = selector
	return nil
}

func (a *alertRule) setFor(rule *alerts.Rule) error {
	return setLength(&rule.For, string(a.For), a.For.allowed())
}

func (a *alertRule) setRepeat(rule *alerts.Rule) error {
	if a.Repeat == never {
		rule.Repeat = 0
		return nil
	}
	return setLength(&rule.Repeat, string(a.Repeat), a.Repeat.allowed())
}

// longestWait bounds lengths of time in rules.
const longestWait = 365 * 24 * time.Hour

// setLength reads a length of time as Go writes it, or in days.
func setLength(into *time.Duration, text, allowed string) error {
	if text == "" {
		return nil
	}
	length, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		length = time.Duration(min(n, 1000)) * 24 * time.Hour
	}
	if err != nil || length < 0 || length > longestWait {
		return fmt.Errorf("%q is no %s", text, strings.TrimPrefix(allowed, "a "))
	}
	*into = length
	return nil
}

// checkZone looks at a time zone also where no hours are in it.
func (a *alertRule) checkZone(*alerts.Rule) error {
	_, err := alerts.ParseQuiet(nil, a.TimeZone)
	return err
}

func (a *alertRule) setQuiet(rule *alerts.Rule) (err error) {
	if a.Quiet == nil {
		return nil
	}
	if a.checkZone(rule) != nil {
		_, err = alerts.ParseQuiet(a.Quiet, "")
		return err
	}
	rule.Quiet, err = alerts.ParseQuiet(a.Quiet, a.TimeZone)
	return err
}

func (a *alertRule) setMost(rule *alerts.Rule) error {
	if a.Most == nil {
		return nil
	}
	if *a.Most < 0 {
		return fmt.Errorf("%d is no number of incidents in an hour; 0 is no limit", *a.Most)
	}
	rule.Most = *a.Most
	return nil
}
