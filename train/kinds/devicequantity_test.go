package kinds

import (
	"math"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/train"
)

// A value that is no number of devices is named with its field and the value that
// was read, and counts as nothing.
func TestOddQuantitiesOfAJobAreNamed(t *testing.T) {
	const job = `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, uid: u}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: %GPUS, cpu: 1}}}]}}}}}}`
	for gpus, says := range map[string]string{
		"1e40": `"10e39"`, `"1e40"`: `"10e39"`, "-8": `"-8"`, `"-8"`: `"-8"`, "8.5": `"8500m"`, `"8.5"`: `"8500m"`, "eight": `"eight"`, "true": "true",
		"[8]": "a list", "{a: 8}": "an object", `""`: `""`, "8": "", `"8"`: "", `"0"`: "", "0.0": "", "8k": "",
	} {
		got := Assemble(familyOf(t, strings.ReplaceAll(job, "%GPUS", gpus)))
		want := ""
		if says != "" {
			want = "nvidia.com/gpu in the limits of container main of role Worker is " + says + ", which is no number of devices and is not counted"
		}
		if got.CountsCut != want || !strings.HasSuffix(got.Reason, want) || want != "" && got.GPUs != 0 {
			t.Errorf("%s: %d GPUs, %q, reason %q; want %q", gpus, got.GPUs, got.CountsCut, got.Reason, want)
		}
	}
}

func TestOddQuantitiesOfPodsAndNodesAreNamed(t *testing.T) {
	for _, c := range []struct{ capacity, held, says string }{
		{"8", "1e40", `nvidia.com/gpu in the limits of a container of pod ml/p is "10e39", which`},
		{"8", "-8", `nvidia.com/gpu in the limits of a container of pod ml/p is "-8", which`},
		{"8", "8500m", `nvidia.com/gpu in the limits of a container of pod ml/p is "8500m", which`},
		{"1e40", "4", `nvidia.com/gpu in status.allocatable is "10e39", nvidia.com/gpu in status.capacity is "10e39", which`},
		{"-8", "4", `nvidia.com/gpu in status.allocatable is "-8",`},
		{"8", "4", ""},
	} {
		n := &corev1.Node{}
		n.Status.Capacity, n.Status.Allocatable = resources("nvidia.com/gpu", c.capacity), resources("nvidia.com/gpu", c.capacity)
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		p := holder("p", corev1.PodRunning, resources("nvidia.com/gpu", c.held))
		got := Node(n, []*corev1.Pod{p})
		if !strings.HasPrefix(got.CountsCut, c.says) || (got.CountsCut == "") != (c.says == "") || got.Trouble != got.CountsCut {
			t.Errorf("capacity %s, held %s: %q, %q", c.capacity, c.held, got.CountsCut, got.Trouble)
		}
		if got.Allocatable < 0 || got.Held < 0 || got.Allocatable > 8 || got.Held > 8 {
			t.Errorf("capacity %s, held %s: %d of %d", c.capacity, c.held, got.Held, got.Allocatable)
		}
		if odd := OddRequests(p); (odd == "") != (c.held == "4") {
			t.Errorf("%s: %q is said of the pod alone", c.held, odd)
		}
	}
}

// A job of which only pods are left is shown as they are.
func TestOddQuantitiesOfAJobWithoutItsObject(t *testing.T) {
	p := pod("worker", "0", corev1.PodRunning)
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: resources("nvidia.com/gpu", "-8")}}}
	f := &Family{Ref: train.Ref{Group: "kubeflow.org", Kind: "PyTorchJob", Namespace: "ml", Name: "j"}, Pods: []*corev1.Pod{p}}
	if got := Assemble(f); !strings.Contains(got.CountsCut, `nvidia.com/gpu in the limits of a container of role Worker is "-8", which is no number of devices`) {
		t.Errorf("%q", got.CountsCut)
	}
}

// Amounts never overflow, neither in one quantity nor in a sum.
func TestAmountsDoNotOverflow(t *testing.T) {
	for text, want := range map[string]int64{
		"1e40": MostAmount, "-1e40": -MostAmount, "9223372036854775807": MostAmount, "8Ei": MostAmount, "1e2000000000": MostAmount, "1500m": 2, "64Gi": 64 << 30, "-3": -3, "0": 0,
	} {
		quantity := resource.MustParse(text)
		if got := Amount(&quantity, 0); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	var pods []*corev1.Pod
	for range 5 {
		p := holder("p", corev1.PodRunning, resources("cpu", "9e18", "memory", "9e18"))
		p.Spec.InitContainers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: resources("memory", "1e40")}}}
		pods = append(pods, p)
	}
	got := Node(&corev1.Node{}, pods)
	if got.MemoryHeld != MostAmount || got.CPUHeld != MostAmount || !strings.Contains(got.CountsCut, "more CPU or memory than any machine has") {
		t.Errorf("held are %d millicores and %d bytes, %q", got.CPUHeld, got.MemoryHeld, got.CountsCut)
	}
	if sum := addAmounts(MostAmount, MostAmount); sum != MostAmount || sum > math.MaxInt64/2 {
		t.Errorf("the sum is %d", sum)
	}
}
