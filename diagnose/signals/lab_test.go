package signals

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// began is when the jobs of a lab begin.
var began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

const every = 30 * time.Second // how often the exporters of a lab measure

var pyTorchKind = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}

// lab is a cluster with one PyTorchJob, of which each rank holds a node of
// eight GPUs, and a clock. Numbers are those of a job at work unless a test
// changes them.
type lab struct {
	*store.Store
	t      testing.TB
	now    time.Time
	ranks  int
	report *Report
	limits Thresholds
	// change modifies a GPU at work for the test; false removes the GPU.
	change func(rank, gpu int, v *train.Values) bool
	// silent are nodes whose exporter no longer answers.
	silent map[int]bool
	usage  []train.Usage
	// sliced is how many GPUs of each node are MIG slices.
	sliced int
}

func newLab(t testing.TB, ranks int) *lab {
	l := &lab{t: t, now: began, ranks: ranks, silent: map[int]bool{}}
	l.Store = store.New(func() time.Time { return l.now })
	events := []store.Event{store.Set{Kind: pyTorchKind, Object: trainingJob(ranks)}}
	var nodes, pods []kinds.Object
	for rank := range ranks {
		nodes = append(nodes, gpuNode(rank))
		pods = append(pods, rankPod(rank))
	}
	events = append(events, store.Listed{Kind: kinds.NodeKind, Objects: nodes}, store.Listed{Kind: kinds.PodKind, Objects: pods})
	l.Apply(events...)
	return l
}

func trainingJob(ranks int) *unstructured.Unstructured {
	template := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
		"name": "pytorch", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}},
	}}}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "llm", "name": "llama", "uid": "llama", "creationTimestamp": began.Format(time.RFC3339)},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(ranks), "template": template}}},
		"status": map[string]any{"startTime": began.Format(time.RFC3339), "conditions": []any{map[string]any{
			"type": "Running", "status": "True", "reason": "PyTorchJobRunning", "lastTransitionTime": began.Format(time.RFC3339),
		}}},
	}}
}

func gpuNode(i int) *corev1.Node {
	count := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8"), "cpu": resource.MustParse("96")}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName(i), UID: types.UID(nodeName(i)), CreationTimestamp: metav1.NewTime(began.Add(-time.Hour))},
		Status: corev1.NodeStatus{Capacity: count, Allocatable: count, Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue,
		}}},
	}
}

func nodeName(i int) string { return fmt.Sprintf("gpu-%04d", i) }
func podName(i int) string  { return fmt.Sprintf("llama-worker-%d", i) }

func rankPod(rank int) *corev1.Pod {
	yes := true
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "llm", Name: podName(rank), UID: types.UID(podName(rank)), CreationTimestamp: metav1.NewTime(began),
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "llama", UID: "llama", Controller: &yes}},
			Labels: map[string]string{
				"training.kubeflow.org/job-name": "llama", "training.kubeflow.org/replica-type": "worker",
				"training.kubeflow.org/replica-index": fmt.Sprint(rank), "training.kubeflow.org/operator-name": "pytorchjob-controller",
			},
		},
		Spec: corev1.PodSpec{NodeName: nodeName(rank), Containers: []corev1.Container{{
			Name: "pytorch", Image: "pytorch/pytorch:2.7.1",
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}},
		}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &metav1.Time{Time: began},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(began)}},
			}},
		},
	}
}

// atWork returns the numbers of an H100 that trains, as in
// testdata/constructed-h100x8-slow-gpu.prom.
func atWork(rank, gpu int) train.Values {
	var v train.Values
	for q, number := range map[train.Quantity]float64{
		train.GPUUtilization: 98, train.GPUTemperature: float64(60 + (rank+gpu)%6), train.GPUPower: float64(640 + (3*rank+7*gpu)%20),
		train.GPUPowerLimit: 700, train.GPUMemoryUsed: 71_230, train.GPUMemoryTotal: 81_559, train.GPUSMClock: 1980, train.GPUMaxSMClock: 1980,
		train.GPUGraphics: 0.97, train.GPUSMActive: 0.82, train.GPUTensorActive: 0.46 + float64(gpu%3)/100, train.GPUXid: 0,
		train.GPUECCUncorrected: 0, train.GPUThrottle: 0, train.GPUPCIeReplays: 2,
	} {
		v.Set(q, number)
	}
	return v
}

// scrape applies the readings of one node's exporter.
func (l *lab) scrape(rank int) {
	m := store.Measured{Source: "exporter/" + nodeName(rank), Node: nodeName(rank), Every: every}
	for gpu := range 8 {
		r := train.GPUReading{
			GPU: train.GPU{
				Node: nodeName(rank), Index: fmt.Sprint(gpu), UUID: uuid(rank, gpu), Model: "NVIDIA H100 80GB HBM3",
				Namespace: "llm", Pod: podName(rank), Container: "pytorch",
			}, Values: atWork(rank, gpu), Source: train.FromDCGM, At: l.now,
		}
		if gpu < l.sliced {
			r.GPU.MIG = train.MIG{Profile: "1g.10gb", Instance: "7"}
		}
		if l.change == nil || l.change(rank, gpu, &r.Values) {
			m.Readings = append(m.Readings, r)
		}
	}
	l.Apply(m)
}

func uuid(rank, gpu int) string { return fmt.Sprintf("GPU-%08x-0000-0000-0000-%012x", rank+1, gpu+1) }

// pass advances the clock, and runs Find after each round of scrapes.
func (l *lab) pass(d time.Duration) *lab {
	for end := l.now.Add(d); l.now.Before(end); {
		l.now = l.now.Add(every)
		for rank := range l.ranks {
			if !l.silent[rank] {
				l.scrape(rank)
			}
		}
		for i := range l.usage {
			l.usage[i].At = l.now
		}
		if len(l.usage) > 0 {
			l.Apply(store.Used{Source: "prometheus", Usage: slices.Clone(l.usage), Every: every})
		}
		l.report = Find(l.Snapshot(), l.limits, l.report)
	}
	return l
}

// use sets what a node or container uses from now on.
func (l *lab) use(u train.Usage, q train.UsageQuantity, value float64) {
	u.Values.Set(q, value)
	l.usage = append(l.usage, u)
}

// becomes changes what GPUs report from now on.
func (l *lab) becomes(change func(rank, gpu int, v *train.Values)) *lab {
	l.change = func(rank, gpu int, v *train.Values) bool {
		change(rank, gpu, v)
		return true
	}
	return l
}

// one changes one GPU.
func one(rank, gpu int, set map[train.Quantity]float64) func(int, int, *train.Values) {
	return func(r, g int, v *train.Values) {
		if r == rank && g == gpu {
			apply(v, set)
		}
	}
}

// all changes all GPUs.
func all(set map[train.Quantity]float64) func(int, int, *train.Values) {
	return func(_, _ int, v *train.Values) { apply(v, set) }
}

func apply(v *train.Values, set map[train.Quantity]float64) {
	for q, number := range set {
		v.Set(q, number)
	}
}

// job formats the job's list, one line for each signal.
func (l *lab) job() string { return lines(l.report.Job("llama")) }

func lines(all []Signal) string {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s %s: %s\n", s.Severity, s.Kind, s.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// says fails unless the job's list equals this.
func (l *lab) says(want ...string) *lab {
	l.t.Helper()
	if got := l.job(); got != strings.Join(want, "\n") {
		l.t.Errorf("after %v the job has\n%s\nwant\n%s", l.now.Sub(began), got, strings.Join(want, "\n"))
	}
	return l
}
