package store

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train/kinds"
)

// A job is derived again when its pods become listed, and when they cease to
// be.
func TestReadyFollowsTheListOfPods(t *testing.T) {
	kind := schema.GroupKind{Group: "batch", Kind: "Job"}
	job := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "batch/v1", "kind": "Job", "metadata": map[string]any{"name": "j", "namespace": "ml", "uid": "u"},
		"spec": map[string]any{"parallelism": int64(2), "completions": int64(2)}, "status": map[string]any{"active": int64(2), "ready": int64(2)},
	}}
	s := New(func() time.Time { return time.Time{} })
	for _, step := range []struct {
		event  Event
		ready  int
		stated bool
	}{
		{Set{Kind: kind, Object: job}, 2, true},
		{Listed{Kind: kinds.PodKind, Namespace: "other"}, 2, true},
		{Listed{Kind: kinds.PodKind, Namespace: "ml"}, 0, false},
		{Unwatched{Kind: kinds.PodKind, Namespace: "ml"}, 2, true},
	} {
		s.Apply(step.event)
		if got := s.Snapshot().Jobs()[0]; got.Ready != step.ready || got.ReadyStated != step.stated {
			t.Errorf("after %+v: %d ready, stated %v", step.event, got.Ready, got.ReadyStated)
		}
	}
}
