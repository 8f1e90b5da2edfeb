package store

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Objects of the shapes that training-operator 1.8.1, JobSet 0.10.1 and
// kube-apiserver 1.36 write, reduced to the fields that joining reads.

var (
	instant     = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	pyTorchKind = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	jobSetKind  = schema.GroupKind{Group: "jobset.x-k8s.io", Kind: "JobSet"}
	batchKind   = schema.GroupKind{Group: "batch", Kind: "Job"}
)

func newStore() *Store { return New(func() time.Time { return instant }) }

func pyTorchJob(namespace, name, uid string, workers int) *unstructured.Unstructured {
	template := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
		"name": "pytorch", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}},
	}}}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": namespace, "name": name, "uid": uid, "creationTimestamp": "2026-11-20T09:00:00Z"},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{
			"Master": map[string]any{"replicas": int64(1), "template": template},
			"Worker": map[string]any{"replicas": int64(workers), "template": template},
		}},
	}}
}

func object(kind schema.GroupKind, version, namespace, name, uid string, owner *metav1.OwnerReference) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{}}}
	u.SetGroupVersionKind(kind.WithVersion(version))
	u.SetNamespace(namespace)
	u.SetName(name)
	u.SetUID(types.UID(uid))
	if owner != nil {
		u.SetOwnerReferences([]metav1.OwnerReference{*owner})
	}
	return u
}

func ownedBy(kind schema.GroupKind, version, name, uid string) *metav1.OwnerReference {
	yes := true
	return &metav1.OwnerReference{APIVersion: kind.Group + "/" + version, Kind: kind.Kind, Name: name, UID: types.UID(uid), Controller: &yes}
}

// worker is a running pod of a PyTorchJob; place -1 is the master.
func worker(job *unstructured.Unstructured, place int, node string) *corev1.Pod {
	role, index := "worker", place
	if place < 0 {
		role, index = "master", 0
	}
	name := fmt.Sprintf("%s-%s-%d", job.GetName(), role, index)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: job.GetNamespace(), Name: name, UID: types.UID(string(job.GetUID()) + "-" + name),
			CreationTimestamp: metav1.NewTime(instant.Add(-time.Hour)),
			OwnerReferences:   []metav1.OwnerReference{*ownedBy(pyTorchKind, "v1", job.GetName(), string(job.GetUID()))},
			Labels: map[string]string{
				"training.kubeflow.org/job-name": job.GetName(), "training.kubeflow.org/replica-type": role,
				"training.kubeflow.org/replica-index": fmt.Sprint(index), "training.kubeflow.org/operator-name": "pytorchjob-controller",
			},
		},
		Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{
			Name: "pytorch", Image: "pytorch/pytorch:2.7.1",
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}},
		}}},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(instant.Add(-time.Hour))}},
			}},
		},
	}
}

func gpuNode(name string, gpus int64) *corev1.Node {
	count := corev1.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI)}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("node-" + name)},
		Status: corev1.NodeStatus{
			Capacity: count, Allocatable: count,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

func setPod(pod *corev1.Pod) Event                { return Set{kinds.PodKind, pod} }
func setNode(node *corev1.Node) Event             { return Set{kinds.NodeKind, node} }
func setJob(job *unstructured.Unstructured) Event { return Set{pyTorchKind, job} }
func live(source string) Event                    { return health(source, train.SourceLive) }
func health(source string, s train.SourceState) Event {
	return HealthChanged{train.Health{Source: source, State: s}}
}

// fill applies a cluster of PyTorchJobs with ten pods each, eight pods to a
// node of 64 GPUs, as complete lists.
func fill(s *Store, jobs int) (all []*unstructured.Unstructured, pods []*corev1.Pod) {
	var jobObjects, podObjects, nodeObjects []kinds.Object
	for i := range jobs {
		job := pyTorchJob(fmt.Sprintf("team-%02d", i%20), fmt.Sprintf("job-%04d", i), fmt.Sprintf("uid-%04d", i), 9)
		all, jobObjects = append(all, job), append(jobObjects, job)
		for place := -1; place < 9; place++ {
			pod := worker(job, place, fmt.Sprintf("node-%04d", len(pods)/8))
			pods, podObjects = append(pods, pod), append(podObjects, pod)
		}
	}
	for i := range (len(pods) + 7) / 8 {
		nodeObjects = append(nodeObjects, gpuNode(fmt.Sprintf("node-%04d", i), 64))
	}
	s.Apply(
		Listed{Kind: kinds.NodeKind, Objects: nodeObjects}, Listed{Kind: kinds.PodKind, Objects: podObjects},
		Listed{Kind: pyTorchKind, Objects: jobObjects}, Listed{Kind: kinds.EventKind}, live("kube"),
	)
	return all, pods
}
