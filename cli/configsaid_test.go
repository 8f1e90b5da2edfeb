package cli

import (
	"strings"
	"testing"
)

// TestUnknownSettingsAreNamedByEveryCommand holds that every command that reads
// the configuration names a setting with a typing error, once.
func TestUnknownSettingsAreNamedByEveryCommand(t *testing.T) {
	configured(t, "themee: dark\n")
	for _, name := range []string{"jobs", "diagnose", "gpus", "curves", "logs"} {
		_, messages, _ := command(t, "", name, "--from", "testdata/pending.yaml")
		if strings.Count(messages, `there is no setting "themee"`) != 1 {
			t.Errorf("%s: %q", name, messages)
		}
	}
}

// TestUnknownSettingsSayWhere holds that an unknown setting is named with its
// file, its line and the setting that may be meant.
func TestUnknownSettingsSayWhere(t *testing.T) {
	configured(t, `theme: dark
logStream: 12
contexts:
  prod.example:
    readOnly: true
    nothingLikeIt: 1
prometheus:
  urll: https://x
patterns:
  - name: a
    mach: x
`)
	_, messages, _ := command(t, "", "jobs", "--from", "testdata/pending.yaml")
	for _, want := range []string{
		`config.yaml:2: there is no setting "logStream"; did you mean "logStreams"?`,
		`config.yaml:5: there is no setting "contexts.prod.example.readOnly"; did you mean "readonly"?`,
		`config.yaml:6: there is no setting "contexts.prod.example.nothingLikeIt" (see`,
		`config.yaml:8: there is no setting "prometheus.urll"; did you mean "url"?`,
		`config.yaml:11: there is no setting "patterns[0].mach"; did you mean "match"?`,
	} {
		if !strings.Contains(messages, want) {
			t.Errorf("it does not say %s:\n%s", want, messages)
		}
	}
}
