package store

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Measured says everything that a source knows of the GPUs of a node, or, with
// Node "", of all it knows. It replaces what the source said of that node
// before. A GPU that is no longer among the readings is no longer there; of a
// source that measures again and again (Every) it is shown as it was last for
// StaleAfter intervals, and is missing then (Snapshot.GPUsMissing), as long as
// the source tells of others on that node.
//
// A source that falls silent keeps its last readings, with the time at which
// they were measured, for ExpiredAfter intervals. One that measures again and
// again and tells no time measured when it said so, and a time to come is
// taken for now: clocks differ.
type Measured struct {
	Source   string
	Node     string
	Readings []train.GPUReading
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

// Recalled says what a source knows of the past of GPUs, from before this
// program ran or while it was cut off. What is older than GPUHistory or to
// come is dropped, and so is a point beside which another one is known.
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

// measuredKey is whose word it is, and about which node.
type measuredKey struct{ source, node string }

// maxTold bounds how many words of one source about one node wait for a
// snapshot to be taken; of more of them the oldest leave no trace in the past.
const maxTold = 16

// told is what sources said of GPUs and usage since the last snapshot.
type told struct {
	measured map[measuredKey][]Measured
	recalled []Recalled
	used     []Used
}

// measure takes readings over.
func (t *told) measure(e Measured) {
	if t.measured == nil {
		t.measured = map[measuredKey][]Measured{}
	}
	key := measuredKey{e.Source, e.Node}
	waiting := t.measured[key]
	if len(waiting) >= maxTold {
		waiting = append(waiting[:0], waiting[1:]...)
	}
	t.measured[key] = append(waiting, e)
}

// round takes the oldest word of each source and node that waits.
func (t *told) round() []Measured {
	var all []Measured
	for key, waiting := range t.measured {
		all = append(all, waiting[0])
		if len(waiting) == 1 {
			delete(t.measured, key)
		} else {
			t.measured[key] = waiting[1:]
		}
	}
	return all
}
