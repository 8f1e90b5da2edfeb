package gpurows

import (
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// Row is one GPU, one slice or one share of one, or several unmeasured GPUs of
// a pod.
type Row struct {
	*train.GPUState
	// Key is its identity: it stays when the holder changes.
	Key string
	// Trouble is its worst fault, nil without one; OfJob the worst fault of the
	// whole job that holds it.
	Trouble, OfJob *Trouble
	// Missing is a GPU that was reported before and is no longer.
	Missing bool
	// Vacant is a GPU that nobody holds, according to objects and exporters.
	Vacant bool
	// Old is a row whose source has failed since: its numbers are drawn as
	// stale.
	Old bool
	// Sharing is how many holders one board or slice has, 1 for most.
	Sharing int

	in *store.Snapshot
	// busyFrom is the use from which it counts as busy, in percent: the limit
	// of the signal "idle", so that the header and all screens agree.
	busyFrom float64
}

// Of makes the rows of some states, and of the GPUs that are missing, in order
// of node, index and slice.
func Of(s *store.Snapshot, report *signals.Report, states, missing []*train.GPUState) []*Row {
	rows := make([]Row, 0, len(states)+len(missing))
	l := faultLookup{Snapshot: s, report: report, busyFrom: report.IdleUse()}
	at := 0
	for _, state := range states {
		for at < len(missing) && before(&missing[at].GPU, &state.GPU) {
			rows = append(rows, gone(s, missing[at]))
			at++
		}
		rows = append(rows, l.row(state))
	}
	for _, state := range missing[at:] {
		rows = append(rows, gone(s, state))
	}
	uniqueKeys(rows)
	findVacant(s, rows)
	all := make([]*Row, len(rows))
	for i := range rows {
		all[i] = &rows[i]
	}
	return all
}

// Read is the row of a reading that is not in the store; old means that a later
// read failed.
func Read(reading *train.GPUReading, old bool) *Row {
	return &Row{
		GPUState: &train.GPUState{GPU: reading.GPU, Values: reading.Values, Sources: []train.GPUSource{reading.Source}, At: reading.At, Rank: -1, Count: 1},
		Sharing:  1, Old: old,
	}
}

// faultLookup looks up faults. GPUs of one job are mostly neighbours.
type faultLookup struct {
	*store.Snapshot
	report   *signals.Report
	busyFrom float64
	job      train.Ref
	ofJob    *Trouble
	last     *train.Node // that of the row before: GPUs of a node are neighbours
}

// node is the node of a row, nil when it is not known.
func (l *faultLookup) node(name string) *train.Node {
	if l.last == nil || l.last.Name != name {
		l.last = l.Node(name)
	}
	return l.last
}

func (l *faultLookup) row(state *train.GPUState) Row {
	r := Row{GPUState: state, Sharing: 1, in: l.Snapshot, busyFrom: l.busyFrom}
	if state.Job != nil {
		if *state.Job != l.job {
			l.job, l.ofJob = *state.Job, troubleOfJob(l.report.Job(state.Job.JobID()))
		}
		r.OfJob = l.ofJob
	}
	if n := l.node(state.GPU.Node); n != nil && !n.Ready { // what its job does elsewhere shows nothing about it
		r.OfJob = lostWithNode(n)
	}
	if named(&state.GPU) {
		id := state.GPU.ID()
		r.Key, r.Trouble = string(id), troubleOf(l.report.GPU(id))
		return r
	}
	r.Key = r.GPU.Node + "/" + r.GPU.Namespace + "/" + r.GPU.Pod + "/" + r.GPU.Container
	return r
}

func gone(s *store.Snapshot, state *train.GPUState) Row {
	return Row{
		GPUState: state, Key: string(state.GPU.ID()), Missing: true, Sharing: 1, in: s,
		Trouble: missingTrouble(state),
	}
}

// findVacant finds the GPUs that nobody holds. An exporter that names pods
// leaves those of free GPUs out, as does one that knows no pods; so a GPU
// without a pod is vacant only where the exporters name a GPU for everything
// that pods hold on the node.
func findVacant(s *store.Snapshot, rows []Row) {
	for from := 0; from < len(rows); {
		to, held := from, 0
		for ; to < len(rows) && rows[to].GPU.Node == rows[from].GPU.Node; to++ {
			if rows[to].Held() {
				held += rows[to].Cells()
			}
		}
		node := s.Node(rows[from].GPU.Node)
		reported := node != nil && held >= node.Held || node == nil && held > 0
		for i := from; i < to; i++ {
			rows[i].Vacant = !rows[i].Held() && (rows[i].Free || reported)
		}
		from = to
	}
}

// named reports whether a GPU can be identified.
func named(g *train.GPU) bool { return g.Index != "" || g.HasUUID() }

// before orders by node, number and slice, as the store does.
func before(a, b *train.GPU) bool {
	switch {
	case a.Node != b.Node:
		return a.Node < b.Node
	case len(a.Index) != len(b.Index):
		return len(a.Index) < len(b.Index)
	case a.Index != b.Index:
		return a.Index < b.Index
	case len(a.MIG.Instance) != len(b.MIG.Instance):
		return len(a.MIG.Instance) < len(b.MIG.Instance)
	}
	return a.MIG.Instance < b.MIG.Instance
}

// uniqueKeys gives keys of their own to the holders of one board, which are
// neighbours, and counts them.
func uniqueKeys(rows []Row) {
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && SameBoard(&rows[from].GPU, &rows[to].GPU) && named(&rows[to].GPU) {
			to++
		}
		if to-from > 1 {
			for i := from; i < to; i++ {
				rows[i].Sharing = to - from
				rows[i].Key += "/" + rows[i].GPU.Namespace + "/" + rows[i].GPU.Pod + "/" + rows[i].GPU.Container
			}
		}
		from = to
	}
}

// SameBoard reports whether two rows are the same slice or whole board.
func SameBoard(a, b *train.GPU) bool {
	return a.Node == b.Node && a.Index == b.Index && a.MIG == b.MIG && a.UUID == b.UUID
}

// Cells is how many GPUs the row represents.
func (r *Row) Cells() int { return max(1, min(r.Count, maxCount)) }

// maxCount bounds an absurd request.
const maxCount = 100_000

// Name is the holder: the job's name, or the pod's; "" for a free one and for
// one whose holder no source reports.
func (r *Row) Name() string {
	if r.Job != nil {
		return r.Job.Name
	}
	return r.GPU.Pod
}

// Measured reports whether there is any value that may still be shown at an
// instant.
func (r *Row) Measured(now time.Time) bool {
	return len(r.Sources) > 0 && !r.Missing && r.Freshness(now) != train.Expired
}

// Freshness reports how current the numbers are.
func (r *Row) Freshness(now time.Time) train.Freshness {
	if freshness := r.GPUState.Freshness(now); !r.Old || freshness != train.Fresh {
		return freshness
	}
	return train.Stale
}

// Get is a number that may still be shown.
func (r *Row) Get(q train.Quantity, now time.Time) (number float64, known bool) {
	if !r.Measured(now) {
		return 0, false
	}
	return r.Values.Get(q)
}

// Use is the load, in percent: the utilization or, where there is none (MIG),
// the share of time in which its engine was busy.
func (r *Row) Use(now time.Time) (percent float64, known bool) {
	if percent, known = r.Get(train.GPUUtilization, now); known {
		return percent, true
	}
	share, known := r.Get(train.GPUGraphics, now)
	return 100 * share, known
}

// shortModel is the model's name without the parts that every row shares.
func shortModel(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "NVIDIA "), "NVIDIA-")
	return strings.TrimPrefix(name, "AMD ")
}

// Route is the screen of a row: the rank that holds it, else the pod's job,
// else the node.
func (r *Row) Route() views.Route {
	if r.Job != nil {
		if job := r.in.Job(r.Job.JobID()); job != nil {
			for i := range job.Ranks {
				if job.Ranks[i].Pod == r.GPU.Pod && job.Ranks[i].Namespace == r.GPU.Namespace {
					return views.RankRoute{Job: job.ID, Rank: i}
				}
			}
			return views.JobRoute{Job: job.ID}
		}
	}
	return views.NodeRoute{Name: r.GPU.Node}
}
