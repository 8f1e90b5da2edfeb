package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	networkFull = Limit{
		Name: "networkFull", Preset: 80, Least: 1, Most: 100, Unit: "% of the cards' rate",
		Meaning: "traffic of a node, one way, at which its network has no more to give",
		Source:  "found by feel: headers and pauses between collectives take the rest; NCCL's tests reach 90 to 95 % of a link",
	}
	networkLeast = Limit{
		Name: "networkLeast", Preset: 100, Least: 1, Most: 1e6, Unit: "MB/s",
		Meaning: "traffic over TCP that is gradients', where InfiniBand or RoCE is there and idle",
		Source:  "found by feel: logs, checkpoints and data of one node mostly stay below, and a link of 1 Gbit/s ends there",
	}
	networkPower = Limit{
		Name: "networkPower", Preset: 60, Least: 1, Most: 100, Unit: "% of the power limit",
		Meaning: "mean power below which GPUs wait, where no SM activity is told",
		Source:  "35 to 50 % of the limit at 100 % use is communication (our captures)",
	}
	networkFor = Limit{
		Name: "networkFor", Preset: 10, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long", Source: "found by feel: several steps, and longer than a checkpoint is written",
	}
)

// GPUs of several nodes that wait for their gradients: on most nodes the
// network cards are full, or send over TCP what the InfiniBand ports beside
// them do not carry.
func networkRule() rule {
	return rule{
		kind: "network", word: "network", cause: "network-bound",
		meaning: "the GPUs of several nodes compute little while the network is full, or while TCP carries what InfiniBand could",
		limits:  []Limit{networkFull, networkLeast, networkPower, networkFor},
		job:     network,
		hides:   []string{"low"},
	}
}

func network(j *job) []Signal {
	nodes := j.machines()
	if len(nodes) < 2 || !j.waiting() {
		return nil
	}
	full, instead, reported := 0, 0, 0
	most := 0.0
	for i := range nodes {
		u := nodes[i].usage
		if u == nil {
			continue
		}
		reported++
		if share := busiest(&u.Values); 100*share >= j.limits.of(&networkFull) {
			full, most = full+1, max(most, share)
		} else if j.besideRDMA(&u.Values) {
			instead++
		}
	}
	switch {
	case reported < 2:
		return nil
	case 2*full > reported:
		return j.networkSignal("network full", fmt.Sprintf("the network of %s carries up to %s of its rate, and the GPUs wait for it", termtext.Count(full, "node"), percent(min(1, most))))
	case 2*instead > reported:
		return j.networkSignal("network over TCP", fmt.Sprintf("%s send over TCP, while InfiniBand or RoCE is there and idle", termtext.Count(instead, "node")))
	}
	return nil
}

func (j *job) networkSignal(kind, text string) []Signal {
	since, enough := j.lasts(kind, time.Time{}, j.limits.minutes(&networkFor))
	if !enough {
		return nil
	}
	return []Signal{{
		Severity: train.SeverityWarning, Rank: -1, Since: since, Text: text + lasting(j.now, since),
		Quantities: []train.Quantity{train.GPUPower, train.GPUTensorActive, train.GPUSMActive},
	}}
}

// waiting reports whether the GPUs of the job wait: their SMs do little or,
// where that is unknown, they take little power. Unknown is no.
func (j *job) waiting() bool {
	sum, n := 0.0, 0.0
	for _, g := range j.some(lowWitnesses) {
		if activity, known := g.value(train.GPUSMActive); known {
			sum, n = sum+activity, n+1
		}
	}
	if n > 0 {
		return sum/n < j.limits.of(&lowActivity)
	}
	for _, g := range j.some(lowWitnesses) {
		if share, known := g.powerShare(); known {
			sum, n = sum+share, n+1
		}
	}
	return n > 0 && 100*sum/n < j.limits.of(&networkPower)
}

// busiest returns the share of their rate that a node's cards carry in the
// busier direction, RDMA or not; 0 when unknown.
func busiest(v *train.UsageValues) float64 {
	share := 0.0
	for _, way := range [...]struct{ received, sent, rate train.UsageQuantity }{
		{train.UsedRDMAReceived, train.UsedRDMASent, train.UsedRDMARate},
		{train.UsedNetworkReceived, train.UsedNetworkSent, train.UsedNetworkRate},
	} {
		rate, known := v.Get(way.rate)
		if !known || rate <= 0 {
			continue
		}
		received, _ := v.Get(way.received)
		sent, _ := v.Get(way.sent)
		share = max(share, received/rate, sent/rate)
	}
	return share
}

// besideRDMA reports whether a node sends much over TCP while it has RDMA
// ports that are up and carry nothing.
func (j *job) besideRDMA(v *train.UsageValues) bool {
	ports, known := v.Get(train.UsedRDMAPorts)
	down, _ := v.Get(train.UsedRDMAPortsDown)
	if !known || ports-down < 1 {
		return false
	}
	sent, hasSent := v.Get(train.UsedNetworkSent)
	over, measured := v.Get(train.UsedRDMASent)
	return hasSent && measured && sent >= j.limits.of(&networkLeast)*1e6 && over < j.limits.of(&spinTraffic)*1e6
}
