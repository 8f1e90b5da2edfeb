package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext/corpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
)

// evil is text that would clear the screen, set the title, write to the
// clipboard, and is no valid UTF-8.
const evil = "\x1b[2J\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07\r\n\x9b31m\xff\u202e" + "name"

// hostileStore is a cluster whose texts are all evil.
func hostileStore(evil string) *store.Store {
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
	texts := append(corpus.Hostile(), corpus.Text{Name: "all at once", Text: evil})
	next := 0
	text := func() corpus.Text { next++; return texts[next*7%len(texts)] } // each screen and size gets another one
	for _, path := range screenPaths {
		for _, size := range sizes {
			c := text()
			o := Options{Session: Session{Settings: Settings{ReadOnly: true}}}
			o.Store, o.Context, o.Namespace, o.NamespaceGiven = hostileStore(c.Text), c.Text, "", true
			d := drive(t, o, size.width, size.height)
			path.lead(d)
			d.keys("esc", "esc", "ctrl+w", "enter", "enter", "y")
			checkHarmless(t, path.name+": "+c.Name, d, size.width, size.height)
			d.hides("this is a bug", "broke:")
		}
	}
	for _, list := range []string{"nodes", "queues", "events", "sources", "ns", "jobs"} {
		for range 4 {
			c, o := text(), Options{}
			o.Store, o.Context, o.Namespace, o.NamespaceGiven = hostileStore(c.Text), c.Text, "", true
			d := drive(t, o, 120, 30).command(list)
			for _, key := range []string{"enter", "tab", "tab", "enter", "esc", "v", "1", "enter", "y", "ctrl+w", "ctrl+z", "w"} {
				d.keys(key)
				checkHarmless(t, list+" "+key+": "+c.Name, d, 120, 30)
				d.hides("this is a bug", "broke:")
			}
		}
	}
}

// TestHostileTextOnTheFirstScreen: every text of the corpus, on the first
// screen, in the prompt, and in the window's title.
func TestHostileTextOnTheFirstScreen(t *testing.T) {
	for _, c := range corpus.Hostile() {
		o := Options{}
		o.Store, o.Context, o.Namespace, o.NamespaceGiven = hostileStore(c.Text), c.Text, "", true
		d := drive(t, o, 100, 30)
		checkHarmless(t, c.Name, d, 100, 30)
		d.keys("/").types(c.Text[:min(len(c.Text), 60)])
		checkHarmless(t, "typed "+c.Name, d, 100, 30)
	}
}

// checkHarmless fails on anything that is neither text nor a colour, on a row
// wider than the screen and on more rows than the screen has.
func checkHarmless(t *testing.T, where string, d *driver, width, height int) {
	t.Helper()
	view := d.m.View()
	if err := corpus.Check(view.WindowTitle); err != nil || strings.Contains(view.WindowTitle, "\n") {
		t.Fatalf("%s: the title: %v", where, err)
	}
	if err := corpus.Check(view.Content); err != nil || strings.Contains(view.Content, "\t") {
		t.Fatalf("%s: %v", where, err)
	}
	rows := strings.Split(view.Content, "\n")
	if len(rows) > height {
		t.Fatalf("%s: %d rows on a screen of %d", where, len(rows), height)
	}
	for _, row := range rows {
		if n := ansi.StringWidth(row); n > width {
			t.Fatalf("%s: a row of %d cells on a screen of %d: %q", where, n, width, row)
		}
	}
}

// broken is a screen that panics on request.
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
	d.m.nav.push(broken{})
	d.send(noticeOver(0))
	d.shows("the screen broken broke: index out of range", "esc goes back", "hostile_test.go")
	d.keys("enter").shows("this is a bug", "cannot do that")
	d.keys("esc").shows("Jobs 14")
}
