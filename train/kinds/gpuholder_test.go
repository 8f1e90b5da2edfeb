package kinds

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestHeldGPUs(t *testing.T) {
	container := func(name string, gpus string) corev1.Container {
		c := corev1.Container{Name: name}
		if gpus != "" {
			c.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(gpus)}
		}
		return c
	}
	pod := func(node string, phase corev1.PodPhase, containers ...corev1.Container) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{NodeName: node, Containers: containers}, Status: corev1.PodStatus{Phase: phase}}
	}
	check := func(what string, p *corev1.Pod, want ...GPUHold) {
		t.Helper()
		if got := HeldGPUs(p); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("two containers", pod("n", corev1.PodRunning, container("a", "2"), container("b", ""), container("c", "1")), GPUHold{"a", 2}, GPUHold{"c", 1})
	check("ended", pod("n", corev1.PodSucceeded, container("a", "2")))
	check("not scheduled", pod("", corev1.PodPending, container("a", "2")))
	check("none", pod("n", corev1.PodRunning, container("a", "")))
	share := pod("n", corev1.PodRunning, container("a", ""))
	share.Annotations = map[string]string{"gpu-fraction": "0.5"}
	check("a share by annotation", share, GPUHold{"", 1})
}
