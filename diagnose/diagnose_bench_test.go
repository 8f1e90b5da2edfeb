package diagnose

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// fleet is 1,000 jobs of ten ranks on 1,250 nodes of eight GPUs: nine of ten
// jobs run, every tenth waits for GPUs, crashes, cannot pull or has failed.
func fleet(b *testing.B) *store.Store {
	b.Helper()
	st := store.New(func() time.Time { return noon })
	c := newCluster(b)
	for n := range 1250 {
		c.node(fmt.Sprintf("gpu-%04d", n), 8)
	}
	for j := range 1000 {
		c.fleetJob(b, j)
	}
	st.Apply(c.events...)
	return st
}

func (c *cluster) fleetJob(b testing.TB, j int) {
	first := len(c.events)
	status := runs
	if j%40 == 30 {
		status = failed
	}
	c.job(10, status)
	for r := range 10 {
		node := fmt.Sprintf("gpu-%04d", (j*10+r)%1250)
		change := running(node, 9)
		switch j % 40 {
		case 0:
			change = unschedulable("0/1250 nodes are available: 1250 Insufficient nvidia.com/gpu.")
		case 10:
			change = crashing(node, 1, "Error", "", 4)
		case 20:
			change = func(p *corev1.Pod) {
				on(node)(p)
				waits("ImagePullBackOff", `Back-off pulling image "registry.example.com/bert:1": ErrImagePull: manifest unknown`)(p)
			}
		case 30:
			change = ended(node, 137, "OOMKilled", "", 1)
		}
		c.worker(r, change, asks("nvidia.com/gpu", "1"), asks("memory", fmt.Sprintf("%dGi", 10+j%7)), asks("cpu", "2"))
	}
	for _, e := range c.events[first:] {
		o := e.(store.Set).Object
		rename(o, j)
	}
}

// rename gives the objects of a job names of their own.
func rename(o kinds.Object, j int) {
	uid := fmt.Sprintf("job-%d", j)
	switch o := o.(type) {
	case *unstructured.Unstructured:
		o.SetName(fmt.Sprintf("bert-%d", j))
		_ = unstructured.SetNestedField(o.Object, uid, "metadata", "uid")
	case *corev1.Pod:
		o.Name = fmt.Sprintf("bert-%d-worker-%s", j, o.Labels["training.kubeflow.org/replica-index"])
		o.UID = types.UID(fmt.Sprintf("%s-%d", o.UID, j))
		o.Labels["training.kubeflow.org/job-name"] = fmt.Sprintf("bert-%d", j)
		o.OwnerReferences[0].Name, o.OwnerReferences[0].UID = fmt.Sprintf("bert-%d", j), types.UID(uid)
	}
}

// The whole cluster from nothing: at most 100 ms.
func BenchmarkWholeCluster(b *testing.B) {
	s := fleet(b).Snapshot()
	if len(s.Jobs()) != 1000 {
		b.Fatalf("%d jobs", len(s.Jobs()))
	}
	b.ReportAllocs()
	for b.Loop() {
		Run(s, Options{}, nil)
	}
}

// After one pod changed: at most 2 ms.
func BenchmarkAfterOnePod(b *testing.B) {
	st := fleet(b)
	s := st.Snapshot()
	report := Run(s, Options{}, nil)
	pod := s.Pod(ns, "bert-1-worker-3")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		changed := pod.DeepCopy()
		changed.Status.ContainerStatuses[0].Ready = i%2 == 0
		changed.Status.Conditions[1].Status = corev1.ConditionStatus(map[bool]string{true: "True", false: "False"}[i%2 == 0])
		st.Apply(store.Set{Kind: kinds.PodKind, Object: changed})
		s = st.Snapshot()
		b.StartTimer()
		report = Run(s, Options{}, report)
	}
}

// Nothing changed but the clock.
func BenchmarkNothingChanged(b *testing.B) {
	s := fleet(b).Snapshot()
	report := Run(s, Options{}, nil)
	b.ReportAllocs()
	for b.Loop() {
		report = Run(s, Options{}, report)
	}
}
