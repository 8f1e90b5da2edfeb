package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/cli/config"
)

func TestConfigCheckNamesEveryProblemInTheOrderOfTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	text := "theme: noord\nmouse: perhaps\npatterns:\n- {name: a, match: '(', example: x}\nrewind: 3\nlogStream: 4\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, messages, code := command(t, "", "config", "check", path)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitFailed || len(lines) != 5 || !strings.Contains(messages, "the configuration has 5 problems") {
		t.Fatalf("exit %d, %d lines\n%s%s", code, len(lines), out, messages)
	}
	for i, want := range []string{
		path + `:1: theme is "noord", and there is no such theme; themes are auto, dark`, path + `:2: mouse is "perhaps"; it has to be true or false; true is used`,
		path + `:4: pattern "a": `, path + ":5: rewind is 3", path + `:6: there is no setting "logStream"; did you mean "logStreams"?`,
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %s\nwant %s", i, lines[i], want)
		}
	}
	out, _, _ = command(t, "", "config", "check", path, "-o", "json")
	var answer struct {
		Settings int
		Problems []config.Problem
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Problems) != 5 || answer.Problems[1].Line != 2 || answer.Problems[1].Key != "mouse" {
		t.Errorf("%v\n%s", err, out)
	}
}

// The output of config check is pasted into tickets: a value that it refuses is
// masked.
func TestConfigCheckMasksSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte("prometheus: \"https://ada:sup3rPw@prom:9090\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json"} {
		out, messages, _ := command(t, "", "config", "check", path, "-o", format)
		if strings.Contains(out+messages, "sup3rPw") || !strings.Contains(out, "redacted:url-password") {
			t.Errorf("-o %s: %s%s", format, out, messages)
		}
	}
}

func TestConfigCheckOfAGoodFileAndOfNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	for _, format := range []string{"text", "json"} { // a file that is named has to exist
		if out, messages, code := command(t, "", "config", "check", path, "-o", format); code != exitFailed || !strings.Contains(out, "there is no such file") || !strings.Contains(messages, "1 problem") {
			t.Errorf("exit %d: %s%s", code, out, messages)
		}
	}
	configFiles(t, nil)
	if out, _, code := command(t, "", "config", "check"); code != exitDone || !strings.Contains(out, "there is no such file, so everything is as without settings") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, _, code := command(t, "", "config", "check", "-o", "json"); code != exitDone || !strings.Contains(out, `"missing": true`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if err := os.WriteFile(path, []byte("theme: nord\nreadonly: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, code := command(t, "", "config", "check", path); code != exitDone || !strings.Contains(out, "2 settings, nothing wrong") {
		t.Errorf("exit %d: %s", code, out)
	}
	if _, messages, code := command(t, "", "config", "check", path, "-o", "xml"); code != exitUsage || !strings.Contains(messages, "formats are text, json") {
		t.Errorf("exit %d: %s", code, messages)
	}
}

// Each mistake of the configuration file is named with its line, whoever finds it: the
// reader of patterns, and the screen, which knows its lists and commands.
func TestEveryProblemOfTheConfigurationHasItsLine(t *testing.T) {
	folder := configFiles(t, map[string]string{
		"traintop/config.yaml": "theme: noord\nviews:\n  jobs:\n    columns: [NAME, GPUSS]\n  nosuch: {sort: NAME}\naliases: {jobs: nodes}\npatterns:\n- {name: good, match: 'a(?P<loss>.*)', example: a1}\n- name: bad\n  match: '('\n  example: x\n- {name: none, match: 'a(?P<loss>.*)', example: b}\nrewind: 3\n",
		"k9s/plugins.yaml":     "plugins:\n  a: b: c\n",
		"train.log":            "step 1 loss 2\n",
	})
	path := config.Path()
	out, _, code := command(t, "", "config", "check")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	want := []string{
		path + ":1: theme is", path + ":4: views.jobs has no column GPUSS", path + ":5: views.nosuch: there is no such list", path + ":6: the alias jobs does nothing",
		path + `:9: pattern "bad": `, path + `:12: pattern "none": does not read`, path + ":13: rewind is 3", "plugins.yaml:2: the plugins of k9s are not read: not valid YAML",
	}
	if code != exitFailed || len(lines) != len(want) {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	for i := range want {
		if !strings.Contains(lines[i], want[i]) {
			t.Errorf("line %d is %s\nwant %s", i, lines[i], want[i])
		}
	}
	_, messages, code := command(t, "", "curves", "--from", filepath.Join(folder, "train.log"))
	if code != exitFailed || !strings.Contains(messages, path+`:9: pattern "bad": `) || !strings.Contains(messages, path+`:12: pattern "none": `) {
		t.Errorf("curves: exit %d: %s", code, messages)
	}
}

// A setting that changes only with the next start is named.
func TestSettingsOfTheStartAreNamedWhenTheyChange(t *testing.T) {
	before, _ := parsed(t, "theme: nord\nmetricsInterval: 15s\ncontexts: {a: {prometheus: {url: https://x}}}\n")
	now, _ := parsed(t, "theme: dark\nmetricsInterval: 30s\n")
	if got := strings.Join(config.NextStart(before, now, "a"), " "); got != "metricsInterval prometheus" {
		t.Errorf("in a: %q", got)
	}
	if got := strings.Join(config.NextStart(before, now, "b"), " "); got != "metricsInterval" {
		t.Errorf("in b: %q", got)
	}
}
