package kinds

import (
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestPodRequestsAreWhatTheSchedulerReserves(t *testing.T) {
	asks := func(cpu string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}
	}
	gpus := corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("2")}}
	check := func(what string, spec corev1.PodSpec, want string) {
		t.Helper()
		if got := written(PodRequests(&spec)); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	check("containers add up", corev1.PodSpec{Containers: []corev1.Container{{Resources: asks("1")}, {Resources: asks("500m")}}}, "cpu 1500m")
	check("the greatest init container counts", corev1.PodSpec{
		InitContainers: []corev1.Container{{Resources: asks("4")}, {Resources: asks("3")}}, Containers: []corev1.Container{{Resources: asks("1")}},
	}, "cpu 4")
	check("a sidecar runs beside the rest", corev1.PodSpec{
		InitContainers: []corev1.Container{{Resources: asks("2"), RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}, {Resources: asks("3")}},
		Containers:     []corev1.Container{{Resources: asks("1")}},
	}, "cpu 5")
	check("a limit is a request", corev1.PodSpec{Containers: []corev1.Container{{Resources: gpus}}}, "nvidia.com/gpu 2")
	check("requests of the pod replace those of containers", corev1.PodSpec{
		Containers: []corev1.Container{{Resources: asks("1")}, {Resources: gpus}}, Resources: new(asks("6")),
	}, "cpu 6, nvidia.com/gpu 2")
	check("overhead counts", corev1.PodSpec{Containers: []corev1.Container{{Resources: asks("1")}}, Overhead: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}, "cpu 2")
}

// written names the amounts of a list in order of their names.
func written(list corev1.ResourceList) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		amount := list[name]
		all = append(all, string(name)+" "+amount.String())
	}
	return strings.Join(all, ", ")
}
