package signals

import (
	"fmt"
	"math"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	spinUse = Limit{
		Name: "spinUse", Preset: 95, Least: 50, Most: 100, Unit: "%",
		Meaning: "use of a GPU that waits in a collective",
		Source:  "a waiting NCCL kernel counts as use: 100 % (NVIDIA/DCGM issue 80: utilization is outdated)",
	}
	spinTensor = Limit{
		Name: "spinTensor", Preset: 0.01, Least: 0, Most: 1,
		Meaning: "tensor activity of a GPU that computes nothing",
		Source:  "found by feel: noise of the counter",
	}
	spinPower = Limit{
		Name: "spinPower", Preset: 70, Least: 1, Most: 100, Unit: "% of its running level",
		Meaning: "power of a GPU that waits",
		Source:  "found by feel: below the dips between steps, above 35 to 50 % of the limit, which communication and spinning take",
	}
	spinLimit = Limit{
		Name: "spinLimit", Preset: 50, Least: 1, Most: 100, Unit: "% of the power limit",
		Meaning: "the same where no running level was seen",
		Source:  "35 to 50 % of the limit at 100 % use is communication or spinning (our captures)",
	}
	spinTraffic = Limit{
		Name: "spinTraffic", Preset: 1, Least: 0, Most: 1e6, Unit: "MB/s",
		Meaning: "traffic of a node (InfiniBand, RoCE), or of a GPU over NVLink and PCIe, that is none",
		Source:  "found by feel: heartbeats and monitoring stay below",
	}
	spinStill = Limit{
		Name: "spinStill", Preset: 5, Least: 0, Most: 50, Unit: "%",
		Meaning: "use of the GPU that the others wait for",
		Source:  "KempnerInstitute/kempnerpulse: idle is an engine active for less than 5 %",
	}
	spinFor = Limit{
		Name: "spinFor", Preset: 3, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long", Source: "found by feel: checkpoints and evaluations of one rank let the others wait that long",
	}
)

// All GPUs but those that hang spin in a collective that never ends.
// Utilization is 100 %; power, tensor cores and network show that nothing
// happens. The others wait for a GPU that is idle with its memory full.
func spinningRule() rule {
	return rule{
		kind: "spinning", word: "spinning", cause: "hang-no-output",
		meaning:  "the GPUs of a job are busy with nothing: they wait for each other, or for one that stands still",
		limits:   []Limit{spinUse, spinTensor, spinPower, spinLimit, spinTraffic, spinStill, spinFor},
		job:      spinning,
		together: func(*job, []Signal) string { return "" }, // covered by the job's own signal
		hides:    []string{"slow", "idle", "low", "starved"},
	}
}

func spinning(j *job) []Signal {
	busy, still, all := spinners(j)
	if !all || len(busy)+len(still) < 2 || len(busy) < len(still) || j.traffic(busy) {
		return nil
	}
	level, began, how := runningLevel(j, busy)
	power := meanPower(busy)
	switch {
	case how && power >= j.limits.of(&spinPower)/100*level:
		return nil
	case !how && (len(still) == 0 || !withinLimit(j, busy)):
		return nil // its level at work is unknown
	}
	since, enough := j.lasts("spinning", began, j.limits.minutes(&spinFor))
	if !enough {
		return nil
	}
	s := Signal{
		Severity: train.SeverityWarning, Rank: -1, Since: since,
		Quantities: []train.Quantity{train.GPUPower, train.GPUTensorActive, train.GPUUtilization},
	}
	s.Text = fmt.Sprintf("%s spin at %s W each%s%s", termtext.Count(len(busy), "GPU"), whole(power), against(level, how), lasting(j.now, since))
	found := make([]Signal, 0, 1+len(j.fresh))
	for _, g := range busy {
		found = append(found, onGPU(g, s, "spinning", "spins: 100 % use and nothing computed"+lasting(j.now, since)))
	}
	for i, g := range still {
		one := onGPU(g, s, "stands still", "stands still with its memory full while the others wait"+lasting(j.now, since))
		if found = append(found, one); i == 0 {
			s.Text += "; " + gpuName(&one) + " stands still"
			s.Ranks = ranksOf([]Signal{one})
		}
	}
	return append(found, s)
}

func against(level float64, known bool) string {
	if !known {
		return ""
	}
	return fmt.Sprintf(" (%s W at work)", whole(level))
}

// onGPU returns a job's signal about one of its GPUs.
func onGPU(g *gpu, s Signal, word, text string) Signal {
	s.GPU, s.Node, s.Rank, s.gpuIndex = g.id, g.GPU.Node, g.Rank, g.GPU.Index
	s.Word, s.Text = word, text
	return s
}

// spinners returns the GPUs that are busy without computing, and those that
// are idle with their memory full; all is false when one is neither.
func spinners(j *job) (busy, still []*gpu, all bool) {
	memory := medianMemory(j.fresh)
	for _, g := range j.fresh {
		use, known := g.Values.Get(train.GPUUtilization)
		switch {
		case !known:
			return nil, nil, false
		case use >= j.limits.of(&spinUse):
			if tensor, measured := g.tensor(); !measured || tensor > j.limits.of(&spinTensor) {
				return nil, nil, false
			}
			busy = append(busy, g)
		case use <= j.limits.of(&spinStill):
			if used, measured := g.Values.Get(train.GPUMemoryUsed); !measured || used < memory/2 {
				return nil, nil, false
			}
			still = append(still, g)
		default:
			return nil, nil, false
		}
	}
	return busy, still, len(j.fresh) == len(j.gpus)
}

func medianMemory(gpus []*gpu) float64 {
	values := make([]float64, 0, len(gpus))
	for _, g := range gpus {
		if used, known := g.Values.Get(train.GPUMemoryUsed); known {
			values = append(values, used)
		}
	}
	return medianOf(values)
}

// traffic reports whether data is known to move.
func (j *job) traffic(busy []*gpu) bool {
	most := j.limits.of(&spinTraffic) * 1e6
	for _, g := range busy {
		for _, q := range [...]train.Quantity{train.GPUNVLinkSent, train.GPUNVLinkReceived, train.GPUPCIeSent, train.GPUPCIeReceived} {
			if rate, known := g.Values.Get(q); known && rate > most {
				return true
			}
		}
	}
	nodes := j.machines()
	for i := range nodes {
		u := nodes[i].usage
		if u == nil {
			continue
		}
		for _, q := range [...]train.UsageQuantity{train.UsedRDMAReceived, train.UsedRDMASent} {
			if rate, known := u.Values.Get(q); known && rate > most {
				return true
			}
		}
	}
	return false
}

func meanPower(gpus []*gpu) float64 {
	sum, n := 0.0, 0.0
	for _, g := range gpus {
		if power, known := g.Values.Get(train.GPUPower); known {
			sum, n = sum+power, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / n
}

// levelWitnesses is how many GPUs represent the job's power in the past, and
// levelSteps how many minutes of it are needed.
const (
	levelWitnesses = 8
	levelSteps     = 5
)

// runningLevel returns the highest power of a GPU of the job over the hour,
// and since when it is below what spinning takes; known is false when the
// history is too short.
func runningLevel(j *job, busy []*gpu) (level float64, began time.Time, known bool) {
	sum := window{start: j.now.Add(-time.Hour), step: time.Minute, means: make([]float32, 60)}
	rows := medians(spread(busy, levelWitnesses), train.GPUPower, sum)
	copy(sum.means, rows)
	steps := 0
	for _, v := range sum.means {
		if v == v { // not NaN
			steps, level = steps+1, max(level, float64(v))
		}
	}
	began, low := sum.run(func(v float64) bool { return v < j.limits.of(&spinPower)/100*level })
	return level, began, steps-low >= levelSteps
}

// withinLimit reports whether the power of all GPUs is known to be that of waiting.
func withinLimit(j *job, busy []*gpu) bool {
	for _, g := range busy {
		share, known := g.powerShare()
		if !known || 100*share > j.limits.of(&spinLimit) {
			return false
		}
	}
	return true
}
