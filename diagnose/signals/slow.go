package signals

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	slowRatio = Limit{
		Name: "slowRatio", Preset: 0.8, Least: 0.1, Most: 0.99,
		Meaning: "share of the job's median below which a GPU is slow",
		Source:  "no public number; GPUs of one job at equal work differ by some percent (8 x H100: power 639 to 655 W)",
	}
	slowSamples = Limit{
		Name: "slowSamples", Preset: 3, Least: 1, Most: 100, Unit: "readings in a row",
		Meaning: "how long", Source: "found by feel: one reading may fall between two steps",
	}
	slowPeers = Limit{
		Name: "slowPeers", Preset: 4, Least: 3, Most: 1000, Unit: "GPUs",
		Meaning: "how many GPUs have to do the same work to be compared",
		Source:  "of fewer no median tells which one is odd",
	}
	slowOdd = Limit{
		Name: "slowOdd", Preset: 25, Least: 1, Most: 49, Unit: "%",
		Meaning: "how many of them may differ from the median: with more, they do different work",
		Source:  "found by feel: stages of a pipeline and mixtures of experts differ by design",
	}
	slowGrace = Limit{
		Name: "slowGrace", Preset: 5, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long after the youngest rank began nothing is compared",
		Source:  "found by feel: ranks load and compile at different speed",
	}
)

// One GPU or rank that is slower than the others of its job delays all of
// them. The expected value comes from the others: the median of the GPUs of
// the same model in the same role.
func slowRule() rule {
	return rule{
		kind: "slow", word: "slow", cause: "slow-gpu",
		meaning: "power, clock, tensor or SM activity or use of a GPU lie far below the median of its job",
		limits:  []Limit{slowRatio, slowSamples, slowPeers, slowOdd, slowGrace},
		job:     slow, together: slowTogether,
	}
}

// compared are the quantities to compare, with the least median at which a job
// counts as working.
var compared = []struct {
	quantity train.Quantity
	least    float64
}{
	{train.GPUPower, 0}, // see working
	{train.GPUSMClock, 300},
	{train.GPUTensorActive, 0.05},
	{train.GPUSMActive, 0.3},
	{train.GPUUtilization, 50},
}

// odd is a GPU whose number is far below the median.
type odd struct {
	*gpu
	by     train.Quantity
	share  float64 // of the median
	median float64
	since  time.Time
}

func slow(j *job) []Signal {
	if j.young(j.limits.minutes(&slowGrace)) {
		return nil
	}
	var found []Signal
	for _, peers := range j.peers() {
		if float64(len(peers)) < j.limits.of(&slowPeers) || !working(peers) {
			continue
		}
		for _, o := range oddOnes(j, peers) {
			if o.lasting(j, peers) {
				found = append(found, o.signal(j))
			}
		}
	}
	return found
}

// working reports whether most of the GPUs are at work, so that an idle one is
// distinguishable.
func working(peers []*gpu) bool {
	busy, known := 0, 0
	for _, g := range peers {
		if use, _, measured := g.use(); measured {
			known++
			if use >= 0.5 {
				busy++
			}
		}
	}
	return 2*busy > known
}

// oddOnes returns the GPUs far below the median of a quantity that the others
// agree on, each with the quantity in which it is the farthest.
func oddOnes(j *job, peers []*gpu) []odd {
	worst := map[train.GPUID]int{}
	var found []odd
	for _, c := range compared {
		median, agreed := agree(j, peers, c.quantity)
		if !agreed || median < c.least {
			continue
		}
		for _, g := range peers {
			v, known := g.value(c.quantity)
			if !known || v >= j.limits.of(&slowRatio)*median {
				continue
			}
			o := odd{gpu: g, by: c.quantity, share: v / median, median: median}
			if at, is := worst[g.id]; !is {
				worst[g.id], found = len(found), append(found, o)
			} else if o.share < found[at].share {
				found[at] = o
			}
		}
	}
	return found
}

// value returns a number to compare; those of wrong counters are unknown.
func (g *gpu) value(q train.Quantity) (float64, bool) {
	if (q == train.GPUTensorActive || q == train.GPUSMActive) && g.profilingDead() {
		return 0, false
	}
	return g.Values.Get(q)
}

// agree returns the median of a quantity, and whether nearly all of the GPUs
// report it and nearly all of these are close to it.
func agree(j *job, peers []*gpu, q train.Quantity) (median float64, agreed bool) {
	values := make([]float64, 0, len(peers))
	for _, g := range peers {
		if v, known := g.value(q); known {
			values = append(values, v)
		}
	}
	may := int(j.limits.of(&slowOdd) / 100 * float64(len(peers)))
	if len(peers)-len(values) > may || len(values) == 0 {
		return 0, false
	}
	low := j.limits.of(&slowRatio)
	median = medianOf(values)
	for _, v := range values {
		if v < low*median || v > median/low {
			may--
		}
	}
	return median, may >= 0 && median > 0
}

// medianOf returns the median and reorders values.
func medianOf(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	k := len(values) / 2
	low, high := 0, len(values)-1
	for low < high {
		pivot := values[(low+high)/2]
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		if k <= j {
			high = j
		} else if k >= i {
			low = i
		} else {
			break
		}
	}
	return values[k]
}

// slowWitnesses is how many of the others represent the median of the past.
const slowWitnesses = 32

// lasting reports whether the GPU was slow in its newest readings too, and
// since when. Quantities without a history have to be observed.
func (o *odd) lasting(j *job, peers []*gpu) bool {
	step := o.step()
	least := time.Duration(j.limits.of(&slowSamples)-1) * step
	if o.once() {
		o.since = o.now
		return true
	}
	own := o.window(o.by, time.Hour, step)
	usual := medians(spread(peers, slowWitnesses), o.by, own)
	low := j.limits.of(&slowRatio)
	for i, v := range own.means {
		own.means[i] = v / usual[i] // NaN where either is unknown
	}
	began, _ := own.run(func(v float64) bool { return v < low })
	since, enough := o.lasts("slow", began, least)
	o.since = since
	return enough
}

// medians returns those of some GPUs in each step of a window.
func medians(of []*gpu, q train.Quantity, w window) []float32 {
	rows := make([][]float32, len(of))
	for i, g := range of {
		rows[i] = make([]float32, len(w.means))
		g.past.GPUBuckets(g.id, q, w.start, w.step, rows[i])
	}
	usual := make([]float32, len(w.means))
	values := make([]float64, 0, len(of))
	for step := range usual {
		values = values[:0]
		for _, row := range rows {
			if v := row[step]; v == v { // not NaN
				values = append(values, float64(v))
			}
		}
		usual[step] = float32(medianOf(values))
	}
	return usual
}

func (o *odd) signal(j *job) Signal {
	name, unit := quantityName(o.by)
	text := fmt.Sprintf("slow: %s of the median %s (%s of %s%s)%s", ratio(o.share), name,
		number(o.share*o.median), number(o.median), unit, lasting(j.now, o.since))
	if reasons := o.badReasons(); len(reasons) > 0 {
		text += ", throttled by " + strings.Join(reasons, ", ")
	}
	return Signal{
		Severity: train.SeverityWarning, GPU: o.id, Node: o.GPU.Node, Rank: o.Rank, gpuIndex: o.GPU.Index,
		Since: o.since, Text: text, Quantities: []train.Quantity{o.by}, share: o.share,
	}
}

// number formats a number with as many digits as a comparison needs.
func number(v float64) string {
	if math.Abs(v) < 10 {
		return ratio(v)
	}
	return whole(v)
}

// slowTogether names whole ranks where all their GPUs are slow.
func slowTogether(j *job, all []Signal) string {
	worst := slices.MinFunc(all, func(a, b Signal) int {
		if a.share < b.share {
			return -1
		}
		return 1
	})
	what, _ := quantityName(worst.Quantities[0])
	tail := fmt.Sprintf("slow: %s of the median %s%s", ratio(worst.share), what, lasting(j.now, worst.Since))
	ranks := ranksOf(all)
	if len(ranks) == 0 {
		return termtext.Count(len(all), "GPU") + " " + tail
	}
	if len(ranks) == 1 && len(all) < gpusOfRank(j, ranks[0]) {
		return fmt.Sprintf("rank %d, %s %s", ranks[0], termtext.Count(len(all), "GPU"), tail)
	}
	return termtext.Ranks(ranks) + " " + tail
}

func gpusOfRank(j *job, rank int) int {
	n := 0
	for i := range j.gpus {
		if j.gpus[i].Rank == rank {
			n++
		}
	}
	return n
}

// ranksOf returns the ranks of signals, each once, ascending.
func ranksOf(all []Signal) []int {
	var ranks []int
	for i := range all {
		if all[i].Rank >= 0 {
			ranks = append(ranks, all[i].Rank)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
