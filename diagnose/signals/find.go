package signals

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// recheckInterval is the interval at which nodes and jobs are examined although none of
// their numbers changed: time itself makes GPUs idle, stale and missing.
const recheckInterval = 10 * time.Second

// found is what one report passes on to the next.
type found struct {
	at     time.Time
	limits Thresholds
	byNode map[string]*nodeFound
	byJob  map[train.JobID]*jobFound
	// measured are the jobs of all nodes, each once.
	measured []train.JobID
}

// nodeFound holds the signals of a node, and what they were found from.
type nodeFound struct {
	version uint64 // of its GPUs and of who holds them
	of      *train.Node
	usage   *train.Usage
	looked  time.Time
	notes   []observation
	signals []Signal // of the node and its GPUs
	jobs    []train.JobID
	sum     Sum
}

// jobFound holds the same for a job.
type jobFound struct {
	of      *train.Job
	version uint64 // of its GPUs
	looked  time.Time
	notes   []observation
	own     []Signal // of the rules of jobs
	list    []Signal // of everything, as Report.Job gives it
}

// Find examines a snapshot. before is the report of an earlier one, or nil:
// nodes and jobs whose numbers have not changed since are reused, and examined
// again after some seconds.
func Find(s *store.Snapshot, limits Thresholds, before *Report) *Report {
	f := &finder{s: s, limits: limits, rules: table(), dirty: map[train.JobID]bool{}}
	if before == nil || before.at.After(s.Now) || !before.limits.equal(limits) {
		before = &Report{}
	}
	f.before = before
	f.r = &Report{found: found{at: s.Now, limits: limits, byNode: make(map[string]*nodeFound, len(before.byNode)), byJob: make(map[train.JobID]*jobFound, len(before.byJob))}}
	f.nodes()
	f.jobs()
	f.collect()
	f.r.version = before.version
	if f.changed || f.fewer() {
		f.r.version++
	}
	return f.r
}

// fewer reports whether a node or a job with signals is gone.
func (f *finder) fewer() bool {
	for name, old := range f.before.byNode {
		if f.r.byNode[name] == nil && len(old.signals) > 0 {
			return true
		}
	}
	for id, old := range f.before.byJob {
		if f.r.byJob[id] == nil && len(old.list)+len(old.own) > 0 {
			return true
		}
	}
	return false
}

// finder is one run of Find.
type finder struct {
	s       *store.Snapshot
	limits  Thresholds
	rules   []rule
	before  *Report
	r       *Report
	dirty   map[train.JobID]bool // jobs of nodes whose signals differ
	changed bool                 // whether a signal differs from before
	moved   bool                 // whether a node is new, or has GPUs of other jobs than before
}

// nodes examines all nodes whose GPUs are or were measured.
func (f *finder) nodes() {
	f.s.MeasuredNodes(func(name string, version uint64) bool {
		f.node(name, version)
		return true
	})
}

// node examines one node, unless nothing changed there.
func (f *finder) node(name string, version uint64) {
	of, usage, old := f.s.Node(name), f.s.NodeUsage(name), f.before.byNode[name]
	if old != nil && old.version == version && old.of == of && old.usage == usage && f.s.Now.Sub(old.looked) < recheckInterval {
		f.r.byNode[name] = old
		return
	}
	if old == nil {
		old, f.moved = &nodeFound{}, true
	}
	n := &node{scene: f.scene(old.notes), name: name, of: of, missing: f.s.GPUsMissing(name)}
	states := f.s.GPUsOn(name)
	n.gpus = f.gpusOn(n, states)
	now := &nodeFound{version: version, of: of, usage: usage, looked: f.s.Now, signals: f.lookAtNode(n), jobs: jobsOf(states, n.missing)}
	now.notes, now.sum = n.memory.now, sumOf(n)
	f.r.byNode[name] = now
	f.moved = f.moved || !slices.Equal(old.jobs, now.jobs)
	if !equalSignals(old.signals, now.signals) {
		f.changed = true
		for _, ids := range [...][]train.JobID{old.jobs, now.jobs} {
			for _, id := range ids {
				f.dirty[id] = true
			}
		}
	}
}

// jobsOf returns the jobs that hold or held GPUs, each once.
func jobsOf(states ...[]*train.GPUState) []train.JobID {
	var ids []train.JobID
	var last *train.Ref
	for _, states := range states {
		for _, state := range states {
			if state.Job == nil || state.Job == last {
				continue
			}
			last = state.Job
			if id := last.JobID(); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// gpusOn returns the GPUs of a node that were measured.
func (f *finder) gpusOn(n *node, states []*train.GPUState) []gpu {
	gpus := make([]gpu, 0, len(states))
	var ref *train.Ref
	var of *train.Job
	for _, state := range states {
		if len(state.Sources) == 0 {
			continue
		}
		if state.Job != ref {
			if ref, of = state.Job, nil; ref != nil {
				of = f.s.Job(ref.JobID())
			}
		}
		gpus = append(gpus, gpuOf(n.scene, state, of))
	}
	return gpus
}

// scene starts an examination with the notes of the last one.
func (f *finder) scene(noticed []observation) *scene {
	return &scene{now: f.s.Now, limits: f.limits, past: f.s, memory: &observations{before: noticed}}
}

func gpuOf(scene *scene, state *train.GPUState, of *train.Job) gpu {
	g := gpu{GPUState: state, scene: scene, id: state.GPU.ID(), job: of}
	if of != nil {
		g.rank = rankAt(of, state.Rank)
		g.held = beganAt(g.rank)
	}
	return g
}

// lookAtNode runs the rules of nodes and of GPUs.
func (f *finder) lookAtNode(n *node) []Signal {
	var all []Signal
	for order := range f.rules {
		r := &f.rules[order]
		if r.node != nil && n.name != "" {
			for _, s := range r.node(n) {
				s.Node = n.name
				all = append(all, r.complete(s, order))
			}
		}
		if r.gpu == nil {
			continue
		}
		for i := range n.gpus {
			g := &n.gpus[i]
			if !r.stale && g.Freshness(g.now) != train.Fresh {
				continue
			}
			if s, is := r.gpu(g); is {
				all = append(all, r.complete(n.placed(s, g), order))
			}
			if r.board {
				for _, s := range n.ofSlices(g, r.gpu) {
					all = append(all, r.complete(s, order))
				}
			}
		}
	}
	slices.SortStableFunc(all, byWeight)
	return all
}

// placed records of which GPU of a node a signal is, and of which job.
func (n *node) placed(s Signal, g *gpu) Signal {
	s.GPU, s.Node, s.Rank, s.gpuIndex = g.id, n.name, g.Rank, g.GPU.Index
	if g.job != nil {
		s.Job = g.job.ID
	}
	return s
}

// ofSlices examines a board that nobody holds as a whole once for each job's slice of it,
// since that began.
func (n *node) ofSlices(board *gpu, examine func(*gpu) (Signal, bool)) (all []Signal) {
	if board.job != nil || board.GPU.MIG.Instance != "" {
		return nil
	}
	for i := range n.gpus {
		slice := &n.gpus[i]
		if slice.job == nil || slice.GPU.MIG.Instance == "" || slice.GPU.UUID != board.GPU.UUID || slice.GPU.Index != board.GPU.Index {
			continue
		}
		under := *board
		under.job, under.rank, under.held = slice.job, slice.rank, slice.held
		if s, is := examine(&under); is {
			all = append(all, n.placed(s, slice))
		}
	}
	return all
}

// complete fills in what a rule leaves to its row of the table.
func (r *rule) complete(s Signal, order int) Signal {
	s.Kind, s.order = r.kind, order
	if s.Word == "" {
		s.Word = r.word
	}
	switch s.Cause {
	case "":
		s.Cause = r.cause
	case noCause:
		s.Cause = ""
	}
	return s
}
