package jobmetrics

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// began is when the jobs of a lab begin.
var began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

const every = 15 * time.Second // how often the exporters of a lab measure

var (
	pyTorchKind = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	podKind     = kinds.PodKind
)

// lab is a cluster with PyTorchJobs, of which each rank holds a node of eight
// GPUs, a clock, and an exporter of its metrics.
type lab struct {
	*store.Store
	t        testing.TB
	now      time.Time
	report   *diagnose.Report
	exporter *Exporter
}

func newLab(t testing.TB, o Options) *lab {
	l := &lab{t: t, now: began}
	l.Store = store.New(func() time.Time { return l.now })
	o.Now = func() time.Time { return l.now }
	l.exporter = New(o)
	l.Apply(
		store.Listed{Kind: kinds.NodeKind}, store.Listed{Kind: podKind}, store.Listed{Kind: pyTorchKind}, store.Listed{Kind: kinds.EventKind},
		live("kube"), live("kube/pods"),
	)
	return l
}

func live(source string) store.Event {
	return store.HealthChanged{Health: train.Health{Source: source, State: train.SourceLive}}
}

// observe diagnoses the cluster and shows it to the exporter.
func (l *lab) observe() *lab {
	s := l.Snapshot()
	l.report = diagnose.Run(s, diagnose.Options{}, l.report)
	l.exporter.Observe(s, l.report)
	return l
}

// pass advances the clock and observes what is there then.
func (l *lab) pass(d time.Duration) *lab {
	l.now = l.now.Add(d)
	return l.observe()
}

// job is a PyTorchJob with a Running condition; its status can be changed.
func job(namespace, name string, workers int) *unstructured.Unstructured {
	template := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
		"name": "pytorch", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}},
	}}}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": namespace, "name": name, "uid": namespace + "-" + name, "creationTimestamp": began.Format(time.RFC3339)},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(workers), "template": template}}},
		"status":   running(),
	}}
}

func running() map[string]any {
	return map[string]any{"startTime": began.Format(time.RFC3339), "conditions": []any{map[string]any{
		"type": "Running", "status": "True", "reason": "PyTorchJobRunning", "lastTransitionTime": began.Format(time.RFC3339),
	}}}
}

// ended is the status of a job that ended at an instant, as Succeeded or Failed.
func ended(as string, at time.Time) map[string]any {
	return map[string]any{"startTime": began.Format(time.RFC3339), "completionTime": at.Format(time.RFC3339), "conditions": []any{map[string]any{
		"type": as, "status": "True", "reason": "PyTorchJob" + as, "lastTransitionTime": at.Format(time.RFC3339),
	}}}
}

func pod(of *unstructured.Unstructured, rank int) *corev1.Pod {
	yes := true
	name := podName(of, rank)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: of.GetNamespace(), Name: name, UID: types.UID(of.GetNamespace() + name), CreationTimestamp: metav1.NewTime(began),
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: of.GetName(), UID: of.GetUID(), Controller: &yes}},
			Labels: map[string]string{
				"training.kubeflow.org/job-name": of.GetName(), "training.kubeflow.org/replica-type": "worker",
				"training.kubeflow.org/replica-index": fmt.Sprint(rank), "training.kubeflow.org/operator-name": "pytorchjob-controller",
			},
		},
		Spec: corev1.PodSpec{NodeName: nodeName(of, rank), Containers: []corev1.Container{{
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

func podName(of *unstructured.Unstructured, rank int) string {
	return fmt.Sprintf("%s-worker-%d", of.GetName(), rank)
}

func nodeName(of *unstructured.Unstructured, rank int) string {
	return fmt.Sprintf("%s-%s-%d", of.GetNamespace(), of.GetName(), rank)
}

func node(name string) *corev1.Node {
	count := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), CreationTimestamp: metav1.NewTime(began)},
		Status: corev1.NodeStatus{Capacity: count, Allocatable: count, Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue,
		}}},
	}
}

// start applies a job, its pods and their nodes.
func (l *lab) start(of *unstructured.Unstructured, ranks int) *unstructured.Unstructured {
	events := []store.Event{store.Set{Kind: pyTorchKind, Object: of}}
	for rank := range ranks {
		events = append(events, store.Set{Kind: kinds.NodeKind, Object: node(nodeName(of, rank))}, store.Set{Kind: podKind, Object: pod(of, rank)})
	}
	l.Apply(events...)
	return of
}

// status changes the status of a job.
func (l *lab) status(of *unstructured.Unstructured, status map[string]any) {
	changed := of.DeepCopy()
	changed.Object["status"] = status
	l.Apply(store.Set{Kind: pyTorchKind, Object: changed})
}

// measure applies what the exporter of a rank's node reads: busy GPUs in use, the
// others idle.
func (l *lab) measure(of *unstructured.Unstructured, rank, busy int) {
	m := store.Measured{Source: "exporter/" + nodeName(of, rank), Node: nodeName(of, rank), Every: every}
	for gpu := range 8 {
		r := train.GPUReading{Source: train.FromDCGM, At: l.now, GPU: train.GPU{
			Node: nodeName(of, rank), Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%s-1%d", nodeName(of, rank), gpu), Model: "NVIDIA H100 80GB HBM3",
			Namespace: of.GetNamespace(), Pod: podName(of, rank), Container: "pytorch",
		}}
		r.Values.Set(train.GPUUtilization, 0)
		if gpu < busy {
			r.Values.Set(train.GPUUtilization, 97)
		}
		m.Readings = append(m.Readings, r)
	}
	l.Apply(m)
}

// measureNameless applies what an exporter that knows no pods reads of a node:
// so many busy GPUs.
func (l *lab) measureNameless(node string, busy int) {
	m := store.Measured{Source: "exporter/" + node, Node: node, Every: every}
	for gpu := range busy {
		r := train.GPUReading{Source: train.FromDCGM, At: l.now, GPU: train.GPU{Node: node, Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%s-1%d", node, gpu)}}
		r.Values.Set(train.GPUUtilization, 97)
		m.Readings = append(m.Readings, r)
	}
	l.Apply(m)
}

func stream(of *unstructured.Unstructured, rank int) train.StreamID {
	return train.StreamID{Namespace: of.GetNamespace(), Pod: podName(of, rank), UID: of.GetNamespace() + podName(of, rank), Container: "pytorch"}
}

// follow opens the log of a rank.
func (l *lab) follow(of *unstructured.Unstructured, rank int) {
	l.Apply(store.StreamChanged{Stream: stream(of, rank), Status: train.StreamStatus{State: train.StreamLive, Since: began}})
}

// print applies a line with a step and metrics, printed now.
func (l *lab) print(of *unstructured.Unstructured, rank int, step float64, metrics ...train.Metric) {
	line := int64(l.now.Sub(began)/time.Second) + 1
	l.Apply(store.Logged{
		Stream: stream(of, rank), Lines: []train.LogLine{{Number: line, Time: l.now, Text: "step"}},
		Samples: []train.Sample{{Line: line, Time: l.now, Rank: -1, Step: step, HasStep: true, Metrics: metrics}},
		Hints:   &train.ProgressHints{TotalSteps: 1000},
	})
}

func metric(name string, value float64) train.Metric { return train.Metric{Name: name, Value: value} }

// page is what a scrape of the exporter's own metrics answers.
func (l *lab) page() string { return pageOf(l.t, l.exporter) }

func pageOf(t testing.TB, e *Exporter) string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(e)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&b, family); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// value is that of the one series that begins with a text, such as
// `traintop_job_step{`; NaN where it is absent.
func (l *lab) value(series string) float64 {
	l.t.Helper()
	value, found := math.NaN(), false
	for line := range strings.Lines(l.page()) {
		if !strings.HasPrefix(line, series) {
			continue
		}
		if found {
			l.t.Fatalf("there are several series %s", series)
		}
		found = true
		if _, err := fmt.Sscan(line[strings.LastIndexByte(line, ' ')+1:], &value); err != nil {
			l.t.Fatalf("%s: %v", line, err)
		}
	}
	return value
}

// want compares the value of a series; NaN wants it to be absent.
func (l *lab) want(series string, want float64) {
	l.t.Helper()
	if got := l.value(series); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		l.t.Errorf("%s is %v, want %v", series, got, want)
	}
}

// absent is the value of a series that is not there.
var absent = math.NaN()
