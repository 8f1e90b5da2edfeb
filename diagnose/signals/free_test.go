package signals

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// GPUs that nobody holds are free where a pod could get them; the others are
// named.
func TestFreeIsSchedulableAndHealthy(t *testing.T) {
	l := newLab(t, 1)
	lost, cordoned, sick := gpuNode(1), gpuNode(2), gpuNode(3)
	lost.Status.Conditions[0].Status = corev1.ConditionUnknown
	cordoned.Spec.Unschedulable = true
	l.Apply(store.Listed{Kind: kinds.NodeKind, Objects: []kinds.Object{gpuNode(0), lost, cordoned, sick, gpuNode(4)}})
	r := &Report{nodes: map[string][]Signal{nodeName(3): {
		{Kind: "xid", Severity: train.SeverityError, GPU: "GPU-a"}, {Kind: "ecc", Severity: train.SeverityWarning, GPU: "GPU-a"},
		{Kind: "hot", Severity: train.SeverityWarning, GPU: "GPU-b"},
	}}}
	free := r.Free(l.Snapshot())
	if want := (FreeGPUs{Free: 15, Dead: 1, Lost: 8, Cordoned: 8}); free != want {
		t.Errorf("got %+v, want %+v", free, want)
	}
	if got, want := free.Rest(), "1 dead, 8 on a lost node, 8 on a cordoned node"; got != want {
		t.Errorf("the rest is %q, not %q", got, want)
	}
	if got := (FreeGPUs{Free: 3}).Rest(); got != "" {
		t.Errorf("there is no rest, and it is %q", got)
	}
	sliced := gpuNode(5)
	sliced.Status.Capacity["nvidia.com/mig-1g.10gb"], sliced.Status.Allocatable["nvidia.com/mig-1g.10gb"] = resource.MustParse("7"), resource.MustParse("7")
	l.Apply(store.Set{Kind: kinds.NodeKind, Object: sliced})
	if free := r.Free(l.Snapshot()); free.Free != 15+15 || free.Slices != 7 {
		t.Errorf("with 7 MIG slices: %+v", free)
	}
	if all := l.Snapshot().GPUs(); all.Slices != 7 || all.All != 6*8+7 {
		t.Errorf("all: %+v", all)
	}
	l.Apply(store.Deleted{Kind: kinds.NodeKind, Name: sliced.Name, UID: string(sliced.UID)})
	if all := l.Snapshot().GPUs(); all.Slices != 0 || all.All != 5*8 {
		t.Errorf("without the node: %+v", all)
	}
	// The node itself took the board out.
	sick = sick.DeepCopy()
	sick.Status.Allocatable["nvidia.com/gpu"] = resource.MustParse("7")
	l.Apply(store.Set{Kind: kinds.NodeKind, Object: sick})
	if free := r.Free(l.Snapshot()); free.Free != 15 || free.Dead != 0 {
		t.Errorf("a board that is not allocatable is counted twice: %+v", free)
	}
}

// A pod of no job that holds idle GPUs is named; one at work is not.
func TestIdlePodsAreThoseOfNoJob(t *testing.T) {
	l := newLab(t, 1)
	m := store.Measured{Source: "exporter/" + nodeName(9), Node: nodeName(9), Every: every}
	found := map[train.GPUID][]Signal{}
	l.Apply(store.Set{Kind: kinds.NodeKind, Object: gpuNode(9)})
	for i, name := range []string{"notebook-ana", "server", "notebook-ana"} {
		pod := rankPod(9)
		pod.Name, pod.UID, pod.Labels, pod.OwnerReferences = name, types.UID(name), nil, nil
		l.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
		reading := train.GPUReading{At: l.now, Source: train.FromDCGM, Values: atWork(9, i), GPU: train.GPU{
			Node: nodeName(9), Index: fmt.Sprint(i), UUID: uuid(9, i), Namespace: pod.Namespace, Pod: pod.Name, Container: "pytorch",
		}}
		if i == 0 {
			reading.GPU.MIG = train.MIG{Profile: "1g.10gb", Instance: "7"}
		}
		m.Readings = append(m.Readings, reading)
		if name != "server" {
			found[reading.GPU.ID()] = []Signal{{Kind: "idle", Severity: train.SeverityWarning, GPU: reading.GPU.ID()}}
		}
	}
	l.scrape(0)
	l.Apply(m)
	of := train.GPU{UUID: uuid(0, 0)}
	found[of.ID()] = []Signal{{Kind: "idle", Severity: train.SeverityWarning}}
	pods := (&Report{gpus: found}).IdlePods(l.Snapshot())
	if len(pods) != 1 || pods[0] != (IdlePod{"llm", "notebook-ana", 2, 1}) {
		t.Errorf("got %+v", pods)
	}
	// It is deleted, and the readings are still those from before.
	l.Apply(store.Listed{Kind: kinds.PodKind, Objects: []kinds.Object{rankPod(0)}})
	if pods := (&Report{gpus: found}).IdlePods(l.Snapshot()); len(pods) != 0 {
		t.Errorf("a pod that is gone holds idle GPUs: %+v", pods)
	}
}

// The reports about single GPUs add up to the numbers of the header.
func TestIdleNowAddsUpToTheSum(t *testing.T) {
	l := newLab(t, 2)
	l.change = func(_, gpu int, v *train.Values) bool {
		if gpu < 3 {
			v.Set(train.GPUUtilization, 1)
		}
		return true
	}
	l.scrape(0)
	l.scrape(1)
	s := l.Snapshot()
	r := Find(s, Thresholds{}, nil)
	var sum Sum
	for _, state := range s.AllGPUs() {
		if idle, known := r.IdleNow(state, s.Now); known {
			sum.Held++
			if idle {
				sum.Idle++
			}
		}
		old := *state
		old.At = s.Now.Add(-(train.StaleAfter + 1) * state.Every)
		if _, known := r.IdleNow(&old, s.Now); known && state.Every > 0 {
			t.Errorf("an old reading of %s says that it is idle or busy", state.GPU.ID())
		}
	}
	if got := r.Sum(); sum.Held != 16 || sum.Idle != 6 || got.Held != sum.Held || got.Idle != sum.Idle {
		t.Errorf("%d of %d GPUs are idle, and the report says %d of %d", sum.Idle, sum.Held, got.Idle, got.Held)
	}
}
