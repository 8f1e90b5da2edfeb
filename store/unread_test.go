package store

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

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

// A kind is unserved where the API server does not have it: not another one, and not
// because it may not be read or files lack it.
func TestUnservedKinds(t *testing.T) {
	asked := schema.GroupKind{Group: "ray.io", Kind: "RayJob"}
	for _, c := range []struct {
		source, group, resource string
		state                   train.SourceState
		want                    bool
	}{
		{"kube/rayjobs.ray.io", "ray.io", "rayjobs", train.SourceAbsent, true},
		{"kube/rayclusters.ray.io", "ray.io", "rayclusters", train.SourceAbsent, false},
		{"kube/rayjobs.example.com", "example.com", "rayjobs", train.SourceAbsent, false},
		{"kube/rayjobs.ray.io", "ray.io", "rayjobs", train.SourceForbidden, false},
		{"kube/rayjobs.ray.io", "ray.io", "rayjobs", train.SourceLive, false},
		{"dump/rayjobs.ray.io", "ray.io", "rayjobs", train.SourceAbsent, false},
	} {
		s := New(time.Now)
		s.Apply(HealthChanged{Health: train.Health{Source: c.source, Group: c.group, Resource: c.resource, State: c.state}})
		if got := s.Snapshot().Unserved(asked); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
