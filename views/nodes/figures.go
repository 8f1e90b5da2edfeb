package nodes

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns/gpurows"
)

// figures sum up the GPUs of a node. A figure of no GPU is unknown.
type figures struct {
	use, power, hottest       float64 // mean in percent; W, summed; °C
	useOf, powerOf, hottestOf int     // how many GPUs reported it
	board                     string  // the last whose power was added
	measured, fresh           int
	stale                     bool   // none of them is fresh
	errors                    string // names of hardware faults
	broken                    bool
	warned                    bool // one of them, or the node, has a warning
}

// figuresOf sums up the GPUs of each node, and names their faults.
func figuresOf(s *store.Snapshot, report *signals.Report) map[string]figures {
	sums := make(map[string]*figures, len(s.Nodes()))
	node, sum := "", (*figures)(nil)
	for _, state := range s.AllGPUs() {
		if sum == nil || state.GPU.Node != node {
			node = state.GPU.Node
			if sum = sums[node]; sum == nil {
				sum = &figures{}
				sums[node] = sum
			}
		}
		sum.add(gpurows.Row{GPUState: state}, s)
	}
	all := make(map[string]figures, len(sums))
	for name, sum := range sums {
		sum.finish(report.Node(name))
		all[name] = *sum
	}
	return all
}

func (g *figures) add(r gpurows.Row, s *store.Snapshot) {
	if !r.Measured(s.Now) {
		return
	}
	g.measured++
	if r.Freshness(s.Now) == train.Fresh {
		g.fresh++
	}
	if use, known := r.Use(s.Now); known {
		g.use, g.useOf = g.use+use, g.useOf+1
	}
	// Slices and shares of one board repeat the board's own power.
	if watts, known := r.Values.Get(train.GPUPower); known && (g.powerOf == 0 || r.GPU.Index != g.board) {
		g.power, g.powerOf, g.board = g.power+watts, g.powerOf+1, r.GPU.Index
	}
	if degrees, known := r.Values.Get(train.GPUTemperature); known && (g.hottestOf == 0 || degrees > g.hottest) {
		g.hottest, g.hottestOf = degrees, g.hottestOf+1
	}
}

func (g *figures) finish(found []signals.Signal) {
	if g.useOf > 0 {
		g.use /= float64(g.useOf)
	}
	g.stale = g.measured > 0 && g.fresh == 0
	var words []string
	for i := range found {
		t := gpurows.Trouble{Kind: found[i].Kind, Severity: found[i].Severity}
		g.warned = g.warned || t.Alarming()
		if !t.Broken() && !isLink(t.Kind) {
			continue
		}
		g.broken = g.broken || t.Broken()
		if !slices.Contains(words, found[i].Word) {
			words = append(words, found[i].Word)
		}
	}
	g.errors = strings.Join(words, ", ")
}

// isLink reports whether a signal is about links between GPUs and nodes.
func isLink(kind string) bool { return kind == "nvlink" || kind == "pcie" || kind == "rdma" }
