package jobs

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// manyJobs is a store with running PyTorchJobs of one rank with eight GPUs.
func manyJobs(n int) *store.Store {
	s := store.New(func() time.Time { return nine })
	kind := schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	for i := range n {
		name, namespace := fmt.Sprintf("train-%05d", i), fmt.Sprintf("team-%02d", i%20)
		s.Apply(store.Set{Kind: kind, Object: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
			"metadata": map[string]any{"name": name, "namespace": namespace, "uid": name, "creationTimestamp": nine.Add(-time.Duration(i) * time.Minute).Format(time.RFC3339)},
			"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1), "template": map[string]any{
				"spec": map[string]any{"containers": []any{map[string]any{"name": "pytorch", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}}}}}}}}},
			"status": map[string]any{"conditions": []any{map[string]any{"type": "Running", "status": "True"}}},
		}}}, store.Set{Kind: kinds.PodKind, Object: onlyPod(namespace, name, i)})
	}
	return s
}

func onlyPod(namespace, job string, i int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: job + "-worker-0", UID: types.UID(job + "-pod"),
			Labels:          map[string]string{"training.kubeflow.org/job-name": job, "training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": "0"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: job, UID: types.UID(job), Controller: new(true)}},
		},
		Spec: corev1.PodSpec{NodeName: fmt.Sprintf("gpu-%04d", i), Containers: []corev1.Container{{
			Name: "pytorch", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}},
		}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(nine.Add(-time.Hour))}}}}},
	}
}
