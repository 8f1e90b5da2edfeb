package config

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
)

func TestRulesOfIncidentsAreRead(t *testing.T) {
	c, problems, err := parse("config.yaml", []byte(`
clusterName: prod-eu
receivers: {team: {type: terminal}}
alertRules:
- name: idle
  for: 30m
  quiet: ["22:00-07:00"]
  timeZone: Europe/Berlin
  receivers: [team]
- name: mine
  namespaces: [research-*]
  causes: [nccl-*, nan-loss]
  severities: [Error]
  phases: [running]
  labels: team=a
  repeat: never
  mostPerHour: 5
  resolved: false
- name: watcher
- {name: wrong, phases: [Dancing]}
- {name: cause, causes: [nan-los]}
- {name: span, for: soon}
- {name: hours, quiet: ["25:00-26:00"]}
- {name: zone, quiet: ["22:00-23:00"], timeZone: Mars/Olympus}
- {name: selector, labels: "((("}
- {for: 1m}
- {name: idle}
`))
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for _, p := range problems {
		wrong = append(wrong, p.Text)
	}
	for k, want := range []string{`"Dancing" is no phase; allowed are Pending`, `no cause "nan-los"`, `"soon" is no length`, `"25:00-26:00" is no span`, `"Mars/Olympus" is no time zone`, `"(((" is no label selector`, "it has no name", `two rules "idle"`} {
		if k >= len(wrong) || !strings.Contains(wrong[k], want) {
			t.Fatalf("problems are %q, want %q at %d", wrong, want, k)
		}
	}
	if problems[0].Line != 20 || problems[0].Key != "alertRules[3].phases" {
		t.Errorf("the problem is said of %+v", problems[0])
	}
	rules := c.AlertRules()
	if len(rules) != 3 || c.ClusterName() != "prod-eu" {
		t.Fatalf("rules are %+v", rules)
	}
	idle, mine, watcher := rules[0], rules[1], rules[2]
	if idle.For != 30*time.Minute || !slices.Contains(idle.Causes, "low-gpu-utilisation") || idle.Repeat != 24*time.Hour || !slices.Equal(idle.Receivers, []string{"team"}) {
		t.Errorf("idle is %+v", idle)
	}
	if night := time.Date(2026, 11, 20, 21, 30, 0, 0, time.UTC); !idle.Quiet.Holds(night) || idle.Quiet.Holds(night.Add(-time.Hour)) {
		t.Error("the quiet hours are those of another time zone")
	}
	if len(mine.Causes) < 5 || mine.Repeat != 0 || mine.Most != 5 || !mine.KeepResolved || mine.Labels.String() != "team=a" {
		t.Errorf("mine is %+v", mine)
	}
	if watcher.Off || watcher.For != 5*time.Minute {
		t.Errorf("watcher is %+v", watcher)
	}
	all := alerts.RulesFrom(rules)
	if len(all) != len(alerts.Presets())+1 || all[0].Name != "mine" {
		t.Errorf("%d rules, the first is %s", len(all), all[0].Name)
	}
}

// What docs/alerts.md shows can be used as it is.
func TestTheRecipesAreRead(t *testing.T) {
	text, err := os.ReadFile("../../docs/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	parts, recipes := strings.Split(string(text), "```yaml\n"), 0
	for _, part := range parts[1:] {
		recipe, _, _ := strings.Cut(part, "```")
		_, problems, err := parse("config.yaml", []byte(recipe))
		if err != nil || len(problems) > 0 {
			t.Errorf("%v %q in\n%s", err, problems.Lines(), recipe)
		}
		recipes++
	}
	if recipes < 5 {
		t.Errorf("%d recipes", recipes)
	}
}
