package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// evil is text that would clear the screen, set the title, write to the
// clipboard, and is no valid UTF-8.
const evil = "\x1b[2J\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07\r\n\x9b31m\xff\u202e" + "name"

func hostileStore() *store.Store {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	pytorch := schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	job := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"name": evil, "namespace": evil, "uid": "u1", "labels": map[string]any{evil: evil}},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{evil: map[string]any{"replicas": int64(3)}}},
		"status": map[string]any{"conditions": []any{map[string]any{
			"type": "Failed", "status": "True", "reason": evil, "message": evil + strings.Repeat("x", 1<<20),
		}}},
	}}
	odd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue",
		"metadata": map[string]any{"name": evil},
		"spec":     map[string]any{"resourceGroups": "nonsense", "cohort": int64(7)},
		"status":   []any{evil},
	}}
	nested := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
		"metadata": map[string]any{"name": "nested"},
		"spec": map[string]any{"resourceGroups": []any{nil, "x", map[string]any{"flavors": []any{map[string]any{
			"name": evil, "resources": []any{map[string]any{"name": evil, "nominalQuota": evil}, map[string]any{"name": 3.5, "nominalQuota": 1e300}},
		}}}}},
		"status": map[string]any{"pendingWorkloads": "many", "conditions": map[string]any{}},
	}}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: evil, Namespace: evil, OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: evil, UID: "u1", Controller: new(true),
		}}},
		Spec: corev1.PodSpec{NodeName: evil},
		Status: corev1.PodStatus{
			Phase: corev1.PodPhase(evil), Message: evil, Reason: evil,
			Conditions:        []corev1.PodCondition{{Type: corev1.PodConditionType(evil), Reason: evil, Message: evil}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: evil, Image: evil, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: evil, Message: evil}}}},
		},
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: evil, Labels: map[string]string{"nvidia.com/gpu.product": evil}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: evil, Value: evil, Effect: corev1.TaintEffect(evil)}}},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: evil, Message: evil}}},
	}
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: evil, Namespace: evil},
		InvolvedObject: corev1.ObjectReference{Kind: evil, Name: evil}, Type: evil, Reason: evil, Message: evil,
	}
	s.Apply(
		store.HealthChanged{Health: train.Health{Source: "kube/" + evil, State: train.SourceForbidden, Resource: evil, Text: evil}},
		store.HealthChanged{Health: train.Health{Source: evil, State: train.SourceState(evil), Text: evil}},
		store.Set{Kind: pytorch, Object: job}, store.Set{Kind: kinds.PodKind, Object: pod},
		store.Set{Kind: kinds.NodeKind, Object: node}, store.Set{Kind: kinds.EventKind, Object: event},
		store.Set{Kind: schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}, Object: odd},
		store.Set{Kind: schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}, Object: nested},
		store.Set{Kind: schema.GroupKind{Kind: "ResourceQuota"}, Object: &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: evil, Namespace: evil}}},
	)
	return s
}

func TestTextFromTheClusterControlsNothing(t *testing.T) {
	objects := hostileStore()
	for _, place := range places {
		for _, size := range sizes {
			o := Options{Session: Session{Settings: Settings{ReadOnly: true}}}
			o.Store, o.Context, o.Namespace, o.NamespaceGiven = objects, evil, "", true
			d := drive(t, o, size.width, size.height)
			place.lead(d)
			d.keys("esc", "esc", "ctrl+w", "enter", "enter", "y")
			checkHarmless(t, place.name, d.coloured())
			d.hides("this is a bug", "broke:")
		}
	}
	for _, list := range []string{"nodes", "queues", "events", "sources", "ns", "jobs"} {
		o := Options{}
		o.Store, o.Context, o.Namespace, o.NamespaceGiven = objects, evil, "", true
		d := drive(t, o, 120, 30).command(list)
		for _, key := range []string{"enter", "tab", "tab", "enter", "esc", "v", "1", "enter", "y", "ctrl+w", "ctrl+z", "w"} {
			d.keys(key)
			checkHarmless(t, list+" "+key, d.coloured())
			d.hides("this is a bug", "broke:")
		}
	}
}

// checkHarmless fails on anything that is neither text nor a colour.
func checkHarmless(t *testing.T, where, screen string) {
	t.Helper()
	for rest := screen; ; {
		at := strings.IndexByte(rest, 0x1b)
		if at < 0 {
			break
		}
		rest = rest[at+1:]
		end := strings.IndexByte(rest, 'm')
		if !strings.HasPrefix(rest, "[") || end < 0 || strings.Trim(rest[1:end], "0123456789;") != "" {
			t.Fatalf("%s: an escape sequence came through: %q", where, rest[:min(20, len(rest))])
		}
	}
	for _, r := range screen {
		if r < 0x20 && r != '\n' && r != 0x1b || r >= 0x7f && r < 0xa0 || r == 0x202e {
			t.Fatalf("%s: %U came through", where, r)
		}
	}
}

// broken is a screen that panics where it is told to.
type broken struct{ views.View }

func (broken) Name() string                  { return "broken" }
func (broken) Scope() keymap.Scope           { return keymap.Jobs }
func (broken) Title(views.Frame) views.Title { panic("no title") }
func (broken) Render(views.Frame) []string   { panic("index out of range") }
func (broken) Do(keymap.Action, views.Frame) (views.Effect, bool) {
	panic(fmt.Errorf("cannot do that"))
}

func TestAScreenThatBreaksIsAnErrorInItsPlace(t *testing.T) {
	d := drive(t, Options{}, 100, 24)
	d.m.push(broken{})
	d.send(noticeOver(0))
	d.shows("the screen broken broke: index out of range", "esc goes back", "hostile_test.go")
	d.keys("enter").shows("this is a bug", "cannot do that")
	d.keys("esc").shows("Jobs 14")
}
