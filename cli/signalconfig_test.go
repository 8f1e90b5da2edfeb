package cli

import (
	"strings"
	"testing"
)

func TestLimitsOfSignalsAreChecked(t *testing.T) {
	c, warnings := parsed(t, "signals: {idleFor: 30, hotHopper: 300, idelUse: 5, slowRatio: much}\ncontexts: {a: {signals: {idleFor: 5}}}\n")
	all := strings.Join(warnings, "\n")
	for _, want := range []string{"hotHopper is 300, which is not between 50 and 120", `no limit "idelUse"`, "slowRatio is much, which is no number", `"contexts.a.signals"`} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the warnings %q", want, warnings)
		}
	}
	limits := c.Thresholds()
	if got := limits.Changed(); len(warnings) != 4 || len(got) != 1 || got["idleFor"] != 30 {
		t.Errorf("the limits are %v, warnings %q", got, warnings)
	}
}
