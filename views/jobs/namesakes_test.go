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

// A list over several namespaces shows of which each job is from 80 columns on, and
// keeps what it is for: the name, the phase, the loss and why.
func TestAListOfSeveralNamespacesSaysWhichEachIsOf(t *testing.T) {
	snapshot := screentest.Demo(t)
	for _, width := range []int{80, 100, 120, 160, 200} {
		f := screentest.Frame(t, snapshot, width, 30, themes.Options{})
		screen := screentest.Plain(New(views.JobsRoute{}), f)
		titles := strings.Split(screen, "\n")[1]
		for _, title := range []string{"NAMESPACE", "NAME ", "PHASE", "RANKS", "LOSS", "WHY"} {
			if !strings.Contains(titles, title) {
				t.Errorf("at %d there is no %s: %s", width, title, titles)
			}
		}
		f.Namespace = "llm"
		if one := screentest.Plain(New(views.JobsRoute{}), f); strings.Contains(one, "NAMESPACE") {
			t.Errorf("at %d one namespace has a column:\n%s", width, one)
		}
	}
}

// Jobs of two namespaces with one name are distinguished at every width that has
// room for a name; where names differ, the namespace goes before the phase does.
func TestNamesakesShowTheirNamespace(t *testing.T) {
	s := manyJobs(40)
	narrow := screentest.Plain(New(views.JobsRoute{}), screentest.Frame(t, s.Snapshot(), 30, 20, themes.Options{}))
	if strings.Contains(narrow, "team-0") || !strings.Contains(narrow, "running") {
		t.Errorf("at 30 the namespace is shown though names differ, or the phase is not:\n%s", narrow)
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
