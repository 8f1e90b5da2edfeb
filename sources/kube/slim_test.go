package kube

import (
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
)

func readPod(t testing.TB) *corev1.Pod {
	t.Helper()
	var p corev1.Pod
	read(t, "testdata/worker.yaml", &p)
	return &p
}

func readJob(t testing.TB) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	read(t, "testdata/pytorchjob.yaml", &o.Object)
	return o
}

func read(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestSlimPodKeepsWhatIsRead(t *testing.T) {
	before, pod := readPod(t), readPod(t)
	debugger := corev1.ContainerStatus{Name: "debugger-x7k2p", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
	before.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{debugger}
	pod.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{debugger}
	slimmer(client.CoreResources[0], &declared.Values{})(pod)

	if pod.ManagedFields != nil || pod.Annotations[corev1.LastAppliedConfigAnnotation] != "" || pod.Spec.EphemeralContainers != nil ||
		pod.Spec.Containers[0].ReadinessProbe != nil {
		t.Error("something that nobody reads was kept")
	}
	for _, v := range pod.Spec.Volumes {
		if len(v.Name) > len(tokenVolume) && v.Name[:len(tokenVolume)] == tokenVolume {
			t.Error("the token volume was kept")
		}
	}
	same := func(what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	same("labels", before.Labels, pod.Labels)
	same("owners", before.OwnerReferences, pod.OwnerReferences)
	same("resources", before.Spec.Containers[0].Resources, pod.Spec.Containers[0].Resources)
	same("command", before.Spec.Containers[0].Command, pod.Spec.Containers[0].Command)
	same("node", before.Spec.NodeName, pod.Spec.NodeName)
	same("tolerations", before.Spec.Tolerations, pod.Spec.Tolerations)
	same("node selector", before.Spec.NodeSelector, pod.Spec.NodeSelector)
	same("conditions", before.Status.Conditions, pod.Status.Conditions)
	same("state", before.Status.ContainerStatuses[0].State, pod.Status.ContainerStatuses[0].State)
	same("containers of kubectl debug", before.Status.EphemeralContainerStatuses, pod.Status.EphemeralContainerStatuses)
	same("phase", before.Status.Phase, pod.Status.Phase)

	values := map[string]string{}
	for _, v := range pod.Spec.Containers[0].Env {
		values[v.Name] = v.Value
	}
	same("environment", map[string]string{
		"PYTHONUNBUFFERED": "1", "MASTER_PORT": "23456", "MASTER_ADDR": "bert-large-master-0", "WORLD_SIZE": "4", "RANK": "1",
		"WANDB_API_KEY": "", "DATABASE_URL": "", "HF_TOKEN": "", "NCCL_DEBUG": "INFO",
	}, values)
	for _, v := range pod.Spec.Containers[0].Env {
		if v.Name == "HF_TOKEN" && (v.ValueFrom == nil || v.ValueFrom.SecretKeyRef.Name != "hf") {
			t.Error("a reference to a Secret was lost: diagnosis asks whether it exists")
		}
	}

	again := pod.DeepCopy()
	slimmer(client.CoreResources[0], &declared.Values{})(again)
	same("slimmed twice", pod, again)
}

func TestSlimUnstructured(t *testing.T) {
	before, job := readJob(t), readJob(t)
	slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})(job)
	if job.GetManagedFields() != nil || job.GetAnnotations()[corev1.LastAppliedConfigAnnotation] != "" {
		t.Error("something that nobody reads was kept")
	}
	container := func(o *unstructured.Unstructured) map[string]any {
		list, _, _ := unstructured.NestedSlice(o.Object, "spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "containers")
		return list[0].(map[string]any)
	}
	if _, kept := container(job)["livenessProbe"]; kept {
		t.Error("a probe was kept")
	}
	if diff := cmp.Diff(container(before)["resources"], container(job)["resources"]); diff != "" {
		t.Error(diff)
	}
	want := []any{
		map[string]any{"name": "NCCL_DEBUG", "value": "INFO"},
		map[string]any{"name": "WANDB_API_KEY", "value": ""},
	}
	if diff := cmp.Diff(want, container(job)["env"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before.Object["status"], job.Object["status"]); diff != "" {
		t.Error(diff)
	}
}

// A Secret within an AppWrapper keeps its name alone.
func TestSlimDropsValuesOfWrappedSecrets(t *testing.T) {
	wrapper := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"components": []any{map[string]any{"template": map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "keys"}, "data": map[string]any{"a": "dGFuZ28="}, "stringData": map[string]any{"b": "tango"},
	}}}}}}
	slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})(wrapper)
	list, _, _ := unstructured.NestedSlice(wrapper.Object, "spec", "components")
	want := map[string]any{"template": map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "keys"}}}
	if diff := cmp.Diff(want, list[0]); diff != "" {
		t.Error(diff)
	}
}

// TestSharedTreesStayEqual slims many jobs that differ in one string and
// checks that nothing of one appears in another.
func TestSharedTreesStayEqual(t *testing.T) {
	slim := slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})
	jobs := make([]*unstructured.Unstructured, 50)
	for i := range jobs {
		jobs[i] = readJob(t)
		jobs[i].SetName(fmt.Sprintf("job-%d", i))
		unstructured.SetNestedField(jobs[i].Object, int64(i), "spec", "pytorchReplicaSpecs", "Worker", "replicas")
		slim(jobs[i])
	}
	for i, job := range jobs {
		alone := readJob(t)
		alone.SetName(fmt.Sprintf("job-%d", i))
		unstructured.SetNestedField(alone.Object, int64(i), "spec", "pytorchReplicaSpecs", "Worker", "replicas")
		slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})(alone)
		if diff := cmp.Diff(alone.Object, job.Object); diff != "" {
			t.Fatalf("job %d (-alone +among others):\n%s", i, diff)
		}
	}
}

func TestSlimHostileShapes(t *testing.T) {
	slim := slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})
	deep := any("bottom")
	for range 10_000 {
		deep = map[string]any{"containers": []any{deep}}
	}
	for _, object := range []map[string]any{
		nil, {}, {"metadata": 7}, {"metadata": map[string]any{"annotations": []any{}, "managedFields": "x"}},
		{"spec": map[string]any{"env": map[string]any{"A": 1, "B": "two"}, "image": nil}},
		{"spec": []any{map[string]any{"env": []any{nil, 3, "x", map[string]any{"name": 1, "value": "v"}, map[string]any{"value": map[string]any{}}}}}},
		{"spec": deep},
	} {
		slim(&unstructured.Unstructured{Object: object})
	}
	slimmer(client.CoreResources[0], &declared.Values{})(&corev1.Pod{})
}

// TestMessagesHaveNoDeclaredSecrets: Kubernetes copies the end of a log into the
// status of a container that failed.
func TestMessagesHaveNoDeclaredSecrets(t *testing.T) {
	pod := &corev1.Pod{
		Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Env: []corev1.EnvVar{{Name: "MY_SERVICE_CREDENTIAL", Value: "correct-horse-battery"}}}}},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Message: "refused: correct-horse-battery"}}}}},
	}
	slimmer(client.CoreResources[0], &declared.Values{})(pod)
	if got, want := pod.Status.ContainerStatuses[0].State.Terminated.Message, "refused: <redacted:credentials>"; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
}
