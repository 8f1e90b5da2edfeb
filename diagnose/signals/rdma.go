package signals

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var rdmaErrors = Limit{
	Name: "rdmaErrors", Preset: 10, Least: 1, Most: 1e9, Unit: "errors an hour",
	Meaning: "links down, recoveries and symbol errors of a node's InfiniBand or RoCE ports",
	Source:  "ibcheckerrs(8) of infiniband-diags: SymbolErrors 10, LinkRecovers 10, LinkDowned 10",
}

// DCGM does not report InfiniBand; the node exporter does. Ports that were
// never connected are down for ever: one that is down counts only when it was
// up before, or when other nodes of the job have theirs up.
func rdmaRule() rule {
	return rule{
		kind: "rdma", word: "InfiniBand", cause: "network-hw-degraded",
		meaning: "an InfiniBand or RoCE port of the node went down, is down on this node of a job alone, or counts errors",
		limits:  []Limit{rdmaErrors},
		node:    rdma, job: rdmaAlone,
	}
}

func rdma(n *node) []Signal {
	u := n.past.NodeUsage(n.name)
	if u == nil || u.Freshness(n.now) != train.Fresh {
		return nil
	}
	if down, known := u.Values.Get(train.UsedRDMAPortsDown); known {
		if at, went := n.memory.rose("ports down", u.At, down); went {
			return []Signal{{
				Severity: train.SeverityError, Rank: -1, Since: at,
				Text: fmt.Sprintf("%s down%s", ports(&u.Values, down), lasting(n.now, at)),
			}}
		}
	}
	by, at := grown(n.past.UsagePast(store.UsageOf{Node: n.name}, train.UsedRDMAErrors))
	if by < n.limits.of(&rdmaErrors) {
		return nil
	}
	return []Signal{{
		Severity: train.SeverityWarning, Rank: -1, Since: at,
		Text: fmt.Sprintf("%s of its InfiniBand ports within the hour", termtext.Count(int(by), "error")),
	}}
}

// rdmaAlone finds nodes of a job with more ports down than most have.
func rdmaAlone(j *job) []Signal {
	nodes := j.machines()
	downs := make([]float64, 0, len(nodes))
	for i := range nodes {
		if down, known := nodes[i].portsDown(); known {
			downs = append(downs, down)
		}
	}
	if len(downs) < 3 {
		return nil
	}
	slices.Sort(downs)
	usual := downs[len(downs)/2]
	var found []Signal
	for i := range nodes {
		m := &nodes[i]
		down, known := m.portsDown()
		if !known || down <= usual {
			continue
		}
		since, _ := j.lasts("rdma "+m.name, time.Time{}, 0)
		found = append(found, Signal{
			Severity: train.SeverityWarning, Rank: -1, Node: m.name, Since: since,
			Text: fmt.Sprintf("%s: %s down, %s on most nodes of the job", m.name, ports(&m.usage.Values, down), whole(usual)),
		})
	}
	return found
}

// portsDown counts the RDMA ports of a node that are down; false where
// unknown.
func (m *machine) portsDown() (float64, bool) {
	if m.usage == nil {
		return 0, false
	}
	return m.usage.Values.Get(train.UsedRDMAPortsDown)
}

func ports(v *train.UsageValues, down float64) string {
	if all, known := v.Get(train.UsedRDMAPorts); known && all >= down {
		return fmt.Sprintf("%s of %s InfiniBand ports", whole(down), whole(all))
	}
	return termtext.Count(int(down), "InfiniBand port")
}

// grown returns by how much a counter grew, and when last; a fall is a reset.
func grown(points []train.Point) (by float64, at time.Time) {
	for i := 1; i < len(points); i++ {
		if more := points[i].Value - points[i-1].Value; more > 0 {
			by, at = by+more, points[i].At
		}
	}
	return by, at
}
