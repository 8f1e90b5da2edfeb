package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// gpuReader reads the tables of GPUs for the methods of a snapshot.
type gpuReader struct{ *Snapshot }

func (s *Snapshot) gpuTables() gpuReader { return gpuReader{s} }

// GPUStates returns the GPUs that sources have measured, and those known only
// from cluster objects, in order of node, index and slice.
//
// A GPU that several sources measured appears once: each quantity comes from
// the most trusted source (train.GPUSource); a source that is FallenBehind
// behind the newest of that GPU comes last. A GPU that several pods share
// appears once for each of them.
//
// It copies all of them, for commands that print them once; a screen uses
// AllGPUs.
func (s *Snapshot) GPUStates() []train.GPUState {
	all := s.AllGPUs()
	if len(all) == 0 {
		return nil
	}
	states := make([]train.GPUState, len(all))
	for i, state := range all {
		states[i] = *state
	}
	return states
}

// AllGPUs returns the states of GPUStates in the same order, without a copy.
// From the first call on the store also keeps up to date which GPUs are held
// and free on nodes without readings.
func (s *Snapshot) AllGPUs() []*train.GPUState {
	if s.gpus.shared == nil {
		return nil
	}
	s.gpus.shared.wanted.Store(true)
	s.gpus.list.once.Do(func() { s.gpus.list.all = s.gpuTables().listGPUs() })
	return s.gpus.list.all
}

func (s gpuReader) listGPUs() []*train.GPUState {
	var all []*train.GPUState
	if s.gpus.list.complete {
		count := 0
		mapOf(s.gpus.nodes).Scan(func(_ string, node *nodeGPUs) bool {
			count += len(node.states)
			return true
		})
		all = make([]*train.GPUState, 0, count)
		mapOf(s.gpus.nodes).Scan(func(_ string, node *nodeGPUs) bool {
			all = appendStates(all, node)
			return true
		})
		return all
	}
	s.eachGPUNode(func(name string) { all = append(all, s.GPUsOn(name)...) })
	mapOf(s.gpus.nodes).Scan(func(name string, node *nodeGPUs) bool {
		if s.Node(name) == nil && !hasPods(s.Snapshot, name) {
			all = appendStates(all, node)
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b *train.GPUState) int { return cmp.Compare(a.GPU.Node, b.GPU.Node) })
	return all
}

// EachMeasuredNodeGPU calls visit with each GPU of the nodes for which a source
// reports GPUs or did until lately, those included that no source measures, in
// order of node, index and slice.
func EachMeasuredNodeGPU(s *Snapshot, visit func(*train.GPUState)) {
	mapOf(s.gpus.nodes).Scan(func(_ string, node *nodeGPUs) bool {
		if node.read() {
			for i := range node.states {
				visit(&node.states[i])
			}
		}
		return true
	})
}

// EachUnmeasuredNodeHold calls visit with what pods hold of the GPUs of all
// other nodes: one state for each container, which only the objects of the
// cluster show, in no order. A state is valid until visit returns. Unlike
// AllGPUs it keeps none of them: ten thousand take 7 MB.
func EachUnmeasuredNodeHold(s *Snapshot, visit func(*train.GPUState)) {
	holders := gpuHolders{s}
	var node nodeGPUs
	s.gpuTables().eachGPUNode(func(name string) {
		if known, has := mapOf(s.gpus.nodes).Get(name); name == "" || has && known.read() {
			return
		}
		node.states = holders.heldUnmeasured(name, node.states[:0], holders.holdsOn(name))
		node.meta = slices.Grow(node.meta[:0], len(node.states))[:len(node.states)]
		s.gpuTables().joinJobs(&node)
		for i := range node.states {
			visit(&node.states[i])
		}
	})
}

// EachUnnamedHold calls visit with what pods hold of the GPUs of measured nodes
// on which no source reports who holds which GPU: one state for each container,
// which represents GPUs that are among the measured ones. A state is valid until
// visit returns.
func EachUnnamedHold(s *Snapshot, visit func(*train.GPUState)) {
	holders := gpuHolders{s}
	var held nodeGPUs
	mapOf(s.gpus.nodes).Scan(func(name string, node *nodeGPUs) bool {
		if name == "" || !node.read() || !node.unnamed() {
			return true
		}
		all := holders.heldUnmeasured(name, slices.Clip(node.states), holders.holdsOn(name))
		held.states = append(held.states[:0], all[len(node.states):]...)
		held.meta = slices.Grow(held.meta[:0], len(held.states))[:len(held.states)]
		s.gpuTables().joinJobs(&held)
		for i := range held.states {
			visit(&held.states[i])
		}
		return true
	})
}

// unnamed is true where measured GPUs of the node may be held, and none of its
// states shows by whom: those that assignHolders leaves out for them.
func (n *nodeGPUs) unnamed() (unnamed bool) {
	for i := range n.states {
		switch state := &n.states[i]; {
		case len(state.Sources) == 0 && !state.Free:
			return false
		case !state.Held() && !state.Free:
			unnamed = true
		}
	}
	return unnamed
}

// read is true where a source reports GPUs of the node, or did until lately.
func (n *nodeGPUs) read() bool { return n.measured || len(n.gone) > 0 }

func hasPods(s *Snapshot, node string) (has bool) {
	s.onNode.each(node, func(string) bool {
		has = true
		return false
	})
	return has
}

func appendStates(all []*train.GPUState, node *nodeGPUs) []*train.GPUState {
	for i := range node.states {
		all = append(all, &node.states[i])
	}
	return all
}

// GPUsOn returns the states of a node's GPUs, in order of index and slice.
func (s *Snapshot) GPUsOn(node string) []*train.GPUState {
	if n := s.gpuTables().gpuNode(node); n != nil {
		return appendStates(nil, n)
	}
	return nil
}

// gpuNode returns the GPUs of a node; without readings it derives them from
// the objects.
func (s gpuReader) gpuNode(name string) *nodeGPUs {
	if node, known := mapOf(s.gpus.nodes).Get(name); known {
		return node
	}
	if s.gpus.list != nil && s.gpus.list.complete || name == "" {
		return nil
	}
	node := &nodeGPUs{}
	holders := gpuHolders(s)
	holders.assignHolders(name, &node.states, holders.holdsOn(name))
	if len(node.states) == 0 {
		return nil
	}
	node.sort(nil)
	s.joinJobs(node)
	return node
}

// GPUState returns the state of one measured GPU, nil when nothing is known of
// it. For a GPU that several pods share without a number of their own it is
// the state of the first.
func (s *Snapshot) GPUState(id train.GPUID) *train.GPUState {
	if node := nodeWith(s, id); node != nil {
		if i := node.find(id); i >= 0 {
			return &node.states[i]
		}
	}
	return nil
}

// nodeWith returns the node on which a GPU is or was measured.
func nodeWith(s *Snapshot, id train.GPUID) *nodeGPUs {
	at, known := mapOf(s.gpus.at).Get(id)
	if !known {
		return nil
	}
	node, _ := mapOf(s.gpus.nodes).Get(at)
	return node
}

// GPUsMissing returns the GPUs of a node ("" for all nodes) that its sources
// reported within GPUHistory and report no longer, while they still report
// others on that node: GPUs that fell off the bus. Each has its last state; At
// contains its time. They are not among GPUStates. A node whose sources
// stopped reporting has none, because nothing is known there.
func (s *Snapshot) GPUsMissing(node string) (missing []*train.GPUState) {
	add := func(_ string, n *nodeGPUs) bool {
		for i := range n.gone {
			if n.gone[i].missing {
				missing = append(missing, &n.gone[i].state)
			}
		}
		return true
	}
	if node == "" {
		mapOf(s.gpus.nodes).Scan(add)
	} else if n, known := mapOf(s.gpus.nodes).Get(node); known {
		add(node, n)
	}
	return missing
}

// MeasuredNodes calls visit with each node for which a source reports GPUs, in
// order of name, and a version that changes with the GPUs and with who holds
// them, until visit returns false. Without readings it costs nothing.
func (s *Snapshot) MeasuredNodes(visit func(node string, version uint64) bool) {
	mapOf(s.gpus.nodes).Scan(func(name string, n *nodeGPUs) bool {
		return !n.read() || visit(name, n.version)
	})
}

// NodeMeasured reports whether a source reports GPUs of a node, or did until
// lately.
func NodeMeasured(s *Snapshot, node string) bool {
	known, has := mapOf(s.gpus.nodes).Get(node)
	return has && known.read()
}

// JobGPUsVersion returns a version that changes with the GPUs that a job's
// pods hold; 0 where none of them is measured.
func (s *Snapshot) JobGPUsVersion(id train.JobID) uint64 {
	job, _ := mapOf(s.gpus.jobs).Get(id)
	return job.version
}
