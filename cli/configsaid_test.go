package cli

import (
	"strings"
	"testing"
)

// TestUnknownSettingsAreNamedByEveryCommand holds that a setting with a typing
// error is said by whatever reads the configuration, once.
func TestUnknownSettingsAreNamedByEveryCommand(t *testing.T) {
	configured(t, "themee: dark\n")
	for _, name := range []string{"jobs", "diagnose", "gpus", "curves", "logs"} {
		_, messages, _ := command(t, "", name, "--from", "testdata/pending.yaml")
		if strings.Count(messages, `there is no setting "themee"`) != 1 {
			t.Errorf("%s: %q", name, messages)
		}
	}
}
