package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var missingFor = Limit{
	Name: "missingFor", Preset: 2, Least: 0, Most: 60, Unit: "min",
	Meaning: "how long a GPU has to be away, or a node to have more GPUs than are measured",
	Source:  "four intervals of DCGM's exporter (30 s, dcgm-exporter 4.8): its pod may be starting",
}

// A GPU that fell off the bus is not a GPU at 0 %: its series are gone. The
// node's device plugin still counts it, or stops to, and other GPUs of the
// node are measured as before.
func missingRule() rule {
	return rule{
		kind: "missing", word: "missing", cause: "gpu-fell-off-bus",
		meaning: "a GPU that was measured is no longer, while others of its node are; or a node has more GPUs than are measured there",
		limits:  []Limit{missingFor},
		node:    missing,
		together: func(j *job, all []Signal) string {
			return fmt.Sprintf("%s missing: %s", termtext.Count(len(all), "GPU"), all[0].Text)
		},
	}
}

func missing(n *node) []Signal {
	var found []Signal
	for _, gone := range n.missing {
		if s, is := goneGPU(n, gone); is {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		if s, is := fewerThanNode(n); is {
			found = append(found, s)
		}
	}
	return found
}

// goneGPU returns the signal of a GPU that was measured before, with its last
// state.
func goneGPU(n *node, gone *train.GPUState) (Signal, bool) {
	away := n.now.Sub(gone.At)
	if away < n.limits.minutes(&missingFor) {
		return Signal{}, false
	}
	id := gone.GPU.ID()
	s := Signal{
		Severity: train.SeverityWarning, GPU: id, Rank: -1, Since: gone.At, gpuIndex: gone.GPU.Index,
		Text: fmt.Sprintf("missing for %s: its node goes on measuring others", termtext.Duration(away)),
	}
	if gone.Job != nil {
		s.Job, s.Rank = gone.Job.JobID(), gone.Rank
	}
	if code := lastXid(n.past.GPUChanges(id)); code != 0 {
		x := train.XidOf(code)
		s.Text = fmt.Sprintf("missing for %s, after Xid %d (%s)", termtext.Duration(away), code, x.Meaning)
		if x.Severity() == train.SeverityError {
			s.Severity = train.SeverityError
		}
	}
	return s, true
}

// fewerThanNode compares what is measured with what the node has. The two
// sides count shared or sliced GPUs differently; where they exist, there are
// at least two devices to a GPU, so fewer than half a node is no proof.
func fewerThanNode(n *node) (Signal, bool) {
	if n.of == nil || n.of.Capacity == 0 {
		return Signal{}, false
	}
	boards := map[train.GPUID]bool{}
	for i := range n.gpus {
		g := &n.gpus[i]
		if g.GPU.Share != "" || g.Freshness(n.now) != train.Fresh || len(g.Slices) > 0 {
			return Signal{}, false
		}
		boards[g.id] = true
	}
	lacking := n.of.Capacity - len(boards)
	if lacking <= 0 || 2*len(boards) <= n.of.Capacity {
		return Signal{}, false
	}
	since, enough := n.lasts("missing", time.Time{}, n.limits.minutes(&missingFor))
	return Signal{
		Severity: train.SeverityWarning, Rank: -1, Since: since,
		Text: fmt.Sprintf("%d of its %d GPUs are not measured", lacking, n.of.Capacity),
	}, enough
}

// lastXid returns the newest code among changes, 0 for none.
func lastXid(changes []train.GPUChange) int {
	for i := len(changes) - 1; i >= 0; i-- {
		if c := changes[i]; c.Quantity == train.GPUXid && c.To != 0 {
			return int(c.To)
		}
	}
	return 0
}
