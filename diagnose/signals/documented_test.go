package signals

import (
	"flag"
	"os"
	"testing"

	"github.com/traintop/traintop/train"
)

var update = flag.Bool("update", false, "write docs/signals.md anew")

func TestSignalsAreDocumented(t *testing.T) {
	const path = "../../docs/signals.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

// Every limit has a name of its own, bounds that include its default, and a
// source.
func TestTheTableIsWhole(t *testing.T) {
	kinds, names := map[string]bool{}, map[string]bool{}
	for _, r := range table() {
		if kinds[r.kind] || r.word == "" || r.meaning == "" || r.gpu == nil && r.job == nil && r.node == nil {
			t.Errorf("the rule %q is there twice, or lacks something", r.kind)
		}
		kinds[r.kind] = true
	}
	for _, l := range Limits() {
		if names[l.Name] || l.Meaning == "" || l.Source == "" || l.Preset < l.Least || l.Preset > l.Most {
			t.Errorf("the limit %q is there twice, lacks something, or is out of its bounds", l.Name)
		}
		names[l.Name] = true
	}
	xids := train.Xids()
	for i, x := range xids {
		if i > 0 && xids[i-1].Code >= x.Code || x.Meaning == "" || x.Action == "" {
			t.Errorf("Xid %d is out of order, or lacks something", x.Code)
		}
	}
}

func TestLimitsCanBeChanged(t *testing.T) {
	var limits Thresholds
	limits, err := limits.With("idleFor", 30)
	if err != nil || limits.of(&idleFor) != 30 || limits.of(&idleUse) != idleUse.Preset {
		t.Errorf("idleFor is %v (%v)", limits.of(&idleFor), err)
	}
	if _, err := limits.With("idleFor", -1); err == nil {
		t.Error("-1 minutes are a limit")
	}
	if _, err := limits.With("idelFor", 1); err == nil {
		t.Error("idelFor is a limit")
	}
}
