package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	starvedSM = Limit{
		Name: "starvedSM", Preset: 0.3, Least: 0, Most: 1,
		Meaning: "SM activity below which a GPU that is fed over PCIe is loading data",
		Source:  "KempnerInstitute/kempnerpulse: data loading is PCIe of 1 GB/s and more with SM below 30 %",
	}
	starvedPCIe = Limit{
		Name: "starvedPCIe", Preset: 1000, Least: 1, Most: 1e6, Unit: "MB/s",
		Meaning: "what it receives over PCIe then",
		Source:  "KempnerInstitute/kempnerpulse: data loading is PCIe of 1 GB/s and more with SM below 30 %",
	}
	starvedCPU = Limit{
		Name: "starvedCPU", Preset: 90, Least: 1, Most: 100, Unit: "% of the node's CPUs",
		Meaning: "use of a node's CPUs that is all there is",
		Source:  "found by feel: the rest is the kubelet's and the kernel's",
	}
	sawtoothLow = Limit{
		Name: "sawtoothLow", Preset: 30, Least: 1, Most: 100, Unit: "%",
		Meaning: "use below which a GPU waits", Source: "found by feel: a reading of 15 to 30 s covers many short steps",
	}
	sawtoothHigh = Limit{
		Name: "sawtoothHigh", Preset: 70, Least: 1, Most: 100, Unit: "%",
		Meaning: "use above which it works again", Source: "found by feel: a reading of 15 to 30 s covers many short steps",
	}
	sawtoothTeeth = Limit{
		Name: "sawtoothTeeth", Preset: 3, Least: 2, Most: 100, Unit: "teeth in 15 min",
		Meaning: "how often use has to fall and rise again", Source: "found by feel: more often than evaluations and checkpoints come",
	}
	starvedFor = Limit{
		Name: "starvedFor", Preset: 5, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long, beyond the time that the teeth take", Source: "found by feel",
	}
	starvedGrace = Limit{
		Name: "starvedGrace", Preset: 15, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long after the youngest rank began GPUs may wait",
		Source:  "found by feel: the first epoch fills caches",
	}
)

// sawtoothSpan is the time in which teeth are counted, and sawtoothWitnesses
// how many GPUs are examined.
const (
	sawtoothSpan      = 15 * time.Minute
	sawtoothWitnesses = 8
)

// GPUs that wait for their data: utilization rises and falls while the CPUs
// are at their limit, or PCIe carries data that the GPU does little with.
func starvedRule() rule {
	return rule{
		kind: "starved", word: "starved", cause: "dataloader-bound",
		meaning: "GPUs wait for data: their use rises and falls while CPUs are busy or throttled, or they load more than they compute",
		limits:  []Limit{starvedSM, starvedPCIe, starvedCPU, sawtoothLow, sawtoothHigh, sawtoothTeeth, starvedFor, starvedGrace},
		job:     starved,
		hides:   []string{"low"},
	}
}

func starved(j *job) []Signal {
	if len(j.fresh) == 0 || j.young(j.limits.minutes(&starvedGrace)) {
		return nil
	}
	if why, known := j.loading(); known {
		if since, enough := j.lasts("starved", time.Time{}, j.limits.minutes(&starvedFor)); enough {
			return []Signal{starvedSignal(j, "GPUs starve: "+why, since)}
		}
		return nil
	}
	why, busy := j.busyCPU()
	if !busy || !j.sawtooth() {
		return nil
	}
	since, _ := j.lasts("starved", j.now.Add(-sawtoothSpan), 0)
	return []Signal{starvedSignal(j, "GPUs starve: use rises and falls, "+why, since)}
}

func starvedSignal(j *job, text string, since time.Time) Signal {
	return Signal{
		Severity: train.SeverityWarning, Rank: -1, Since: since, Text: text + lasting(j.now, since),
		Quantities: []train.Quantity{train.GPUUtilization, train.GPUSMActive, train.GPUPCIeReceived},
	}
}

// loading reports whether most GPUs receive much over PCIe and compute little.
func (j *job) loading() (why string, is bool) {
	loading, known := 0, 0
	rate := 0.0
	for _, g := range j.fresh {
		activity, measured := g.value(train.GPUSMActive)
		received, moved := g.Values.Get(train.GPUPCIeReceived)
		if !measured || !moved {
			continue
		}
		known++
		if activity < j.limits.of(&starvedSM) && received >= j.limits.of(&starvedPCIe)*1e6 {
			loading, rate = loading+1, rate+received
		}
	}
	if known == 0 || 2*loading <= known {
		return "", false
	}
	return fmt.Sprintf("%.1f GB/s come over PCIe and SM activity stays below %s", rate/float64(loading)/1e9, ratio(j.limits.of(&starvedSM))), true
}

// busyCPU reports whether CPUs are all used, or containers throttled.
func (j *job) busyCPU() (why string, is bool) {
	if share, ranks := j.throttledRanks(); len(ranks) > 0 {
		return fmt.Sprintf("the CPU of %s is throttled in %s of the time", termtext.Ranks(ranks), percent(share)), true
	}
	nodes := j.machines()
	for i := range nodes {
		m := &nodes[i]
		if m.usage == nil || m.cores() <= 0 {
			continue
		}
		if used, known := m.usage.Values.Get(train.UsedCPU); known && 100*used/m.cores() >= j.limits.of(&starvedCPU) {
			return fmt.Sprintf("%s of %s CPUs of %s are busy", whole(used), whole(m.cores()), m.name), true
		}
	}
	return "", false
}

// sawtooth reports whether the utilization of most examined GPUs fell and rose
// again several times.
func (j *job) sawtooth() bool {
	some := j.some(sawtoothWitnesses)
	teeth := 0
	for _, g := range some {
		if _, by, known := g.use(); known {
			w := g.window(by, sawtoothSpan, g.step())
			if float64(w.teeth(j.limits.of(&sawtoothLow)*scale(by)/100, j.limits.of(&sawtoothHigh)*scale(by)/100)) >= j.limits.of(&sawtoothTeeth) {
				teeth++
			}
		}
	}
	return 2*teeth > len(some)
}

// teeth counts how often the numbers fell below low after they were above high.
func (w window) teeth(low, high float64) int {
	n, up := 0, false
	for _, v := range w.means {
		switch f := float64(v); {
		case f >= high:
			up = true
		case f <= low && up:
			n, up = n+1, false
		}
	}
	return n
}

// cores returns how many CPUs a node offers, 0 when unknown.
func (m *machine) cores() float64 {
	if m.of == nil {
		return 0
	}
	return float64(m.of.CPU) / 1000
}
