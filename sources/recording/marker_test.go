package recording_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var pytorchJobs = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}

// bert is a PyTorchJob with a condition, as the training operator 1.9 writes it.
func bert(condition string) store.Set {
	return store.Set{Kind: pytorchJobs, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": "bert", "uid": "1", "creationTimestamp": "2026-11-20T08:00:00Z"},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1)}}},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True", "lastTransitionTime": "2026-11-20T08:01:00Z"}}},
	}}}
}

func node(ready corev1.ConditionStatus) store.Set {
	return store.Set{Kind: kinds.NodeKind, Object: &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "gpu-0"},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}},
	}}
}

func TestMarksTellWhatHappened(t *testing.T) {
	clock := &ticking{now: began}
	s := store.New(clock.Now)
	var marker recording.Marker
	var texts []string
	step := func(events ...store.Event) {
		clock.add(time.Second)
		s.Apply(events...)
		for _, mark := range marker.Next(s.Snapshot()) {
			texts = append(texts, string(mark.Kind)+": "+mark.Text)
			if !mark.At.Equal(clock.Now()) {
				t.Errorf("%s is marked at %s", mark.Text, mark.At)
			}
		}
	}
	live := train.Health{Source: "kube/pods", State: train.SourceLive}
	gone := live
	gone.State, gone.Text = train.SourceRetrying, "no route to host"
	step(store.HealthChanged{Health: live}, node(corev1.ConditionTrue)) // the initial objects yield no marks
	step(bert("Running"))
	step(bert("Running"))
	step(node(corev1.ConditionFalse), store.HealthChanged{Health: gone})
	step(bert("Failed"), node(corev1.ConditionTrue), store.HealthChanged{Health: live})
	step(store.Deleted{Kind: pytorchJobs, Namespace: "ml", Name: "bert"})
	want := []string{
		"new: ml/PyTorchJob/bert: new, Running",
		"node: node gpu-0: no longer ready (NotReady)",
		"source: kube/pods: no route to host",
		"phase: ml/PyTorchJob/bert: Running → Failed",
		"node: node gpu-0: ready again",
		"source: kube/pods: well again",
		"gone: ml/PyTorchJob/bert: gone, it was Failed",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("marks are %q, want %q", texts, want)
	}
}

func TestMarksComeBack(t *testing.T) {
	clock := &ticking{now: began}
	path := t.TempDir() + "/a.ttrec"
	w, err := recording.Create(path, recording.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	want := recording.Mark{At: began, Kind: recording.MarkPhase, Job: "1", Text: "ml/PyTorchJob/bert: Running → Failed", Trouble: true}
	w.Mark(want)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	marks, err := openFile(t, path).Marks(t.Context())
	if err != nil || len(marks) != 1 || !marks[0].At.Equal(want.At) || marks[0].Text != want.Text || marks[0].Kind != want.Kind || marks[0].Job != want.Job || !marks[0].Trouble {
		t.Errorf("marks %+v (%v)", marks, err)
	}
}

// blanking is a fake redactor.
type blanking struct{ recording.Redactor }

func (blanking) Text(text string) string { return strings.ReplaceAll(text, "hunter2", "<redacted>") }

func (blanking) Redact(events []store.Event) []store.Event { return events }

func (blanking) Counts() map[string]int { return nil }

func TestMarksHaveNoSecrets(t *testing.T) {
	clock := &ticking{now: began}
	path := t.TempDir() + "/a.ttrec"
	w, err := recording.Create(path, recording.Options{Now: clock.Now, Redact: blanking{}})
	if err != nil {
		t.Fatal(err)
	}
	given := []recording.Mark{{At: began, Kind: recording.MarkSource, Text: "prometheus: http://ada:hunter2@host: refused"}}
	w.Mark(given...)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	marks, err := openFile(t, path).Marks(t.Context())
	if err != nil || len(marks) != 1 || marks[0].Text != "prometheus: http://ada:<redacted>@host: refused" {
		t.Errorf("marks %+v (%v)", marks, err)
	}
	if !strings.Contains(given[0].Text, "hunter2") {
		t.Error("the mark that was given changed")
	}
}
