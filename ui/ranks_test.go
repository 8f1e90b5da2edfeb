package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// wideJob is a store with one PyTorchJob of n workers, one of which failed.
func wideJob(n, failed int) *store.Store {
	s := store.New(func() time.Time { return nine })
	s.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"name": "wide", "namespace": "llm", "uid": "wide"},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(n)}}},
	}}})
	for i := range n {
		phase := corev1.PodRunning
		if i == failed {
			phase = corev1.PodFailed
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint("wide-worker-", i), Namespace: "llm",
			Labels: map[string]string{"training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": fmt.Sprint(i)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "wide", UID: "wide", Controller: new(true),
			}},
		}, Spec: corev1.PodSpec{NodeName: "gpu-1"}, Status: corev1.PodStatus{Phase: phase}}
		s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	}
	return s
}

func TestManyRanksStandInAWall(t *testing.T) {
	for _, ranks := range []int{101, 512, 4096} {
		o := Options{}
		o.Store = wideJob(ranks, 77)
		d := drive(t, o, 120, 40).keys("enter")
		screen := d.screen()
		wall, table, _ := strings.Cut(screen, "RANK")
		if strings.Count(wall, "✖") < 1 || strings.Count(wall, "✖") > 2 { // one may be in the title
			t.Errorf("%d ranks: the failed one is not in the wall once:\n%s", ranks, screen)
		}
		first, _, _ := strings.Cut(strings.SplitN(table, "\n", 2)[1], "\n")
		if !strings.Contains(first, "77") || !strings.Contains(first, "failed") {
			t.Errorf("%d ranks: the odd one is not first:\n%s", ranks, screen)
		}
		if fits := strings.Contains(screen, "a mark is"); fits != (ranks == 4096) {
			t.Errorf("%d ranks:\n%s", ranks, screen)
		}
		d.keys("v").hides("a mark is")
	}
}

// A rank that waits shows what it waits for, as its job does, not what ended its pod
// before: here the pod was created anew and no node takes it.
func TestARankThatWaitsSaysWhatFor(t *testing.T) {
	d := drive(t, Options{Session: Session{Store: fromFiles(t, "../train/kinds/testdata/clusters/tfjob-exitcode-recreated.yaml")}}, 160, 40)
	d.keys("enter").shows("1 pod (worker-0) cannot be placed", "ranker-worker-0  0/6 nodes are available").hides("SIGKILL")
	d.keys("6").shows("worker-0 was killed with SIGKILL")
}
