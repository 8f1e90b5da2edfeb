package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// Measured says everything that a source knows of the GPUs of a node, or, with
// Node "", of all it knows. It replaces what the source said of that node
// before: a GPU that is no longer among the readings is no longer there.
type Measured struct {
	Source   string
	Node     string
	Readings []train.GPUReading
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

// Recalled says what a source knows of the past of GPUs, from before this
// program ran.
type Recalled struct {
	Source string
	Past   []train.GPUPast
}

// Used says what nodes, pods and containers use beside GPUs. It replaces what
// the source said of each of them before; Complete says that those that are
// not named are no longer there.
type Used struct {
	Source   string
	Usage    []train.Usage
	Complete bool
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

func (Measured) event() {}
func (Recalled) event() {}
func (Used) event()     {}

type measuredKey struct{ source, node string }

// measure takes readings over.
func (s *Store) measure(e Measured) {
	key := measuredKey{e.Source, e.Node}
	if len(e.Readings) == 0 {
		delete(s.measured, key)
	} else {
		s.measured[key] = e.Readings
	}
	s.touched.gpus = true
}

// gpuList is the joined list of a snapshot, made when it is first asked for.
type gpuList struct {
	once sync.Once
	list []train.GPUState
}

// freezeGPUs carries the readings over to a snapshot; the caller holds the lock.
func (s *Store) freezeGPUs(next *Snapshot, changed *touched) {
	if changed.gpus {
		next.GPUsVersion++
		next.measured = maps.Clone(s.measured)
	}
	if changed.gpus || len(changed.tables) > 0 {
		next.gpus = &gpuList{}
	}
}

// GPUStates are the GPUs that sources have measured, and those that only the
// objects of the cluster tell of, in order of node, index and slice.
//
// A GPU that several sources measured is there once: for each quantity the
// source that is trusted most stands (train.GPUSource), one that has fallen
// staleAfter behind the newest of that GPU last. A board that several pods
// share is there once for each of them.
func (s *Snapshot) GPUStates() []train.GPUState {
	if s.gpus == nil {
		return nil
	}
	s.gpus.once.Do(func() { s.gpus.list = joinGPUs(s) })
	return s.gpus.list
}

// staleAfter is how far a source may fall behind another before its numbers
// are only used where nobody else has any.
const staleAfter = 5 * time.Minute

// joinGPUs makes the list: readings to GPUs, GPUs to pods, pods to jobs, and
// what the objects say beyond that.
func joinGPUs(s *Snapshot) []train.GPUState {
	all := s.readings()
	states := make([]train.GPUState, 0, len(all))
	for _, group := range groupReadings(all) {
		states = group.states(states)
	}
	states = s.giveToPods(states)
	states = append(states, s.heldUnmeasured(states)...)
	states = append(states, s.freeUnmeasured(states)...)
	s.joinJobs(states)
	slices.SortStableFunc(states, byPlace)
	return states
}

// readings are all readings with their node, in an order that does not change.
func (s *Snapshot) readings() []train.GPUReading {
	keys := slices.SortedFunc(maps.Keys(s.measured), func(a, b measuredKey) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.node, b.node))
	})
	count := 0
	for _, key := range keys {
		count += len(s.measured[key])
	}
	all := make([]train.GPUReading, 0, count)
	for _, key := range keys {
		all = append(all, s.measured[key]...)
	}
	hosts := s.hostPods(all)
	for i := range all {
		g := &all[i].GPU
		if g.Node == "" {
			g.Node = s.nodeOfGPU(g, hosts)
		}
	}
	return all
}

// hostPods finds the pods that are named like a host of a reading, and the
// node each runs on: exporters that do not know their node write the name of
// their pod.
func (s *Snapshot) hostPods(all []train.GPUReading) map[string]string {
	wanted := map[string]string{}
	for i := range all {
		if g := &all[i].GPU; g.Node == "" && g.Host != "" {
			wanted[g.Host] = ""
		}
	}
	if len(wanted) == 0 {
		return wanted
	}
	s.Objects(kinds.PodKind, "", func(o kinds.Object) bool {
		if _, isWanted := wanted[o.GetName()]; isWanted {
			if pod, isPod := o.(*corev1.Pod); isPod && pod.Spec.NodeName != "" {
				wanted[pod.Name] = pod.Spec.NodeName
			}
		}
		return true
	})
	return wanted
}

// nodeOfGPU is the node that a reading is of: the host it names when that is
// one, the node of the pod that is named like the host, the node of the pod
// that holds the GPU, or the host's name as it stands when it is no pod's.
func (s *Snapshot) nodeOfGPU(g *train.GPU, hosts map[string]string) string {
	if g.Host != "" {
		if s.Node(g.Host) != nil {
			return g.Host
		}
		if node := hosts[g.Host]; node != "" {
			return node
		}
	}
	if g.Pod != "" {
		if pod := s.Pod(g.Namespace, g.Pod); pod != nil && pod.Spec.NodeName != "" {
			return pod.Spec.NodeName
		}
	}
	if strings.Contains(g.Host, "exporter") {
		return ""
	}
	return g.Host
}

// joinJobs notes whose pods hold the GPUs.
func (s *Snapshot) joinJobs(states []train.GPUState) {
	ranks := map[train.JobID]map[string]int{}
	for i := range states {
		state := &states[i]
		state.Rank = -1
		if state.GPU.Pod == "" {
			continue
		}
		job := s.JobOf(kinds.PodKind, state.GPU.Namespace, state.GPU.Pod)
		if job == nil {
			continue
		}
		state.Job = &job.Ref
		of, made := ranks[job.ID]
		if !made {
			of = make(map[string]int, len(job.Ranks))
			for _, rank := range job.Ranks {
				of[rank.Pod] = rank.Index
			}
			ranks[job.ID] = of
		}
		if rank, found := of[state.GPU.Pod]; found {
			state.Rank = rank
		}
	}
}

// byPlace orders GPUs by node, number, slice and holder.
func byPlace(a, b train.GPUState) int {
	return cmp.Or(
		cmp.Compare(a.GPU.Node, b.GPU.Node),
		cmp.Compare(len(a.GPU.Index), len(b.GPU.Index)), cmp.Compare(a.GPU.Index, b.GPU.Index), // numbers by size
		cmp.Compare(len(a.GPU.MIG.Instance), len(b.GPU.MIG.Instance)), cmp.Compare(a.GPU.MIG.Instance, b.GPU.MIG.Instance),
		cmp.Compare(a.GPU.UUID, b.GPU.UUID), cmp.Compare(a.GPU.Share, b.GPU.Share),
		cmp.Compare(a.GPU.Namespace, b.GPU.Namespace), cmp.Compare(a.GPU.Pod, b.GPU.Pod), cmp.Compare(a.GPU.Container, b.GPU.Container),
	)
}
