package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/cli/config"
)

func TestMetricsInterval(t *testing.T) {
	for text, want := range map[string]config.Measuring{
		"":                         {Exporters: 15 * time.Second, Usage: 30 * time.Second},
		"metricsInterval: 5s":      {Exporters: 5 * time.Second, Usage: 30 * time.Second},
		"metricsInterval: 20":      {Exporters: 20 * time.Second, Usage: 30 * time.Second},
		`metricsInterval: "1m30s"`: {Exporters: 90 * time.Second, Usage: 90 * time.Second},
		"metricsInterval: off":     {},
		`metricsInterval: "off"`:   {},
		"metricsInterval: false":   {},
	} {
		c, warnings := configOf(t, text)
		if got := c.Measuring(); got != want || len(warnings) > 0 {
			t.Errorf("%q: %v, want %v; %v", text, got, want, warnings)
		}
	}
	for _, text := range []string{"1s", "2h", "0", "-5s", "soon", "[1]", "true", "0.001", "1e300", "15"} {
		c, warnings := configOf(t, "theme: dark\nmetricsInterval: "+text)
		if text == "15" {
			if len(warnings) > 0 {
				t.Errorf("%s: %v", text, warnings)
			}
			continue
		}
		if c.Measuring().Exporters != config.MetricsInterval || c.Theme != "dark" || len(warnings) != 1 || !strings.Contains(warnings[0], "between 5s and 1h0m0s") {
			t.Errorf("%s: %v, warnings %v", text, c.Measuring(), warnings)
		}
	}
}

func configOf(t *testing.T, text string) (config.Config, []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, problems, err := config.Read(path)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return c, problems.Lines()
}
