package store

import (
	"sync"
	"sync/atomic"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
)

// gpuTables are the GPUs of a snapshot.
type gpuTables struct {
	// nodes are the nodes with readings, and, once all GPUs were requested,
	// those known only from objects too.
	nodes tree[string, *nodeGPUs]
	// at is the node of each GPU that is or was measured.
	at tree[train.GPUID, string]
	// jobs are the jobs whose pods hold GPUs of nodes.
	jobs tree[train.JobID, gpuJob]
	list *gpuList
	// shared is what all snapshots of a store share.
	shared *gpuShared
}

// nodeGPUs are the GPUs of a node. It never changes.
type nodeGPUs struct {
	version uint64
	// measured is true when a source reported one of them.
	measured bool
	states   []train.GPUState
	// meta holds what belongs to each of states.
	meta []gpuMeta
	gone []goneGPU
	// byID finds states by GPU where there are many.
	byID map[train.GPUID]int
}

// gpuMeta holds what is known besides the state of a GPU.
type gpuMeta struct {
	id   train.GPUID
	job  train.JobID // "" for none
	past *gpus.Past  // nil for what was not measured
}

// goneGPU is a GPU that was measured on a node and is no longer, as it was
// last joined.
type goneGPU struct {
	id    train.GPUID
	state train.GPUState
	past  *gpus.Past
	// missing is true when sources still reported others on the node.
	missing bool
}

// gpuJob lists the nodes on which a job's pods hold GPUs that a snapshot
// contains.
type gpuJob struct {
	nodes   []string // in order
	version uint64
}

// gpuShared is what all snapshots of a store share.
type gpuShared struct {
	// wanted is true once all GPUs were requested: from then on GPUs known
	// only from objects are kept up to date as well.
	wanted atomic.Bool

	mu   sync.Mutex
	jobs map[train.JobID]*jobGPUCache
}

// gpuList is the list of all GPUs, built on first request.
type gpuList struct {
	once sync.Once
	// complete is true when nodes holds everything to list.
	complete bool
	all      []*train.GPUState
}

// find returns the index of a GPU among the states, -1 when it is not there.
func (n *nodeGPUs) find(id train.GPUID) int {
	if n.byID != nil {
		if i, found := n.byID[id]; found {
			return i
		}
		return -1
	}
	for i := range n.meta {
		if n.meta[i].id == id {
			return i
		}
	}
	return -1
}

// fewGPUs is the number of GPUs up to which find scans them.
const fewGPUs = 32

func (n *nodeGPUs) index() {
	if len(n.meta) <= fewGPUs {
		return
	}
	n.byID = make(map[train.GPUID]int, len(n.meta))
	for i := range n.meta {
		if id := n.meta[i].id; id != "" {
			if _, has := n.byID[id]; !has {
				n.byID[id] = i
			}
		}
	}
}

// past returns the history of a GPU that is or was on the node; nil for none.
func (n *nodeGPUs) past(id train.GPUID) *gpus.Past {
	if i := n.find(id); i >= 0 {
		return n.meta[i].past
	}
	for i := range n.gone {
		if n.gone[i].id == id {
			return n.gone[i].past
		}
	}
	return nil
}
