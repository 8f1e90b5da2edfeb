package alerts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// At the end of a recording the notices that rules hold back are listed.
func TestNoticesHeldBackAtTheEnd(t *testing.T) {
	quiet, err := ParseQuiet([]string{"00:00-24:00"}, "UTC")
	if err != nil {
		t.Fatal(err)
	}
	for want, rule := range map[string]Rule{
		"2 notices of the rule mine (at most 1 an hour) are held back at the end, and told of nowhere":     {Name: "mine", Causes: []train.Cause{"nan-loss"}, Most: 1},
		"3 notices of the rule mine (quiet 00:00-24:00 UTC) are held back at the end, and told of nowhere": {Name: "mine", Causes: []train.Cause{"nan-loss"}, Quiet: quiet},
		"": {Name: "mine", Causes: []train.Cause{"nan-loss"}},
	} {
		w := NewWatcher("prod", []Rule{rule}, func(string) {})
		look := func(at time.Time, troubles ...Trouble) {
			w.Look(Observation{At: at, Troubles: troubles, Phase: func(train.JobID) (train.Phase, bool) { return train.Running, true }})
		}
		look(noon)
		for n := 1; n <= 3; n++ {
			var all []Trouble
			for k := 1; k <= n; k++ {
				all = append(all, trouble(k, train.Running, "nan-loss"))
			}
			look(noon.Add(time.Duration(n)*time.Second), all...)
		}
		wants := []string{want}
		if want == "" {
			wants = nil
		}
		if got := w.HeldBack(noon.Add(time.Minute)); !slices.Equal(got, wants) {
			t.Errorf("it says %q, want %q", got, wants)
		}
		w.Path = "state.json"
		if got := w.HeldBack(noon.Add(time.Minute)); want != "" && (len(got) != 1 || !strings.HasSuffix(got[0], "kept in state.json for the next watcher")) {
			t.Errorf("with a state it says %q", got)
		}
	}
}
