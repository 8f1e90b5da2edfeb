package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var measuredAt = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// reading returns a source's reading of a GPU; "use" and "temp" may follow.
func reading(source train.GPUSource, g train.GPU, values ...float64) train.GPUReading {
	r := train.GPUReading{GPU: g, Source: source, At: measuredAt}
	for i, q := range []train.Quantity{train.GPUUtilization, train.GPUTemperature} {
		if i < len(values) {
			r.Values.Set(q, values[i])
		}
	}
	return r
}

func gpuLines(s *Snapshot) string {
	var lines []string
	for _, state := range s.GPUStates() {
		line := fmt.Sprintf("%s/%s", state.GPU.Node, state.GPU.Index)
		if state.GPU.Pod != "" {
			line += " " + state.GPU.Namespace + "/" + state.GPU.Pod
		}
		if use, known := state.Values.Get(train.GPUUtilization); known {
			line += fmt.Sprintf(" use=%g", use)
		}
		if temp, known := state.Values.Get(train.GPUTemperature); known {
			line += fmt.Sprintf(" temp=%g", temp)
		}
		if len(state.Sources) == 0 {
			line += fmt.Sprintf(" x%d", state.Count)
		}
		if state.Free {
			line += " free"
		}
		if state.Job != nil {
			line += fmt.Sprintf(" %s rank %d", state.Job.Name, state.Rank)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func wantGPUs(t *testing.T, s *Snapshot, want ...string) {
	t.Helper()
	if got := gpuLines(s); got != strings.Join(want, "; ") {
		t.Errorf("GPUs are\n%s\nwant\n%s", got, strings.Join(want, "; "))
	}
}

func TestSourcesOfOneGPUAreNeverAddedUp(t *testing.T) {
	s := newStore()
	g := train.GPU{Node: "n0", Index: "0", UUID: "GPU-11111111-0000"}
	inPod := train.GPU{Node: "n0", Index: "3", UUID: "GPU-11111111-0000"} // renumbered inside a pod
	s.Apply(
		Measured{Source: "smi", Node: "n0", Readings: []train.GPUReading{reading(train.FromTool, inPod, 55, 70)}},
		Measured{Source: "dcgm", Node: "n0", Readings: []train.GPUReading{reading(train.FromDCGM, g, 50)}},
	)
	wantGPUs(t, s.Snapshot(), "n0/0 use=50 temp=70")
	if got := s.Snapshot().GPUStates()[0].Sources; len(got) != 2 || got[0] != train.FromDCGM {
		t.Errorf("sources are %v", got)
	}
}

// A source that stopped minutes ago does not hide one that continues.
func TestAStaleSourceComesLast(t *testing.T) {
	s := newStore()
	g := train.GPU{Node: "n0", Index: "0", UUID: "GPU-11111111-0000"}
	old := reading(train.FromDCGM, g, 50, 60)
	old.At = measuredAt.Add(-gpus.FallenBehind - time.Second)
	fresh := reading(train.FromPrometheus, g, 7)
	s.Apply(Measured{Source: "dcgm", Node: "n0", Readings: []train.GPUReading{old}}, Measured{Source: "prometheus", Readings: []train.GPUReading{fresh}})
	wantGPUs(t, s.Snapshot(), "n0/0 use=7 temp=60")
}

func TestAGPUWithoutNewReadingsIsGone(t *testing.T) {
	s := newStore()
	both := []train.GPUReading{reading(train.FromDCGM, train.GPU{Node: "n0", Index: "0"}, 1), reading(train.FromDCGM, train.GPU{Node: "n0", Index: "1"}, 2)}
	s.Apply(Measured{Source: "dcgm", Node: "n0", Readings: both})
	before := s.Snapshot()
	s.Apply(Measured{Source: "dcgm", Node: "n0", Readings: both[:1]})
	after := s.Snapshot()
	wantGPUs(t, before, "n0/0 use=1", "n0/1 use=2")
	wantGPUs(t, after, "n0/0 use=1")
	if before.GPUsVersion == after.GPUsVersion {
		t.Error("the version did not change")
	}
	s.Apply(Measured{Source: "dcgm", Node: "n0"})
	wantGPUs(t, s.Snapshot())
}

// Masked UUIDs and machines without a name must not merge several GPUs into
// one.
func TestWhatDoesNotTellGPUsApart(t *testing.T) {
	s := newStore()
	s.Apply(
		Measured{Source: "a.txt", Readings: []train.GPUReading{reading(train.FromTool, train.GPU{Index: "0", UUID: "GPU-********"}, 1)}},
		Measured{Source: "b.txt", Readings: []train.GPUReading{reading(train.FromTool, train.GPU{Index: "0", UUID: "GPU-00000000-0000-0000-0000-000000000000"}, 2)}},
		Measured{Source: "c.txt", Readings: []train.GPUReading{reading(train.FromTool, train.GPU{Index: "0", UUID: "N/A"}, 3)}},
	)
	if got := len(s.Snapshot().GPUStates()); got != 3 {
		t.Errorf("%d GPUs, want 3: %s", got, gpuLines(s.Snapshot()))
	}
}

func TestASharedBoardIsThereForEachPod(t *testing.T) {
	s := newStore()
	g := train.GPU{Node: "n0", Index: "0", UUID: "GPU-11111111-0000", Namespace: "ml"}
	a, b, tool := g, g, g
	a.Pod, a.Share, b.Pod, b.Share, tool.Namespace = "a", "0", "b", "1", ""
	s.Apply(
		Measured{Source: "dcgm", Node: "n0", Readings: []train.GPUReading{reading(train.FromDCGM, a, 40), reading(train.FromDCGM, b, 50)}},
		Measured{Source: "smi", Node: "n0", Readings: []train.GPUReading{reading(train.FromTool, tool, 90, 66)}},
	)
	wantGPUs(t, s.Snapshot(), "n0/0 ml/a use=40 temp=66", "n0/0 ml/b use=50 temp=66")
}

// TestAFormerHolderIsNoSecondGPU: series of a pod that ended stay for minutes in a store of
// metrics, beside those of the pod that holds the GPU now.
func TestAFormerHolderIsNoSecondGPU(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	now := worker(job, 0, "n0")
	g := train.GPU{Node: "n0", Index: "0", UUID: "GPU-11111111-0000", Namespace: "ml", Pod: now.Name}
	former := g
	former.Pod = "gone-master-0"
	measured := Measured{Source: "prometheus", Readings: []train.GPUReading{reading(train.FromPrometheus, former, 40), reading(train.FromPrometheus, g, 50)}}
	s.Apply(setJob(job), setPod(now), setNode(gpuNode("n0", 8)), measured)
	both := []string{"n0/ ml/bert-worker-0 x7 bert rank 1", "n0/0 ml/bert-worker-0 use=50 bert rank 1", "n0/0 ml/gone-master-0 use=40"}
	wantGPUs(t, s.Snapshot(), both...) // not all pods are known
	s.Apply(Listed{Kind: kinds.PodKind, Objects: []kinds.Object{now}})
	wantGPUs(t, s.Snapshot(), both[:2]...)
	ended := worker(job, 1, "n0")
	ended.Name, ended.Status.Phase = former.Pod, corev1.PodSucceeded
	running := ended.DeepCopy()
	running.Status.Phase = corev1.PodRunning
	s.Apply(setPod(running))
	wantShared := gpuLines(s.Snapshot())
	if !strings.Contains(wantShared, "n0/0 ml/gone-master-0") {
		t.Errorf("a pod that runs shares the GPU: %s", wantShared)
	}
	s.Apply(setPod(ended))
	wantGPUs(t, s.Snapshot(), both[:2]...)
}

func TestGPUsAreJoinedWithPodsAndRanks(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	s.Apply(setJob(job), setPod(worker(job, -1, "n0")), setPod(worker(job, 0, "n1")), setNode(gpuNode("n0", 8)), setNode(gpuNode("n1", 8)))
	// nothing measured: who holds how many is known nevertheless
	wantGPUs(t, s.Snapshot(), "n0/ ml/bert-master-0 x8 bert rank 0", "n1/ ml/bert-worker-0 x8 bert rank 1")

	exporter := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "gpu-operator", Name: "dcgm-exporter-x"}, Spec: corev1.PodSpec{NodeName: "n1"}}
	s.Apply(setPod(exporter), Measured{Source: "dcgm", Readings: []train.GPUReading{
		reading(train.FromDCGM, train.GPU{Host: "dcgm-exporter-x", Index: "0", Namespace: "ml", Pod: "bert-worker-0"}, 97),
	}})
	wantGPUs(t, s.Snapshot(), "n0/ ml/bert-master-0 x8 bert rank 0", "n1/ ml/bert-worker-0 x7 bert rank 1", "n1/0 ml/bert-worker-0 use=97 bert rank 1")
}

// A full domain name is that of the node whose name it begins with.
func TestAFullDomainNameIsItsNode(t *testing.T) {
	s := newStore()
	s.Apply(setNode(gpuNode("n0", 2)), Listed{Kind: kinds.PodKind}, Measured{Source: "prometheus", Readings: []train.GPUReading{
		reading(train.FromDCGM, train.GPU{Host: "n0.gpu.example.com", Index: "0"}, 97),
		reading(train.FromDCGM, train.GPU{Host: "other.gpu.example.com", Index: "0"}, 5),
		reading(train.FromDCGM, train.GPU{Host: "10.0.0.7", Index: "0"}, 6),
	}})
	wantGPUs(t, s.Snapshot(), "10.0.0.7/0 use=6", "n0/ x1 free", "n0/0 use=97 free", "other.gpu.example.com/0 use=5")
}

// A tool knows no pods; where one container holds all GPUs of the node, the
// GPUs belong to it.
func TestOneHolderOfAllGPUs(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	s.Apply(setJob(job), setPod(worker(job, 0, "n1")), setNode(gpuNode("n1", 8)))
	var all []train.GPUReading
	for i := range 8 {
		all = append(all, reading(train.FromTool, train.GPU{Node: "n1", Index: fmt.Sprint(i)}, float64(i)))
	}
	s.Apply(Measured{Source: "smi", Node: "n1", Readings: all})
	states := s.Snapshot().GPUStates()
	if len(states) != 8 || states[7].GPU.Pod != "bert-worker-0" || states[7].GPU.Index != "7" {
		t.Errorf("%s", gpuLines(s.Snapshot()))
	}
}

// GPUs are reported as free only when all pods are known.
func TestFreeGPUs(t *testing.T) {
	s := newStore()
	s.Apply(setNode(gpuNode("n0", 8)))
	wantGPUs(t, s.Snapshot())
	s.Apply(Listed{Kind: kinds.PodKind})
	wantGPUs(t, s.Snapshot(), "n0/ x8 free")
	s.Apply(Measured{Source: "smi", Node: "n0", Readings: []train.GPUReading{reading(train.FromTool, train.GPU{Node: "n0", Index: "0"}, 0)}})
	wantGPUs(t, s.Snapshot(), "n0/ x7 free", "n0/0 use=0 free")
}

func BenchmarkGPUStates(b *testing.B) {
	s := newStore()
	for node := range 1024 {
		var all []train.GPUReading
		for gpu := range 8 {
			all = append(all, reading(train.FromDCGM, train.GPU{
				Node: fmt.Sprintf("n%d", node), Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%08d-%04d", node, gpu),
				Namespace: "ml", Pod: fmt.Sprintf("w-%d", node),
			}, 97, 60))
		}
		s.Apply(Measured{Source: "dcgm", Node: fmt.Sprintf("n%d", node), Readings: all})
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Apply(Measured{Source: "one", Node: "n0"})
		if got := len(s.Snapshot().GPUStates()); got != 8192 {
			b.Fatal(got)
		}
	}
}

// A reading names the pod that held the GPU when it was taken. Once that pod
// is gone, its GPU is one of the free ones, and none is added for it.
func TestAReadingOfAPodThatIsGoneTakesNoFreeGPU(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	pod := worker(job, 0, "n1")
	s.Apply(Listed{Kind: kinds.PodKind}, setJob(job), setPod(pod), setNode(gpuNode("n1", 8)))
	var all []train.GPUReading
	for i := range 8 {
		all = append(all, reading(train.FromDCGM, train.GPU{Node: "n1", Index: fmt.Sprint(i), Namespace: "ml", Pod: pod.Name}, 97))
	}
	s.Apply(Measured{Source: "dcgm", Node: "n1", Readings: all}, Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name})
	if states := s.Snapshot().GPUStates(); len(states) != 8 {
		t.Errorf("a node of 8 GPUs has %d: %s", len(states), gpuLines(s.Snapshot()))
	}
}

// Where a source names no pods, the GPUs that several pods hold are those that it
// measured, and belong to the one job that holds all of them.
func TestGPUsWithoutPodsBelongToTheJobThatHoldsAll(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 2)
	first, second := worker(job, 0, "n1"), worker(job, 1, "n1")
	for _, pod := range []*corev1.Pod{first, second} {
		pod.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"] = resource.MustParse("2")
	}
	s.Apply(Listed{Kind: kinds.PodKind}, setJob(job), setPod(first), setPod(second), setNode(gpuNode("n1", 4)))
	all := make([]train.GPUReading, 4)
	for i := range all {
		all[i] = reading(train.FromDCGM, train.GPU{Node: "n1", Index: fmt.Sprint(i)}, float64(10*i))
	}
	s.Apply(Measured{Source: "dcgm", Node: "n1", Readings: all})
	wantGPUs(t, s.Snapshot(), "n1/0 use=0 bert rank -1", "n1/1 use=10 bert rank -1", "n1/2 use=20 bert rank -1", "n1/3 use=30 bert rank -1")
	sum := s.Snapshot().JobGPUs(s.Snapshot().Jobs()[0])
	if sum == nil || sum.Wanted != 4 || sum.Measured != 4 || sum.Mean.Value != 15 {
		t.Errorf("the job's GPUs are %+v", sum)
	}

	other := pyTorchJob("ml", "t5", "u2", 1)
	of := worker(other, 0, "n1")
	of.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"] = resource.MustParse("2")
	s.Apply(setJob(other), Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: second.Name}, setPod(of))
	wantGPUs(t, s.Snapshot(), "n1/0 use=0", "n1/1 use=10", "n1/2 use=20", "n1/3 use=30") // of two jobs it is not known whose
}

// Machines that were cloned, and simulated GPUs, repeat UUIDs: no GPU is lost,
// and a board that moved is one GPU.
func TestAUUIDOnTwoNodes(t *testing.T) {
	a, b := train.GPU{Node: "n0", Index: "0", UUID: "GPU-11111111-0000"}, train.GPU{Node: "n1", Index: "0", UUID: "GPU-11111111-0000"}
	measured := func(source string, kind train.GPUSource, g train.GPU, use float64) Measured {
		return Measured{Source: source, Node: g.Node, Readings: []train.GPUReading{reading(kind, g, use)}}
	}
	nodes := []Event{setNode(gpuNode("n0", 1)), setNode(gpuNode("n1", 1))}
	alias, domain, behind := a, a, measured("dcgm", train.FromDCGM, b, 7)
	alias.Node, domain.Node = "gpu-host-17", "n0.example.com"
	behind.Readings[0].At = measuredAt.Add(-gpus.FallenBehind - time.Second)
	for _, c := range []struct {
		name   string
		events []Event
		want   []string
	}{
		{"nodes", append(nodes, measured("dcgm", train.FromDCGM, a, 5), measured("dcgm", train.FromDCGM, b, 6)), []string{"n0/0 use=5", "n1/0 use=6"}},
		{"names alone", []Event{measured("a", train.FromDCGM, a, 5), measured("b", train.FromDCGM, b, 6)}, []string{"n0/0 use=5", "n1/0 use=6"}},
		{"a source of all nodes too", append(nodes, measured("dcgm", train.FromDCGM, a, 5), measured("dcgm", train.FromDCGM, b, 6),
			Measured{Source: "prometheus", Readings: []train.GPUReading{reading(train.FromPrometheus, a, 1, 60), reading(train.FromPrometheus, b, 2, 70)}}),
			[]string{"n0/0 use=5 temp=60", "n1/0 use=6 temp=70"}},
		{"another name of a node", append(nodes[:1:1], measured("dcgm", train.FromDCGM, a, 5), measured("smi", train.FromTool, alias, 6)), []string{"n0/0 use=5"}},
		{"names of two kinds of sources", []Event{measured("dcgm", train.FromDCGM, a, 5), measured("smi", train.FromTool, alias, 6)}, []string{"n0/0 use=5"}},
		{"a full domain name", []Event{measured("a", train.FromDCGM, a, 5), measured("b", train.FromDCGM, domain, 6)}, []string{"n0/0 use=5"}},
		{"moved a while ago", append(nodes, measured("dcgm", train.FromDCGM, a, 5), behind), []string{"n0/0 use=5"}},
		{"moved", append(nodes, measured("dcgm", train.FromDCGM, a, 5), measured("dcgm", train.FromDCGM, b, 6), Measured{Source: "dcgm", Node: "n0"}), []string{"n1/0 use=6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore()
			s.Apply(c.events...)
			var measuredGPUs []string
			ids := map[train.GPUID]bool{}
			for _, line := range strings.Split(gpuLines(s.Snapshot()), "; ") {
				if strings.Contains(line, "use=") {
					measuredGPUs = append(measuredGPUs, strings.TrimSuffix(line, " free"))
				}
			}
			for _, state := range s.Snapshot().GPUStates() {
				if ids[state.GPU.ID()] && len(state.Sources) > 0 {
					t.Errorf("two GPUs have the identity %s", state.GPU.ID())
				}
				ids[state.GPU.ID()] = true
			}
			if got, want := strings.Join(measuredGPUs, "; "), strings.Join(c.want, "; "); got != want {
				t.Errorf("GPUs are\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// More nodes than are compared each keep their GPUs.
func TestAUUIDOnManyNodes(t *testing.T) {
	s := newStore()
	for i := range 40 {
		g := train.GPU{Node: fmt.Sprintf("n%02d", i), Index: "0", UUID: "GPU-11111111-0000"}
		s.Apply(Measured{Source: "dcgm", Node: g.Node, Readings: []train.GPUReading{reading(train.FromDCGM, g, float64(i))}})
	}
	if got := len(s.Snapshot().GPUStates()); got != 40 {
		t.Errorf("%d GPUs, want 40: %s", got, gpuLines(s.Snapshot()))
	}
}
