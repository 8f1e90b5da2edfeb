package kinds

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

// runningFamily returns a PyTorchJob with all its pods running, as the
// training-operator creates them.
func runningFamily(pods int) *Family {
	replica := func(n int) map[string]any {
		return map[string]any{
			"replicas": int64(n),
			"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
				"name":      "pytorch",
				"resources": map[string]any{"limits": map[string]any{"cpu": "8", "memory": "64Gi", "nvidia.com/gpu": "8"}},
			}}}},
		}
	}
	top := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"name": "llama", "namespace": "llm", "uid": "u", "creationTimestamp": "2026-11-20T09:00:00Z"},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Master": replica(1), "Worker": replica(pods - 1)}},
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Running", "status": "True", "reason": "PyTorchJobRunning", "lastTransitionTime": "2026-11-20T09:01:00Z"},
		}},
	}}
	f := &Family{Ref: train.Ref{Group: "kubeflow.org", Kind: "PyTorchJob", Namespace: "llm", Name: "llama", UID: "u"}, Top: top}
	f.NodeReady = func(string) (bool, train.Presence) { return true, train.Present }
	for i := range pods {
		f.Pods = append(f.Pods, runningPod(i))
	}
	return f
}

func runningPod(rank int) *corev1.Pod {
	role, index := "master", 0
	if rank > 0 {
		role, index = "worker", rank-1
	}
	at := metav1.NewTime(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	name := fmt.Sprintf("llama-%s-%d", role, index)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "llm", UID: "pod-uid", CreationTimestamp: at,
			Labels: map[string]string{
				"training.kubeflow.org/job-name":      "llama",
				"training.kubeflow.org/replica-type":  role,
				"training.kubeflow.org/replica-index": fmt.Sprint(index),
				"training.kubeflow.org/operator-name": "pytorchjob-controller",
			},
		},
		Spec: corev1.PodSpec{
			NodeName: fmt.Sprintf("gpu-%d", rank),
			Containers: []corev1.Container{{
				Name: "pytorch",
				Env: []corev1.EnvVar{
					{Name: "PYTHONUNBUFFERED", Value: "1"}, {Name: "MASTER_PORT", Value: "23456"},
					{Name: "MASTER_ADDR", Value: "llama-master-0"}, {Name: "WORLD_SIZE", Value: "1024"},
					{Name: "RANK", Value: fmt.Sprint(rank)}, {Name: "PET_NODE_RANK", Value: fmt.Sprint(rank)},
					{Name: "PET_NPROC_PER_NODE", Value: "8"}, {Name: "PET_NNODES", Value: "1024"},
				},
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{
					"cpu": resource.MustParse("8"), "memory": resource.MustParse("64Gi"), "nvidia.com/gpu": resource.MustParse("8"),
				}},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &at,
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
			}},
		},
	}
}

func BenchmarkAssemble(b *testing.B) {
	for _, pods := range []int{8, 1024} {
		f := runningFamily(pods)
		b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if job := Assemble(f); job.Phase != train.Running || job.Ready != pods {
					b.Fatalf("%s with %d ready", job.Phase, job.Ready)
				}
			}
		})
	}
}

// TestAssembleAllocations checks that the number of allocations for a large
// job does not grow with its pods.
func TestAssembleAllocations(t *testing.T) {
	small, large := runningFamily(8), runningFamily(1024)
	few := testing.AllocsPerRun(10, func() { Assemble(small) })
	many := testing.AllocsPerRun(10, func() { Assemble(large) })
	if many > few+32 {
		t.Errorf("%v allocations for 1,024 pods, %v for 8", many, few)
	}
}
