// Package signals turns what was measured of GPUs, nodes and containers into
// words: idle, hot, throttled, a straggler, in error. Each signal is a pure
// function of a snapshot and of thresholds that stand, with their source, in
// one table.
package signals

import (
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Report holds the signals of one picture. A nil report has none.
type Report struct {
	jobs  map[train.JobID][]Signal
	gpus  map[train.GPUID][]Signal
	nodes map[string][]Signal
}

// Signal is one thing that the numbers say.
type Signal struct {
	// Kind names the rule of the table: "idle", "straggler".
	Kind     string
	Severity train.Severity
	// Word is what stands beside a GPU: "idle", "hot", "throttled", "Xid 79".
	Word string
	// Text is one sentence with numbers, units and how long.
	Text string
	// Cause is the cause of failure that it speaks for, "" for none.
	Cause train.Cause
	// Since is when it began, as far as the history reaches.
	Since time.Time
	// Job, Rank (Rank.Index, -1 for none), Node and GPU say where, each where it applies.
	Job  train.JobID
	Rank int
	Node string
	GPU  train.GPUID
	// Quantities are the series to look at.
	Quantities []train.Quantity
}

// Job are the signals of a job, the worst first.
func (r *Report) Job(id train.JobID) []Signal {
	if r == nil {
		return nil
	}
	return r.jobs[id]
}

// GPU are the signals of one GPU, the worst first.
func (r *Report) GPU(id train.GPUID) []Signal {
	if r == nil {
		return nil
	}
	return r.gpus[id]
}

// Node are the signals of a node and its GPUs, the worst first.
func (r *Report) Node(name string) []Signal {
	if r == nil {
		return nil
	}
	return r.nodes[name]
}

// Thresholds are the limits in force, by name; the zero value has the presets.
type Thresholds struct{}

// Find looks at a picture. before is the report of an earlier one, or nil:
// what has not changed since is taken from it.
func Find(s *store.Snapshot, limits Thresholds, before *Report) *Report {
	return &Report{}
}
