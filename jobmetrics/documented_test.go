package jobmetrics

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func goversion() string { return runtime.Version() }

func TestMetricsAreDocumented(t *testing.T) {
	const path = "../docs/metrics.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

// Names are as Prometheus wants them: a prefix, snake case, base units, _total
// for counters alone.
func TestTheTableIsWhole(t *testing.T) {
	valid, seen := regexp.MustCompile(`^traintop_[a-z]+(_[a-z]+)*$`), map[string]bool{}
	for _, m := range Table() {
		switch {
		case !valid.MatchString(m.Name), seen[m.Name], m.Unit == "", !strings.HasSuffix(m.Help, "."):
			t.Errorf("the metric %q is there twice, has no valid name, or lacks something", m.Name)
		case (m.Type == Counter) != strings.HasSuffix(m.Name, "_total"):
			t.Errorf("%s is a %s", m.Name, m.Type)
		case strings.Contains(m.Unit, "seconds") && !strings.Contains(m.Unit, "per") && !strings.Contains(m.Name, "_seconds"):
			t.Errorf("%s does not name its unit, seconds", m.Name)
		}
		seen[m.Name] = true
		labels := map[string]bool{}
		for _, l := range m.Labels {
			// Prometheus sets these itself.
			if labels[l] || l == "job" || l == "instance" {
				t.Errorf("%s has the label %s", m.Name, l)
			}
			labels[l] = true
		}
	}
}
