package kinds

import (
	"fmt"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

func ownedBy(name, apiVersion, kind string) *corev1.Pod {
	yes := true
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "ml", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: apiVersion, Kind: kind, Name: name, UID: "other", Controller: nil},
		{APIVersion: apiVersion, Kind: kind, Name: name, UID: "wrong"},
		{APIVersion: apiVersion, Kind: kind, Name: name, Controller: &yes},
	}}}
}

func TestTop(t *testing.T) {
	chain := readCluster(t, "testdata/objects/chain-trainjob.yaml")
	chained := chain.objects[PodKind][0].(*corev1.Pod)
	if top, ok := Top(PodKind, chained, chain.find); !ok || top.Kind != "TrainJob" || top.Name != "llm" {
		t.Errorf("the pod of a TrainJob belongs to %s", top)
	}

	absent := func(schema.GroupKind, string, string) (Object, train.Presence) { return nil, train.Absent }
	unknown := func(schema.GroupKind, string, string) (Object, train.Presence) { return nil, train.Unknown }
	pod := ownedBy("j", "kubeflow.org/v1", "PyTorchJob")
	if top, ok := Top(PodKind, pod, unknown); !ok || top.String() != "ml/PyTorchJob/j" {
		t.Errorf("an unreadable parent stands as named, not %s", top)
	}
	if top, ok := Top(PodKind, pod, absent); ok {
		t.Errorf("a parent that is gone makes no row, but %s", top)
	}
	if top, ok := Top(PodKind, ownedBy("d", "apps/v1", "ReplicaSet"), unknown); ok {
		t.Errorf("a Deployment's pod belongs to %s", top)
	}

	// a job that was deleted and created again under the same name
	later := object(t, "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml, uid: new}}")
	stale := ownedBy("j", "batch/v1", "Job")
	stale.OwnerReferences[2].UID = "old"
	found := func(schema.GroupKind, string, string) (Object, train.Presence) { return later, train.Present }
	if top, ok := Top(PodKind, stale, found); ok {
		t.Errorf("a pod of the earlier job belongs to %s", top)
	}

	// an object that owns itself
	loop := object(t, "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]}}")
	round := func(schema.GroupKind, string, string) (Object, train.Presence) { return loop, train.Present }
	if top, ok := Top(batchJobKind, loop, round); !ok || top.Name != "j" {
		t.Errorf("a cycle ends at %s", top)
	}
}

// TestJobsInACycleAreTheirOwnTops: a job of any number that own each other, and
// what is below them.
func TestJobsInACycleAreTheirOwnTops(t *testing.T) {
	for _, n := range []int{2, 3, MaxChain - 1, MaxChain, 3 * MaxChain} {
		job := func(i int) Object {
			return object(t, fmt.Sprintf("{apiVersion: batch/v1, kind: Job, metadata: {name: j%d, namespace: ml, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j%d, controller: true}]}}", i, (i+1)%n))
		}
		find := func(_ schema.GroupKind, _, name string) (Object, train.Presence) {
			i, _ := strconv.Atoi(name[1:])
			return job(i), train.Present
		}
		for _, i := range []int{0, n / 2, n - 1} {
			name := fmt.Sprintf("j%d", i)
			if top, ok := Top(batchJobKind, job(i), find); !ok || top.Name != name {
				t.Errorf("%s of %d belongs to %s", name, n, top)
			}
			if top, ok := Top(PodKind, ownedBy(name, "batch/v1", "Job"), find); !ok || top.Name != name {
				t.Errorf("the pod of %s of %d belongs to %s", name, n, top)
			}
		}
		if above := JobsAbove(batchJobKind, job(0), find); len(above) != min(n-1, MaxChain) {
			t.Errorf("%d jobs above one of %d", len(above), n)
		}
	}
}

func TestPodParents(t *testing.T) {
	for name, c := range map[string]struct {
		labels, annotations map[string]string
		want                string
	}{
		"LeaderWorkerSet":   {map[string]string{"leaderworkerset.sigs.k8s.io/name": "s"}, nil, "ml/LeaderWorkerSet/s"},
		"Kueue group":       {map[string]string{"kueue.x-k8s.io/pod-group-name": "g"}, nil, "ml/PodGroup/g"},
		"coscheduling":      {map[string]string{"scheduling.x-k8s.io/pod-group": "g"}, nil, "ml/PodGroup/g"},
		"Volcano":           {nil, map[string]string{"scheduling.k8s.io/group-name": "g"}, "ml/PodGroup/g"},
		"Volcano, any pod":  {nil, map[string]string{"scheduling.k8s.io/group-name": "podgroup-1b9e834b"}, ""},
		"KAI":               {nil, map[string]string{"pod-group-name": "pg"}, "ml/PodGroup/pg"},
		"nothing to say so": {map[string]string{"app": "web"}, nil, ""},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "ml", Labels: c.labels, Annotations: c.annotations}}
		parent, ok := Parent(PodKind, pod)
		if ok != (c.want != "") || ok && parent.String() != c.want {
			t.Errorf("%s: %s, want %q", name, parent, c.want)
		}
	}
}
