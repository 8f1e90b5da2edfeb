package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// gpuWorld is a small cluster that changes at random.
type gpuWorld struct {
	random *rand.Rand
	// objects and words are the current events, by name.
	objects map[string]Event
	words   map[[2]string]Event
}

func newGPUWorld(seed uint64) *gpuWorld {
	return &gpuWorld{random: rand.New(rand.NewPCG(seed, 7)), objects: map[string]Event{}, words: map[[2]string]Event{}}
}

func (w *gpuWorld) one(of ...string) string { return of[w.random.IntN(len(of))] }

// change returns one random event and keeps what is current after it.
func (w *gpuWorld) change() Event {
	switch w.random.IntN(6) {
	case 0:
		return w.object("node "+w.one("n0", "n1", "n2"), func(name string) (Event, Event) {
			return setNode(gpuNode(name, 4)), Deleted{Kind: kinds.NodeKind, Name: name}
		})
	case 1:
		return w.object("job "+w.one("a", "b"), func(name string) (Event, Event) {
			return setJob(pyTorchJob("ml", name, "uid-"+name, 1+w.random.IntN(2))), Deleted{Kind: pyTorchKind, Namespace: "ml", Name: name}
		})
	case 2, 3:
		name := w.one("a", "b")
		job := pyTorchJob("ml", name, "uid-"+name, 2)
		pod := worker(job, w.random.IntN(3)-1, w.one("n0", "n1", "n2", ""))
		if w.random.IntN(4) == 0 {
			pod.Status.Phase = corev1.PodSucceeded
		}
		return w.object("pod "+pod.Name, func(string) (Event, Event) {
			return setPod(pod), Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name}
		})
	}
	return w.word()
}

func (w *gpuWorld) object(key string, make func(name string) (set, deleted Event)) Event {
	_, name, _ := strings.Cut(key, " ")
	set, deleted := make(name)
	if w.random.IntN(4) == 0 {
		delete(w.objects, key)
		return deleted
	}
	w.objects[key] = set
	return set
}

// word returns an event of one of some sources: of a node or of all, with
// names of nodes or of exporters' pods or none, with pods or without.
func (w *gpuWorld) word() Event {
	e := Measured{Source: w.one("dcgm", "prometheus", "smi"), Node: w.one("n0", "n1", "")}
	kind := map[string]train.GPUSource{"dcgm": train.FromDCGM, "prometheus": train.FromPrometheus, "smi": train.FromTool}[e.Source]
	for range w.random.IntN(6) {
		g := train.GPU{Node: e.Node, Index: fmt.Sprint(w.random.IntN(4))}
		if e.Node == "" {
			g.Node, g.Host = w.one("n0", "n2", ""), w.one("n1", "a-worker-0", "dcgm-exporter-x", "")
		}
		if w.random.IntN(3) > 0 {
			g.UUID = fmt.Sprintf("GPU-%d1111111", w.random.IntN(8))
		}
		if w.random.IntN(2) > 0 {
			g.Namespace, g.Pod = "ml", w.one("a-worker-0", "a-worker-1", "b-master-0", "gone")
		}
		if w.random.IntN(5) == 0 {
			g.MIG.Instance = w.one("1", "2")
		}
		r := reading(kind, g, float64(w.random.IntN(100)), 50)
		if w.random.IntN(6) == 0 {
			r.At = measuredAt.Add(-gpus.FallenBehind - time.Minute)
		}
		e.Readings = append(e.Readings, r)
	}
	w.words[[2]string{e.Source, e.Node}] = e
	return e
}

// fresh returns a store to which only the current events were applied, at
// once.
func (w *gpuWorld) fresh() *Store {
	s := newStore()
	s.Apply(Listed{Kind: kinds.PodKind}, Listed{Kind: pyTorchKind}, Listed{Kind: kinds.NodeKind})
	for _, e := range w.objects {
		s.Apply(e)
	}
	for _, e := range w.words {
		s.Apply(e)
	}
	return s
}

// describe returns all that a snapshot contains of GPUs, except their history.
func describe(s *Snapshot) string {
	var lines []string
	for _, state := range s.AllGPUs() {
		use, _ := state.Values.Get(train.GPUUtilization)
		job := ""
		if state.Job != nil {
			job = state.Job.Name
		}
		lines = append(lines, fmt.Sprintf("%+v use %g at %s by %v: %s rank %d, %d free %t", state.GPU, use, state.At, state.Sources, job, state.Rank, state.Count, state.Free))
	}
	for _, job := range s.Jobs() {
		lines = append(lines, fmt.Sprintf("%s holds %d: %+v", job.Ref.Name, len(s.GPUsOf(job)), s.JobGPUs(job)))
	}
	for _, node := range s.Nodes() {
		lines = append(lines, fmt.Sprintf("%s has %d", node.Name, len(s.GPUsOn(node.Name))))
	}
	return strings.Join(lines, "\n")
}

// describeHeld returns what pods hold, read without the list of all GPUs.
func describeHeld(s *Snapshot) string {
	var held []*train.GPUState
	note := func(state *train.GPUState) {
		kept := *state // an unmeasured one is valid only now
		held = append(held, &kept)
	}
	EachMeasuredNodeGPU(s, note)
	EachUnmeasuredNodeHold(s, note)
	return heldOf(held)
}

// heldOf adds up what containers hold, measured and not.
func heldOf(states []*train.GPUState) string {
	count := map[string]int{}
	for _, state := range states {
		if state.GPU.Pod == "" {
			continue
		}
		job := ""
		if state.Job != nil {
			job = state.Job.Name
		}
		count[fmt.Sprintf("%s %s/%s/%s of %q rank %d by %v", state.GPU.Node, state.GPU.Namespace, state.GPU.Pod, state.GPU.Container, job, state.Rank, state.Sources)] += state.Count
	}
	var lines []string
	for _, held := range slices.Sorted(maps.Keys(count)) {
		lines = append(lines, fmt.Sprintf("%s: %d", held, count[held]))
	}
	return strings.Join(lines, "\n")
}

// In whatever order events arrive and snapshots are taken, the GPUs are the
// same as if the current events had been applied at once.
func TestGPUsAreAsIfHeardAtOnce(t *testing.T) {
	for seed := range uint64(100) {
		w, s := newGPUWorld(seed), newStore()
		s.Apply(Listed{Kind: kinds.PodKind}, Listed{Kind: pyTorchKind}, Listed{Kind: kinds.NodeKind})
		for step := range 60 {
			s.Apply(w.change())
			if w.random.IntN(3) > 0 {
				continue
			}
			snapshot := s.Snapshot()
			if seed%2 == 0 {
				snapshot.AllGPUs()
			}
			if visited, listed := describeHeld(snapshot), heldOf(w.fresh().Snapshot().AllGPUs()); step%10 == 0 && visited != listed {
				t.Fatalf("seed %d, step %d: held are, one by one,\n%s\nand in the list of all\n%s", seed, step, visited, listed)
			}
			for _, job := range snapshot.Jobs() {
				if measured, sum := snapshot.JobMeasured(job.ID), snapshot.JobGPUs(job); measured != (sum != nil) {
					t.Fatalf("seed %d, step %d: %s is measured: %t, and its summary is %+v", seed, step, job.Ref.Name, measured, sum)
				}
			}
			if step%10 == 0 {
				if diff := cmp.Diff(strings.Split(describe(w.fresh().Snapshot()), "\n"), strings.Split(describe(snapshot), "\n")); diff != "" {
					t.Fatalf("seed %d, step %d: at once (-), step by step (+)\n%s", seed, step, diff)
				}
			}
		}
	}
}

// Readers of old snapshots see the same data while events arrive. Run with
// -race.
func TestOldPicturesOfGPUsDoNotChange(t *testing.T) {
	c := newGPUClock()
	job := pyTorchJob("ml", "bert", "u1", 1)
	c.Apply(setJob(job), setPod(worker(job, 0, "n0")), setNode(gpuNode("n0", 8)))
	var wait sync.WaitGroup
	tell := func(s *Snapshot) string {
		text := describe(s)
		for i := range 8 {
			text += fmt.Sprint(pastLine(s.GPUPast(boardID(i), train.GPUUtilization)), len(s.GPUChanges(boardID(i))), "\n")
		}
		for _, state := range s.GPUsMissing("") {
			text += fmt.Sprint(state.GPU, state.At, "\n")
		}
		means := make([]float32, 4)
		if of := s.JobOf(kinds.PodKind, "ml", "bert-worker-0"); of != nil {
			s.JobSpark(of, train.GPUUtilization, means, nil, measuredAt, time.Minute)
		}
		return text + fmt.Sprint(means, usageLine(s.NodeUsage("n0")))
	}
	for i := range 150 {
		c.Apply(Used{Source: "prometheus", Every: everyNode, Usage: []train.Usage{used(UsageOf{Node: "n0"}, c.now, usages{train.UsedCPU: float64(i)})}})
		c.Apply(Backfilled{Source: "prometheus", Past: []train.GPUPast{{GPU: board(i % 8), Quantity: train.GPUUtilization, Points: []train.Point{{At: c.now.Add(-time.Duration(i) * time.Second), Value: 3}}}}})
		boards := []int{0, 1, 2, 3, 4, 5, 6, 7}
		s := c.says("a", float64(i), slices.Delete(boards, i/20, i/20+1)...)
		want := tell(s)
		wait.Go(func() {
			for range 3 {
				if got := tell(s); got != want {
					t.Errorf("picture %d was\n%s\nand is\n%s", i, want, got)
					return
				}
				runtime.Gosched()
			}
		})
		c.pass(everyNode)
	}
	wait.Wait()
}

// An hour of 8,192 GPUs at 15 s uses less than 100 MB in all, its history less
// than 48.
func TestSlowMemoryOfAnHourOfGPUs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const part = 8 // of them, so that the test does not take long
	c := newGPUCluster(1024 / part)
	c.store.Snapshot()
	before := heapInUse()
	for range 241 {
		c.now = c.now.Add(everyNode)
		c.scrapeAll()
	}
	c.store.Snapshot().AllGPUs()
	grown := heapInUse() - before
	t.Logf("%.1f MB more, of which the past has %.1f", float64(part*grown)/1e6, float64(part*c.store.gpus.Size().HistoryBytes)/1e6)
	if points := c.store.last.GPUPast("GPU-00000001-0000", train.GPUPower); len(points) != 241 {
		t.Errorf("%d points are kept", len(points))
	}
	if grown > 100_000_000/part || c.store.gpus.Size().HistoryBytes > gpus.MaxHistoryBytes/part {
		t.Errorf("an hour takes %d bytes, of which the past has %d", grown, c.store.gpus.Size().HistoryBytes)
	}
	runtime.KeepAlive(c)
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
