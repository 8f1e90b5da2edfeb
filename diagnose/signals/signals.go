// Package signals derives signals from measurements of GPUs, nodes and
// containers: idle, hot, throttled, a straggler, in error. Each signal is one
// file: a pure function of a GPU, a job or a node with its history, and the
// limits it compares with, each with its source. docs/signals.md is generated
// from the table.
//
//	GPUs of a node ─► rules of a GPU ─► signals of GPUs ─┐
//	nodes ──────────► rules of a node ──────────────────┼─► Report
//	GPUs of a job ──► rules of a job ────────────────────┘
//
// Time is that of the snapshot. An unknown number gives no signal; an old number
// gives only the signal that it is old. Healthy data gives none.
package signals

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Report holds the signals of one snapshot. It never changes; a nil report has
// none.
type Report struct {
	version uint64

	jobs  map[train.JobID][]Signal
	gpus  map[train.GPUID][]Signal
	nodes map[string][]Signal
	sum   Sum

	found // state for the next report
}

// Signal is one problem that the numbers show.
type Signal struct {
	// Kind names the rule of the table: "idle", "slow".
	Kind     string
	Severity train.Severity
	// Word is the text beside a GPU: "idle", "hot", "throttled", "Xid 79".
	Word string
	// Text is one sentence with numbers, units and duration. In a job's list
	// it begins with the ranks it is about, in a node's with the GPU.
	Text string
	// Cause is the cause that it indicates, "" for none.
	Cause train.Cause
	// Since is when it began, as far as the history reaches.
	Since time.Time
	// Job, Rank (Rank.Index, -1 for none), Node and GPU locate it, each where
	// it applies.
	Job  train.JobID
	Rank int
	Node string
	GPU  train.GPUID
	// Quantities are the series to show.
	Quantities []train.Quantity
	// Ranks are the affected ranks, by Rank.Index, ascending, in a job's list;
	// nil is the whole job. GPUs counts the affected GPUs there.
	Ranks []int
	GPUs  int

	order    int     // of its rule
	gpuIndex string  // the GPU's number on its node
	share    float64 // of the median, where it is compared
}

// Version differs between a report and the previous one when a signal differs;
// 0 for a nil report.
func (r *Report) Version() uint64 {
	if r == nil {
		return 0
	}
	return r.version
}

// Job returns the signals of a job and its GPUs, the worst first.
func (r *Report) Job(id train.JobID) []Signal {
	if r == nil {
		return nil
	}
	return r.jobs[id]
}

// GPU returns the signals of one GPU, the worst first.
func (r *Report) GPU(id train.GPUID) []Signal {
	if r == nil {
		return nil
	}
	return r.gpus[id]
}

// Node returns the signals of a node and its GPUs, the worst first.
func (r *Report) Node(name string) []Signal {
	if r == nil {
		return nil
	}
	return r.nodes[name]
}

// byWeight orders signals, the worst first.
func byWeight(a, b Signal) int {
	return cmp.Or(
		cmp.Compare(a.Severity.Order(), b.Severity.Order()), cmp.Compare(a.order, b.order),
		cmp.Compare(len(a.gpuIndex), len(b.gpuIndex)), cmp.Compare(a.gpuIndex, b.gpuIndex),
		cmp.Compare(a.Node, b.Node), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.GPU, b.GPU),
	)
}

func (s *Signal) equal(o *Signal) bool {
	return s.Kind == o.Kind && s.Severity == o.Severity && s.Word == o.Word && s.Text == o.Text &&
		s.Cause == o.Cause && s.Since.Equal(o.Since) && s.Job == o.Job && s.Rank == o.Rank && s.Node == o.Node &&
		s.GPU == o.GPU && s.GPUs == o.GPUs && slices.Equal(s.Quantities, o.Quantities) && slices.Equal(s.Ranks, o.Ranks)
}

func equalSignals(a, b []Signal) bool {
	return slices.EqualFunc(a, b, func(a, b Signal) bool { return a.equal(&b) })
}
