package store

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// While the cluster does not answer nothing is known to stall.
func TestSilentCluster(t *testing.T) {
	for state, want := range map[train.SourceState]bool{
		train.SourceLive: false, train.SourceListing: false, train.SourceRetrying: true, train.SourceFailed: true,
	} {
		s := New(time.Now)
		s.Apply(HealthChanged{Health: train.Health{Source: "kube/pods", State: train.SourceRetrying}}, HealthChanged{Health: train.Health{Source: "kube", State: state}})
		if got := s.Snapshot().Silent(); got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
	if New(time.Now).Snapshot().Silent() {
		t.Error("files are a silent cluster")
	}
}
