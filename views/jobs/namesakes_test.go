package jobs

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// Jobs of two namespaces with one name are told apart at every width that has
// room for a name; where names differ, the namespace goes first.
func TestNamesakesShowTheirNamespace(t *testing.T) {
	s := manyJobs(40)
	for _, width := range []int{160, 120, 80, 60, 40} {
		f := screentest.Frame(t, s.Snapshot(), width, 20, themes.Options{})
		if screen := screentest.Plain(New(views.JobsRoute{}), f); width == 40 && strings.Contains(screen, "team-0") {
			t.Errorf("at %d the namespace is shown though names differ:\n%s", width, screen)
		}
	}
	s.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"name": "train-00000", "namespace": "other", "uid": "twin", "creationTimestamp": nine.Format("2006-01-02T15:04:05Z07:00")},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1)}}},
	}}})
	for _, width := range []int{160, 120, 80, 60, 40} {
		f := screentest.Frame(t, s.Snapshot(), width, 60, themes.Options{})
		screen := screentest.Plain(New(views.JobsRoute{}), f)
		if !strings.Contains(screen, "other") || !strings.Contains(screen, "team-00") {
			t.Errorf("at %d two jobs look alike:\n%s", width, screen)
		}
	}
}
