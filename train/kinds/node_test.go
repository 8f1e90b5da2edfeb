package kinds

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
)

func resources(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func holder(name string, phase corev1.PodPhase, limits corev1.ResourceList) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: name}}
	p.Status.Phase = phase
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: limits, Requests: limits}}}
	return p
}

func TestNode(t *testing.T) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0", Labels: map[string]string{
		"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", "accelerator": "nvidia",
		"node-role.kubernetes.io/gpu": "", "topology.kubernetes.io/zone": "eu-1a",
	}}}
	n.Spec.Unschedulable = true
	n.Spec.Taints = []corev1.Taint{{Key: "nvidia.com/gpu", Value: "present", Effect: "NoSchedule"}, {Key: "spot", Effect: "NoExecute"}}
	n.Status.Allocatable = resources("cpu", "64", "memory", "512Gi", "nvidia.com/gpu", "4", "nvidia.com/mig-1g.10gb", "7", "rdma/hca", "8")
	n.Status.Capacity = resources("cpu", "64", "nvidia.com/gpu", "5", "nvidia.com/mig-1g.10gb", "7")
	n.Status.Conditions = []corev1.NodeCondition{
		{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Message: "Kubelet stopped posting node status.", LastTransitionTime: metav1.NewTime(nine)},
		{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionTrue},
		{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse},
	}
	pods := []*corev1.Pod{
		holder("a", corev1.PodRunning, resources("cpu", "8", "memory", "64Gi", "nvidia.com/gpu", "2")),
		holder("b", corev1.PodPending, resources("nvidia.com/mig-1g.10gb", "1")),
		holder("c", corev1.PodRunning, resources("cpu", "500m")),
		holder("done", corev1.PodSucceeded, resources("nvidia.com/gpu", "2")),
	}
	want := &train.Node{
		Name: "gpu-0", Model: "NVIDIA-H100-80GB-HBM3", GPUResource: "nvidia.com/mig-1g.10gb",
		Capacity: 12, Allocatable: 11, Held: 3, Slices: train.Slices{Capacity: 7, Allocatable: 7, Held: 1},
		Holders:  []train.Holder{{Namespace: "ml", Pod: "a", GPUs: 2}, {Namespace: "ml", Pod: "b", GPUs: 1, Slices: 1}},
		Cordoned: true, Trouble: "NotReady: Kubelet stopped posting node status., MemoryPressure", NotReadySince: nine,
		Taints: []string{"nvidia.com/gpu=present:NoSchedule", "spot:NoExecute"}, Roles: []string{"gpu"}, Zone: "eu-1a",
		Pods: 3, CPU: 64000, CPUHeld: 8500, Memory: 512 << 30, MemoryHeld: 64 << 30,
	}
	if diff := cmp.Diff(want, Node(n, pods)); diff != "" {
		t.Error(diff)
	}
}

// TestNeuronNames: AWS's device plugin offers the same chips under three names.
// A pod holds what it requests as a whole, where it reports it.
// With the single strategy of NVIDIA's device plugin slices are offered as GPUs: the
// node's label shows it (gpu-feature-discovery 0.17).
func TestSlicesThatAreOfferedAsGPUs(t *testing.T) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0", Labels: map[string]string{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"}}}
	n.Status.Capacity, n.Status.Allocatable = resources("nvidia.com/gpu", "56"), resources("nvidia.com/gpu", "49")
	pods := []*corev1.Pod{holder("a", corev1.PodRunning, resources("nvidia.com/gpu", "3"))}
	if got, want := Node(n, pods).Slices, (train.Slices{Capacity: 56, Allocatable: 49, Held: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := Node(n, pods).Holders[0], (train.Holder{Namespace: "ml", Pod: "a", GPUs: 3, Slices: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	n.Labels["nvidia.com/gpu.product"] = "NVIDIA-A100-SXM4-40GB"
	if got := Node(n, pods).Slices; got != (train.Slices{}) {
		t.Errorf("whole GPUs are %+v", got)
	}
}

func TestPodLevelRequests(t *testing.T) {
	whole := holder("whole", corev1.PodRunning, resources("cpu", "1", "memory", "1Gi"))
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: resources("cpu", "8", "memory", "64Gi")}
	none := holder("none", corev1.PodRunning, nil)
	none.Spec.Resources = &corev1.ResourceRequirements{Requests: resources("cpu", "2")}
	none.Spec.Overhead = resources("cpu", "250m")
	got := Node(&corev1.Node{}, []*corev1.Pod{whole, none})
	if got.CPUHeld != 10_250 || got.MemoryHeld != 64<<30 {
		t.Errorf("held are %d millicores and %d bytes", got.CPUHeld, got.MemoryHeld)
	}
}

// Counts that are cut are reported as cut.
func TestAbsurdCapacity(t *testing.T) {
	for _, c := range []struct {
		capacity, allocatable string
		held                  []string
		says                  string
	}{
		{"5000000", "8", nil, "offers 1000000 or more"}, {"8", "5000000", nil, "offers 1000000 or more"}, {"8", "8", nil, ""}, {"999999", "999999", nil, ""},
		{"8", "8", []string{"5000000"}, "its pods hold 1000000 or more nvidia.com/gpu"}, {"8", "8", []string{"600000", "600000"}, "its pods hold 1000000 or more"},
		{"5000000", "8", []string{"5000000"}, "offers 1000000 or more"}, {"8", "8", []string{"8", "999991"}, ""},
	} {
		n := &corev1.Node{}
		n.Status.Capacity, n.Status.Allocatable = resources("nvidia.com/gpu", c.capacity), resources("nvidia.com/gpu", c.allocatable)
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		var pods []*corev1.Pod
		for _, held := range c.held {
			pods = append(pods, holder("p", corev1.PodRunning, resources("nvidia.com/gpu", held)))
		}
		got := Node(n, pods)
		if (got.CountsCut == "") != (c.says == "") || !strings.Contains(got.CountsCut, c.says) || got.Trouble != got.CountsCut {
			t.Errorf("capacity %s, allocatable %s, held %v: %q, %q", c.capacity, c.allocatable, c.held, got.CountsCut, got.Trouble)
		}
	}
}

func TestNeuronNames(t *testing.T) {
	n := &corev1.Node{}
	n.Status.Allocatable = resources("aws.amazon.com/neuron", "16", "aws.amazon.com/neurondevice", "16", "aws.amazon.com/neuroncore", "32")
	if node := Node(n, nil); node.Allocatable != 16 || node.GPUResource != "aws.amazon.com/neuron" {
		t.Errorf("%d of %s", node.Allocatable, node.GPUResource)
	}
	held := []*corev1.Pod{holder("a", corev1.PodRunning, resources("aws.amazon.com/neuroncore", "2"))}
	if node := Node(n, held); node.Allocatable != 32 || node.Held != 2 {
		t.Errorf("%d of %d cores held", node.Held, node.Allocatable)
	}
}

func TestEventTime(t *testing.T) {
	at := func(minute int) metav1.Time { return metav1.NewTime(nine.Add(time.Duration(minute) * time.Minute)) }
	for name, c := range map[string]struct {
		event  corev1.Event
		minute int
	}{
		"series":        {corev1.Event{Series: &corev1.EventSeries{LastObservedTime: metav1.NewMicroTime(at(5).Time)}, EventTime: metav1.NewMicroTime(at(1).Time)}, 5},
		"repeated":      {corev1.Event{FirstTimestamp: at(1), LastTimestamp: at(4)}, 4},
		"scheduler":     {corev1.Event{EventTime: metav1.NewMicroTime(at(3).Time)}, 3},
		"first alone":   {corev1.Event{FirstTimestamp: at(2)}, 2},
		"creation only": {corev1.Event{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: at(1)}}, 1},
	} {
		if got := EventTime(&c.event); !got.Equal(at(c.minute).Time) {
			t.Errorf("%s: %s, want minute %d", name, got, c.minute)
		}
	}
}

// A node that registers anew brings the times of its conditions along: it is
// never unready for longer than it exists.
func TestNodesAreNotUnreadyForLongerThanTheyExist(t *testing.T) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0", CreationTimestamp: metav1.NewTime(nine)}}
	for transition, want := range map[time.Time]time.Time{
		nine.Add(-331 * 24 * time.Hour): nine, nine: nine, nine.Add(time.Minute): nine.Add(time.Minute), {}: {},
	} {
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(transition)}}
		if got := Node(n, nil).NotReadySince; !got.Equal(want) {
			t.Errorf("not ready since %s, with a transition at %s of a node from %s", got, transition, nine)
		}
	}
}
