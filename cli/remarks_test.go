package cli

import (
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A remark of Prometheus or an exporter that answers is a problem of the
// answer; a message of a healthy cluster is not.
func TestRemarksOfSourcesThatAnswer(t *testing.T) {
	for source, want := range map[string]int{"prometheus": 1, "prometheus/last-hour": 1, "exporter/gpu-0": 1, "exporters": 0, "kube": 0, "kube/pods": 0} {
		for text, n := range map[string]int{"": 0, "the newest sample is old": want} {
			s := store.New(time.Now)
			s.Apply(store.HealthChanged{Health: train.Health{Source: source, State: train.SourceLive, Text: text}})
			if got := problems(s.Snapshot()); len(got) != n {
				t.Errorf("%s says %q: %v", source, text, got)
			}
		}
	}
}
