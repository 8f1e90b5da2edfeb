package describe_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/describe"
	"github.com/traintop/traintop/views/draw"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func newStore() *store.Store { return store.New(func() time.Time { return nine }) }

func frameOf(t *testing.T, s *store.Store) views.Frame {
	t.Helper()
	theme, err := themes.Named(themes.Plain, themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	return views.Frame{Snapshot: snapshot, Width: 120, Height: 40, Theme: theme, Ages: &draw.Ages{Now: snapshot.Now}}
}

func text(lines []draw.TextLine) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line.Plain() + "\n")
	}
	return b.String()
}

func has(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestPodSaysWhatKubectlDescribeSays(t *testing.T) {
	s := newStore()
	one := int64(300)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "w-0", Namespace: "ml", UID: "p1", CreationTimestamp: metav1.NewTime(nine.Add(-time.Hour)),
			Annotations:     map[string]string{"kubectl.kubernetes.io/last-applied-configuration": "all", "long": strings.Repeat("x", 5000)},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "bert", UID: "j1", Controller: new(true)}},
		},
		Spec: corev1.PodSpec{
			NodeSelector: map[string]string{"pool": "gpu"},
			Tolerations:  []corev1.Toleration{{Key: "spot", Operator: corev1.TolerationOpExists, Effect: "NoExecute", TolerationSeconds: &one}},
			Volumes:      []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "imagenet"}}}},
			Containers: []corev1.Container{{
				Name: "pytorch", Image: "train:1", Args: []string{"--lr=1", "--api-key=abcdef"},
				Env: []corev1.EnvVar{
					{Name: "RANK", Value: "3"}, {Name: "HF_TOKEN", Value: "hf_abc"}, {Name: "DROPPED"},
					{Name: "WANDB", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "wb"}, Key: "token"}}},
				},
				VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data", ReadOnly: true}},
				Resources:    corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "pytorch", RestartCount: 2,
				State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
					ExitCode: 137, Reason: "OOMKilled", FinishedAt: metav1.NewTime(nine.Add(-3 * time.Minute)),
				}},
			}},
		},
	}
	event := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "e", Namespace: "ml"}, Type: "Warning", Reason: "BackOff", Message: "Back-off restarting --token=hf_event curl -u ada:hunter2",
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "ml", Name: "w-0", UID: "p1"},
		LastTimestamp:  metav1.NewTime(nine.Add(-time.Minute)), Count: 7, Source: corev1.EventSource{Component: "kubelet"},
	}
	s.Apply(store.Set{Kind: kinds.PodKind, Object: pod}, store.Set{Kind: kinds.EventKind, Object: event})
	lines, found := describe.Of(frameOf(t, s), train.PodRef("ml", "w-0", "p1"))
	if !found {
		t.Error("the pod is there and was not found")
	}
	got := text(lines)
	has(t, got,
		"Created:          2026-11-20 08:00:00Z (60m ago)", "Controlled By:    PyTorchJob/bert", "pool=gpu", "spot:NoExecute op=Exists for 300s",
		"Waiting: CrashLoopBackOff", "Terminated with exit code 137: OOMKilled", "Restart Count:    2", "nvidia.com/gpu 8",
		"RANK=3", "HF_TOKEN=***", "DROPPED (no value kept)", "WANDB from key token of Secret wb", "--lr=1 --api-key=***",
		"/data from data (read only)", "PersistentVolumeClaim imagenet", "Warning  60s        7      BackOff  kubelet  Back-off restarting --token=*** curl -u ada:***",
	)
	for _, secret := range []string{"hf_abc", "hf_event", "hunter2", "abcdef", "last-applied", strings.Repeat("x", 400)} {
		if strings.Contains(got, secret) {
			t.Errorf("%.20q is in the description", secret)
		}
	}
	if pod.Spec.Containers[0].Env[1].Value != "hf_abc" {
		t.Error("describing changed the object of the snapshot")
	}
}

func TestObjectsThatAreNotThere(t *testing.T) {
	s := newStore()
	f := frameOf(t, s)
	lines, found := describe.Of(f, train.Ref{Group: "apps", Kind: "Deployment", Namespace: "ml", Name: "api"})
	if found {
		t.Error("found what nobody read")
	}
	has(t, text(lines), "Deployment (apps)", "not read here", "not all could be read")

	s.Apply(store.Listed{Kind: kinds.PodKind}, store.Listed{Kind: kinds.EventKind})
	lines, _ = describe.Of(frameOf(t, s), train.PodRef("ml", "w-0", ""))
	has(t, text(lines), "not there (any more)", "none; clusters keep events")
}

func TestAnotherObjectOfTheSameNameIsNotTheOneAskedFor(t *testing.T) {
	s := newStore()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "w-0", Namespace: "ml", UID: "later"}}
	s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	if _, found := describe.Of(frameOf(t, s), train.PodRef("ml", "w-0", "first")); found {
		t.Error("a later pod of the same name is taken for the first")
	}
}

func TestWhatIsDeletedStaysAsLastSeen(t *testing.T) {
	s := newStore()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "w-0", Namespace: "ml", UID: "p1"}, Spec: corev1.PodSpec{NodeName: "gpu-7"}}
	s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	v := describe.New(views.DescribeRoute{Ref: train.PodRef("ml", "w-0", "p1")})
	has(t, strings.Join(v.Render(frameOf(t, s)), "\n"), "gpu-7")
	s.Apply(store.Listed{Kind: kinds.PodKind})
	f := frameOf(t, s)
	has(t, strings.Join(v.Render(f), "\n"), "gpu-7")
	title := v.Title(f)
	if len(title.Parts) == 0 || !strings.Contains(title.Parts[0].Text, "deleted") {
		t.Errorf("the title says %v", title)
	}
}

func TestFollowsTheSnapshot(t *testing.T) {
	s := newStore()
	ref := train.PodRef("ml", "w-0", "")
	set := func(phase corev1.PodPhase) {
		s.Apply(store.Set{Kind: kinds.PodKind, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "w-0", Namespace: "ml"}, Status: corev1.PodStatus{Phase: phase}}})
	}
	set(corev1.PodPending)
	v := describe.New(views.DescribeRoute{Ref: ref})
	has(t, strings.Join(v.Render(frameOf(t, s)), "\n"), "Pending")
	set(corev1.PodRunning)
	has(t, strings.Join(v.Render(frameOf(t, s)), "\n"), "Running")
}

// Any tree that an API server or a file can hold is described, and none makes
// an endless page.
func TestAnyTree(t *testing.T) {
	deep := any("bottom")
	for range 500 {
		deep = map[string]any{"deeper": []any{deep}}
	}
	wide := make([]any, 50_000)
	for i := range wide {
		wide[i] = map[string]any{"n": int64(i)}
	}
	for i, fields := range []map[string]any{
		{"spec": deep}, {"spec": wide, "status": map[string]any{"conditions": []any{nil, "x", map[string]any{"type": 3.5}}}},
		{"spec": "text", "status": []any{[]any{}, nil, true, "two\nlines"}},
		{"spec": map[string]any{"\x1b[2J": "\x1b]0;owned\x07", "text": strings.Repeat("line\n", 1000)}},
		{"status": map[string]any{"conditions": map[string]any{"not": "a list"}}},
	} {
		fields["apiVersion"], fields["kind"] = "kueue.x-k8s.io/v1beta1", "Workload"
		fields["metadata"] = map[string]any{"name": "w", "namespace": "ml"}
		s := newStore()
		s.Apply(store.Set{Kind: schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Workload"}, Object: &unstructured.Unstructured{Object: fields}})
		ref := train.Ref{Group: "kueue.x-k8s.io", Kind: "Workload", Namespace: "ml", Name: "w"}
		lines, found := describe.Of(frameOf(t, s), ref)
		if !found || len(lines) > 21_000 {
			t.Errorf("tree %d: found %v, %d lines", i, found, len(lines))
		}
		screen := strings.Join(describe.New(views.DescribeRoute{Ref: ref}).Render(frameOf(t, s)), "\n")
		if strings.Contains(screen, "owned") || strings.Contains(screen, "\x1b]") {
			t.Errorf("tree %d reaches the terminal: %q", i, screen)
		}
	}
}

// Everything in a recorded cluster can be described.
func TestWholeCluster(t *testing.T) {
	s := newStore()
	if err := dump.New([]string{"../../ui/testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	f := frameOf(t, s)
	described := map[string]int{}
	for _, list := range [][]kinds.Kind{kinds.Jobs(), kinds.Related()} {
		for _, k := range list {
			f.Snapshot.Objects(k.GroupKind, "", func(o kinds.Object) bool {
				ref := train.Ref{Group: k.Group, Kind: k.Kind, Namespace: o.GetNamespace(), Name: o.GetName()}
				lines, found := describe.Of(f, ref)
				if !found || len(lines) < 5 {
					t.Errorf("%s: found %v, %d lines", ref, found, len(lines))
				}
				described[k.Kind]++
				return true
			})
		}
	}
	if len(described) < 5 {
		t.Errorf("only these kinds were described: %s", fmt.Sprint(described))
	}
}

func TestSecretsInMetadataAndConditionsAreMasked(t *testing.T) {
	const password, token = "Tr0ub4dor9x", "hunter2hunter2"
	meta := metav1.ObjectMeta{Name: "gpu-0", UID: "n1", Annotations: map[string]string{"note": "DB_PASSWORD=" + password, "team": "speech"}}
	unready := []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "Dead", Message: "curl -u ada:" + token}}
	for name, ask := range map[string]struct {
		set store.Set
		ref train.Ref
	}{
		"node": {store.Set{Kind: kinds.NodeKind, Object: &corev1.Node{ObjectMeta: meta, Status: corev1.NodeStatus{Conditions: unready}}}, train.Ref{Kind: "Node", Name: "gpu-0", UID: "n1"}},
		"pod":  {store.Set{Kind: kinds.PodKind, Object: &corev1.Pod{ObjectMeta: meta, Status: corev1.PodStatus{Phase: corev1.PodFailed, Message: "curl -u ada:" + token}}}, train.Ref{Kind: "Pod", Name: "gpu-0", UID: "n1"}},
	} {
		s := newStore()
		s.Apply(ask.set)
		lines, found := describe.Of(frameOf(t, s), ask.ref)
		got := text(lines)
		if !found || strings.Contains(got, password) || strings.Contains(got, token) || !strings.Contains(got, "team: speech") {
			t.Errorf("the description of the %s:\n%s", name, got)
		}
		has(t, got, "note: DB_PASSWORD=***", "curl -u ada:***")
	}
}

// No condition holds for longer than its object exists.
func TestConditionsAreNotOlderThanTheirObjects(t *testing.T) {
	created, before := metav1.NewTime(nine.Add(-13*time.Minute)), metav1.NewTime(nine.Add(-331*24*time.Hour))
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0", CreationTimestamp: created}}
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, LastTransitionTime: before}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p", CreationTimestamp: created}}
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: before}}
	job := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": "bert", "creationTimestamp": created.UTC().Format(time.RFC3339)},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": "Running", "status": "True", "lastTransitionTime": before.UTC().Format(time.RFC3339)}}},
	}}
	for kind, o := range map[schema.GroupKind]kinds.Object{kinds.NodeKind: node, kinds.PodKind: pod, {Group: "kubeflow.org", Kind: "PyTorchJob"}: job} {
		s := newStore()
		s.Apply(store.Set{Kind: kind, Object: o})
		lines, _ := describe.Of(frameOf(t, s), train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: o.GetNamespace(), Name: o.GetName()})
		got := text(lines)
		has(t, got, "13m")
		if strings.Contains(got, "331d") {
			t.Errorf("a condition is older than its object:\n%s", got)
		}
	}
}
