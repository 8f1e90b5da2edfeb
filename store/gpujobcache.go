package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
)

// jobGPUCache is the last result computed for a job's GPUs.
type jobGPUCache struct {
	job *train.Job
	// version is that of the job's measured GPUs. objects is that of the
	// others, if more is true: some GPUs are on nodes that no source measures.
	version, objects uint64
	more             bool
	states           []*train.GPUState
	pasts            []*gpus.Past // of each of states, nil where there is none

	// The fields below are computed on request; gpuShared.mu guards them.
	sum    *JobGPUs
	sparks []*madeSpark
	// sumFrom and sumUntil bound the time in which sum holds: a reading
	// becomes stale even without a new one.
	sumFrom, sumUntil time.Time
}

// GPUsOf returns the states of the GPUs that a job's pods hold, measured or
// not, in order of rank, node and index.
func (s *Snapshot) GPUsOf(job *train.Job) []*train.GPUState {
	if made := s.gpuTables().gpuCacheOf(job); made != nil {
		return made.states
	}
	return nil
}

// gpuCacheOf returns the cache of the job's GPUs for this snapshot.
func (s gpuReader) gpuCacheOf(job *train.Job) *jobGPUCache {
	if job == nil || s.gpus.shared == nil {
		return nil
	}
	known, _ := mapOf(s.gpus.jobs).Get(job.ID)
	before := s.gpus.shared.get(job.ID)
	if before != nil && before.job == job && before.version == known.version && (before.objects == s.NodesVersion || !before.more) {
		return before
	}
	made := &jobGPUCache{job: job, version: known.version, objects: s.NodesVersion}
	made.look(s.Snapshot, known.nodes)
	s.gpus.shared.put(job.ID, made)
	return made
}

// look reads the nodes that are known to have GPUs of the job, and those that
// its ranks are on.
func (m *jobGPUCache) look(s *Snapshot, nodes []string) {
	seen := make(map[string]bool, len(nodes))
	var found []heldGPU
	for _, name := range nodes {
		seen[name] = true
		found = m.lookAt(s, name, found)
	}
	for i := range m.job.Ranks {
		if name := m.job.Ranks[i].Node; !seen[name] {
			seen[name] = true
			found = m.lookAt(s, name, found)
		}
	}
	slices.SortStableFunc(found, func(a, b heldGPU) int {
		return cmp.Or(cmp.Compare(uint(a.state.Rank), uint(b.state.Rank)), cmp.Compare(a.state.GPU.Node, b.state.GPU.Node))
	})
	m.states, m.pasts = make([]*train.GPUState, len(found)), make([]*gpus.Past, len(found))
	for i := range found {
		m.states[i], m.pasts[i] = found[i].state, found[i].past
	}
}

type heldGPU struct {
	state *train.GPUState
	past  *gpus.Past
}

func (m *jobGPUCache) lookAt(s *Snapshot, name string, found []heldGPU) []heldGPU {
	node, known := mapOf(s.gpus.nodes).Get(name)
	if !known {
		m.more = true
		if node = s.gpuTables().gpuNode(name); node == nil {
			return found
		}
	}
	for i := range node.states {
		if node.meta[i].job == m.job.ID {
			found = append(found, heldGPU{&node.states[i], node.meta[i].past})
		}
	}
	return found
}

func (g *gpuShared) get(id train.JobID) *jobGPUCache {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.jobs[id]
}

// put keeps the newest cache: an older snapshot may still be in use.
func (g *gpuShared) put(id train.JobID, made *jobGPUCache) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before := g.jobs[id]; before == nil || before.version <= made.version && before.objects <= made.objects {
		g.jobs[id] = made
	}
}

func (g *gpuShared) drop(id train.JobID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.jobs, id)
}
