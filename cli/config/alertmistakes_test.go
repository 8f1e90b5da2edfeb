package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// goodAlerts are a rule and a receiver that go on whatever else is wrong.
const goodAlerts = "alertRules:\n- {name: good, for: 1m}\n%sreceivers:\n  good: {type: terminal}\n%s"

// mistake is what is written, and the message about it.
type mistake struct{ written, said string }

// aMistakeIsNamed checks that the one mistake is named with its place, and that the
// good rule and receiver alone are used.
func aMistakeIsNamed(t *testing.T, m mistake, text string) {
	t.Helper()
	c, problems := readReceivers(t, text)
	if !strings.Contains(problems, "config.yaml:"+m.said) || strings.Contains(problems, "plantedSecret") || strings.Count(problems, "\n") > 0 {
		t.Errorf("%s:\n got %s\nwant %s", m.written, problems, m.said)
	}
	var rules []string
	for _, rule := range c.AlertRules() {
		rules = append(rules, rule.Name)
	}
	if !slices.Equal(rules, []string{"good"}) || !slices.Equal(c.ReceiverNames(), []string{"good"}) {
		t.Errorf("%s: rules are %q, receivers %q", m.written, rules, c.ReceiverNames())
	}
}

// A rule with a wrong value is named, with what is allowed, and left out as a
// whole: without a part of what it matches it would match more.
func TestMistakesInRules(t *testing.T) {
	for _, m := range []mistake{
		{"{name: x, for: 30}", "3: alertRules[1].for is 30; it has to be a length of time such as 90s, 10m, 2h or 7d; alertRules[1] is left out"},
		{"{name: x, repeat: [4h]}", "3: alertRules[1].repeat is a list; it has to be a length of time such as 90s, 10m, 2h or 7d, or never; alertRules[1] is left out"},
		{"{name: x, repeat: often}", `3: the rule "x": "often" is no length of time such as 90s, 10m, 2h or 7d, or never; the rule is left out`},
		{"{name: x, causes: nan-loss}", `3: alertRules[1].causes is "nan-loss"; it has to be a list, as in [a, b]; alertRules[1] is left out`},
		{"{name: x, causes: [nan-loss, 5]}", "3: alertRules[1].causes[1] is 5; it has to be text; in quotes where it looks like something else; alertRules[1] is left out"},
		{"{name: x, causes: {nan-loss: true}}", "3: alertRules[1].causes is a map; it has to be a list, as in [a, b]; alertRules[1] is left out"},
		{"{name: x, causes: []}", `3: the rule "x": causes is an empty list, and a rule matches at least one; leave it out for all; the rule is left out`},
		{"{name: x, phases: [null]}", `3: the rule "x": "" is no phase; allowed are Pending`},
		{"{name: x, namespaces: [2024]}", "3: alertRules[1].namespaces[0] is 2024; it has to be text; in quotes where it looks like something else; alertRules[1] is left out"},
		{"{name: x, namespaces: ['']}", `3: the rule "x": "" is no name or pattern with * and ?`},
		{"{name: x, namespace: research}", `3: there is no setting "alertRules[1].namespace"; did you mean "namespaces"? (see docs/configuration.md); alertRules[1] is left out`},
		{"{name: x, mostPerHour: 2.5}", "3: alertRules[1].mostPerHour is 2.5; it has to be a whole number; alertRules[1] is left out"},
		{"{name: x, mostPerHour: -1}", `3: the rule "x": -1 is no number of incidents in an hour; 0 is no limit`},
		{"{name: x, off: 'yes'}", `3: alertRules[1].off is "yes"; it has to be true or false; alertRules[1] is left out`},
		{"{name: x, labels: {team: a}}", "3: alertRules[1].labels is a map; it has to be text; in quotes where it looks like something else; alertRules[1] is left out"},
		{"{name: x, quiet: '22:00-07:00'}", `3: alertRules[1].quiet is "22:00-07:00"; it has to be a list, as in [a, b]; alertRules[1] is left out`},
		{"{name: x, timeZone: Mars/Olympus}", `3: the rule "x": "Mars/Olympus" is no time zone such as Europe/Berlin; the rule is left out`},
		{"{name: GOOD}", `3: there are two rules "GOOD"; the first is used`},
		{"{name: x, receivers: []}", `3: the rule "x": receivers is an empty list, and a rule matches at least one; leave it out for all; the rule is left out`},
		{"{for: 1m}", `3: the rule "": it has no name`},
		{"null", `3: the rule "": it has no name`},
		{"idle", `3: alertRules[1] is "idle"; it has to be a map, as in {name: value}; it is left out`},
		{"[idle]", "3: alertRules[1] is a list; it has to be a map, as in {name: value}; it is left out"},
	} {
		aMistakeIsNamed(t, m, fmt.Sprintf(goodAlerts, "- "+m.written+"\n", ""))
	}
}

// Each part of a rule that cannot be used is named, not the first alone.
func TestAllMistakesOfARule(t *testing.T) {
	_, problems := readReceivers(t, fmt.Sprintf(goodAlerts, `- {name: x, causes: [nan-los, oom-killedd], severities: [], phases: [Dead], for: soon, repeat: often, timeZone: Mars, quiet: ["9-17"], mostPerHour: -1}
`, ""))
	for _, want := range []string{
		`no cause "nan-los"`, `no cause "oom-killedd"`, "severities is an empty list", `"Dead" is no phase`,
		`"soon" is no length`, `"often" is no length`, `"Mars" is no time zone`, `"9-17"`, "-1 is no number of incidents",
	} {
		if strings.Count(problems, want) != 1 {
			t.Errorf("%q stands %d times in\n%s", want, strings.Count(problems, want), problems)
		}
	}
	if got := strings.Count(problems, "\n") + 1; got != 9 {
		t.Errorf("%d problems, want 9:\n%s", got, problems)
	}
}

// Names of settings that replace others, as a person sees them.
func TestMistakesInReceivers(t *testing.T) {
	for _, m := range []mistake{
		{"x: [slack]", "5: receivers.x is a list; it has to be a map with a type"},
		{"x: 5", "5: receivers.x is a number; it has to be a map with a type"},
		{"x: {type: [slack]}", "5: receivers.x.type is a list; it has to be one of slack, msteams"},
		{"x: {type: 5}", "5: receivers.x.type is a number; it has to be one of slack, msteams"},
		{"x: {type: null}", "5: receivers.x has no type; types are slack"},
		{"x: {type: slack, url: 5}", "5: receivers.x.url: it is written as text, and it is a secret"},
		{"x: {type: slack, url: [plantedSecret]}", "5: receivers.x.url: it is written as text, and it is a secret"},
		{"x: {type: slack, url: null}", "5: receivers.x.url: it is missing"},
		{"x: {type: slack, url: {env: null}}", "5: receivers.x.url: it has to be {env: NAME} or {file: PATH}, one of the two"},
		{"x: {type: slack, url: {env: ''}}", "5: receivers.x.url: what it names is empty: write {env: NAME}"},
		{"x: {type: slack, url: {file: ''}}", "5: receivers.x.url: what it names is empty: write {env: NAME}"},
		{"x: {type: slack, url: {env: A, file: b}}", "5: receivers.x.url: it has to be {env: NAME} or {file: PATH}, one of the two"},
		{"x: {type: slack, url: {env: [A]}}", "5: receivers.x.url: it has to be {env: NAME} or {file: PATH}, one of the two"},
		{"x: {type: slack, url: {env: U}, caFile: [a]}", "5: receivers.x.caFile is a list; it has to be text; in quotes where it looks like something else; the receiver is left out"},
		{"x: {type: webhook, url: ftp://example.com}", "5: receivers.x.url: it is no URL: it has to look like https://example.com/path"},
		{"x: {type: webhook, url: {env: U}, token: plantedSecret}", "5: receivers.x.token: it is written as text, and it is a secret"},
		{"x: {type: smtp, host: m, from: a@b.c, to: [a@b.c, 5]}", "5: receivers.x.to[1] is a number; it has to be text; in quotes where it looks like something else; the receiver is left out"},
		{"x: {type: smtp, host: m, from: a@b.c, to: [a@b.c], port: '25'}", "5: receivers.x.port is text; it has to be a whole number; the receiver is left out"},
		{"x: {type: smtp, host: m, from: a@b.c, to: [a@b.c], port: 2.5}", "5: receivers.x.port is a number; it has to be a whole number; the receiver is left out"},
		{"x: {type: alertmanager, url: http://am, labels: {team: 5}}", "5: receivers.x.labels.team is a number; it has to be text; in quotes where it looks like something else; the receiver is left out"},
		{"x: {type: alertmanager, url: http://am, labels: [team]}", "5: receivers.x.labels is a list; it has to be a map, as in {name: value}; the receiver is left out"},
		{"x: {type: command, command: [page-me, 5]}", "5: receivers.x.command[1] is a number; it has to be text; in quotes where it looks like something else; the receiver is left out"},
		{"x: {type: command, command: [a], timeout: [5]}", "5: receivers.x.timeout: it has to be a duration up to 5m0s"},
		{"x: {type: terminal, style: 9}", "5: receivers.x.style is a number; it has to be text"},
		{"x: {type: terminal, tmux: maybe}", "5: receivers.x.tmux is text; it has to be true or false; the receiver is left out"},
		{"all: {type: terminal}", `5: receivers.all: all means every receiver; give it another name; it is left out`},
		{"'a b': {type: terminal}", `5: receivers.a b: a name has letters, digits, -, _ and ., and begins with a letter or a digit; it is left out`},
		{"'-': {type: terminal}", `5: receivers.-: a name has letters`},
		{"'a,b': {type: terminal}", `5: receivers.a,b: a name has letters`},
		{"good: {type: slack, url: {env: U}}", "5: receivers.good is set already in line 4, which is used; keep one of the two"},
	} {
		aMistakeIsNamed(t, m, fmt.Sprintf(goodAlerts, "", "  "+m.written+"\n"))
	}
}

// The place of a rule is that in the file, whatever was left out before it.
func TestThePlaceOfARuleIsThatOfTheFile(t *testing.T) {
	_, problems := readReceivers(t, "alertRules:\n- {name: a, for: 30}\n- {name: b}\n- {name: c, phases: [Dancing]}\n")
	if !strings.Contains(problems, "config.yaml:2: alertRules[0].for") || !strings.Contains(problems, `config.yaml:4: the rule "c": "Dancing" is no phase`) {
		t.Errorf("%s", problems)
	}
}

// A rule goes on that names a receiver that there is not.
func TestARuleNamesAReceiverThatIsNotThere(t *testing.T) {
	c, problems := readReceivers(t, fmt.Sprintf(goodAlerts, "- {name: x, receivers: [godo, good]}\n", ""))
	if !strings.Contains(problems, `config.yaml:3: the rule "x": there is no receiver "godo"; receivers are good; did you mean "good"?; it sends nothing there`) {
		t.Errorf("%s", problems)
	}
	if rules := c.AlertRules(); len(rules) != 2 || !slices.Equal(rules[1].Receivers, []string{"godo", "good"}) {
		t.Errorf("rules are %+v", rules)
	}
}

// Anchors, aliases and merged maps are settings like others: each place is
// checked by itself, and a wrong one takes nothing else along.
func TestAnchorsInAlerts(t *testing.T) {
	c, problems := readReceivers(t, `
alertRules:
- &night {name: a, for: 30m, quiet: ["22:00-07:00"]}
- {<<: *night, name: b, for: 2h}
- <<: [{phases: [Failed]}, *night]
  name: c
receivers:
  a: &chat {type: slack, url: {env: URL}}
  b: *chat
  c: {<<: *chat, type: discord}
`)
	if problems != "" || len(c.AlertRules()) != 3 || len(c.ReceiverNames()) != 3 {
		t.Fatalf("%d rules, receivers %q: %s", len(c.AlertRules()), c.ReceiverNames(), problems)
	}
	night := time.Date(2026, 11, 20, 23, 0, 0, 0, time.Local)
	b, third := c.AlertRules()[1], c.AlertRules()[2]
	if b.For != 2*time.Hour || !b.Quiet.Holds(night) || len(third.Phases) != 1 || third.For != 30*time.Minute {
		t.Errorf("merged rules are %+v and %+v", b, third)
	}
	if kind, _, err := c.Receiver("c"); err != nil || kind.Type != "discord" {
		t.Errorf("%s, %v", kind.Type, err)
	}

	c, problems = readReceivers(t, `
rules: &wrong {for: 30, namespace: research}
alertRules:
- {<<: *wrong, name: a}
- {name: b}
receivers:
  a: &x {type: slack, url: {env: URL}, insecureSkipVerify: maybe}
  b: *x
  c: {type: terminal}
theme: nord
`)
	for _, want := range []string{
		`config.yaml:2: there is no setting "rules"`, "config.yaml:2: alertRules[0].for is 30", `config.yaml:2: there is no setting "alertRules[0].namespace"`,
		"config.yaml:7: receivers.a.insecureSkipVerify is text", "config.yaml:7: receivers.b.insecureSkipVerify is text",
	} {
		if !strings.Contains(problems, want) {
			t.Errorf("want %s in\n%s", want, problems)
		}
	}
	if len(c.AlertRules()) != 1 || !slices.Equal(c.ReceiverNames(), []string{"c"}) || c.Theme != "nord" {
		t.Errorf("%d rules, receivers %q, theme %s", len(c.AlertRules()), c.ReceiverNames(), c.Theme)
	}
}

// Anchors that multiply each other cost neither time nor memory.
func TestAnchorsThatMultiply(t *testing.T) {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for n := range 12 {
		text += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", n+1, n+1, strings.Repeat(fmt.Sprintf("*a%d, ", n), 8), n)
	}
	began := time.Now()
	_, _, err := parse("config.yaml", []byte(text+"theme: nord\n"))
	if err == nil || !strings.Contains(err.Error(), "anchors") || time.Since(began) > 5*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}
