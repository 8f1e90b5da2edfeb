package jobmetrics

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// expression is PromQL from a file, and its place there.
type expression struct{ where, text string }

// The rules and the dashboard refer to metrics of the table, by labels that
// these have. promtool reads them in full, in the tests against the real server.
func TestRulesAndDashboardReferToTheTable(t *testing.T) {
	rules, dashboard := ruleExpressions(t), dashboardExpressions(t)
	if len(rules) < 10 || len(dashboard) < 20 {
		t.Fatalf("%d expressions of rules and %d of the dashboard are too few: where are they now?", len(rules), len(dashboard))
	}
	for _, e := range slices.Concat(rules, dashboard) {
		for _, wrong := range unknownIn(e.text) {
			t.Errorf("%s: %s in %s", e.where, wrong, e.text)
		}
	}
}

func TestUnknownMetricsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		`max by (source) (traintop_source_up{source=~"kube.*"}) == 0`:               "",
		`sum(rate(traintop_job_gpu_seconds_total{state="idle"}[1h])) / 3600 > +Inf`: "",
		`label_values(traintop_job_phase{namespace=~"$namespace"}, job_name)`:       "",
		`traintop_source_ups == 0`:                                                       "no metric traintop_source_ups",
		`traintop_source_up{resource="kube"}`:                                            "traintop_source_up has no label resource",
		`up{job="traintop"} == 0 or max(node_load1 offset 5m)`:                           "no metric up, no metric node_load1",
		`min without (instance) (traintop_ready) unless on (namespace) container_memory`: "no metric container_memory",
	} {
		if got := strings.Join(unknownIn(text), ", "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

var (
	inStrings = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	selector  = regexp.MustCompile(`([a-zA-Z_:][a-zA-Z0-9_:]*)\s*\{([^}]*)\}`)
	labelName = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)`)
	duration  = regexp.MustCompile(`\[[^\]]*\]`)
	grouping  = regexp.MustCompile(`\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)`)
	// The label that Grafana lists follows the series.
	listed     = regexp.MustCompile(`^label_values\((.*),[^,]*\)$`)
	identifier = regexp.MustCompile(`\$?[a-zA-Z_:][a-zA-Z0-9_:]*\s*\(?`)
	digits     = regexp.MustCompile(`\b[0-9][0-9a-zA-Z.]*`)
)

// notMetrics are words of PromQL that are written where a metric may be.
var notMetrics = []string{"and", "or", "unless", "bool", "offset", "Inf", "NaN"}

// unknownIn returns the metrics and labels of an expression that the table does
// not have.
func unknownIn(text string) (unknown []string) {
	text = inStrings.ReplaceAllString(text, `""`)
	text = listed.ReplaceAllString(text, "$1")
	for _, found := range selector.FindAllStringSubmatch(text, -1) {
		for _, m := range Table() {
			for _, l := range labelName.FindAllStringSubmatch(found[2], -1) {
				if m.Name == found[1] && !slices.Contains(m.Labels, l[1]) {
					unknown = append(unknown, m.Name+" has no label "+l[1])
				}
			}
		}
	}
	text = selector.ReplaceAllString(text, "$1 ")
	for _, part := range []*regexp.Regexp{duration, grouping, digits} {
		text = part.ReplaceAllString(text, " ")
	}
	for _, word := range identifier.FindAllString(text, -1) {
		name := strings.TrimSpace(word)
		isMetric := func(m Metric) bool { return m.Name == name }
		if strings.HasSuffix(name, "(") || strings.HasPrefix(name, "$") || slices.Contains(notMetrics, name) || slices.ContainsFunc(table[:], isMetric) {
			continue
		}
		unknown = append(unknown, "no metric "+name)
	}
	return unknown
}

func ruleExpressions(t *testing.T) (all []expression) {
	t.Helper()
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	text, err := os.ReadFile("../deploy/alert-rules.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &rules)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			all = append(all, expression{"rule " + rule.Alert, strings.Join(strings.Fields(rule.Expr), " ")})
		}
	}
	return all
}

// dashboardExpressions are the queries of the panels, and of the variables.
func dashboardExpressions(t *testing.T) (all []expression) {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct {
				Name, Type string
				Query      any
			}
		}
	}
	text, err := os.ReadFile("../deploy/grafana-dashboard.json")
	if err == nil {
		err = json.Unmarshal(text, &dashboard)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			all = append(all, expression{"panel " + panel.Title, target.Expr})
		}
	}
	for _, variable := range dashboard.Templating.List {
		if query, is := variable.Query.(map[string]any); is && variable.Type == "query" {
			text, _ := query["query"].(string)
			all = append(all, expression{"variable " + variable.Name, text})
		}
	}
	return all
}
