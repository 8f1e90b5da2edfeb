package signals

import (
	"math"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// gpu is one GPU as rules see it.
type gpu struct {
	*train.GPUState
	*scene
	id train.GPUID

	job  *train.Job  // nil when no job's pod holds it
	rank *train.Rank // nil when unknown
	held time.Time   // when its pod began; zero when unknown

	changed []train.GPUChange // see changes
	asked   bool
}

// scene is shared by all GPUs of a node or a job that is examined.
type scene struct {
	now    time.Time
	limits Thresholds
	past   history
	memory *observations
}

// changes returns those of the GPU's counters and codes, looked up once for
// all rules.
func (g *gpu) changes() []train.GPUChange {
	if !g.asked {
		g.changed, g.asked = g.past.GPUChanges(g.id), true
	}
	return g.changed
}

// history is the past that a rule may read: a snapshot's.
type history interface {
	// GPUBuckets writes the mean of each step from an instant on into out; NaN
	// where nothing was measured.
	GPUBuckets(id train.GPUID, q train.Quantity, from time.Time, step time.Duration, out []float32)
	// GPUChanges returns the changes of counters and codes, oldest first.
	GPUChanges(id train.GPUID) []train.GPUChange
	// GPUBaseline returns a counter's value at an instant or first after it.
	GPUBaseline(id train.GPUID, q train.Quantity, since time.Time) (value float64, at time.Time, known bool)
	// NodeUsage and PodUsage return what a node and the containers of a pod
	// use now.
	NodeUsage(node string) *train.Usage
	PodUsage(namespace, pod string) []*train.Usage
	UsagePast(of store.UsageOf, q train.UsageQuantity) []train.Point
	// Node returns what the objects of the cluster contain of a node.
	Node(name string) *train.Node
}

// once is true for numbers that were measured once and are not repeated (a
// file): there is nothing to wait for.
func (g *gpu) once() bool { return g.Every <= 0 }

// young reports whether the pod that holds the GPU began less than d ago.
func (g *gpu) young(d time.Duration) bool { return !g.held.IsZero() && g.now.Sub(g.held) < d }

// step returns the interval between points of its history.
func (g *gpu) step() time.Duration { return max(g.Every, leastStep) }

const leastStep = 15 * time.Second

// window returns the history of a quantity up to its newest reading, oldest
// first.
func (g *gpu) window(q train.Quantity, span, step time.Duration) window {
	w := window{start: g.At.Add(step/2 - span), step: step, means: make([]float32, max(1, int(span/step)))}
	g.past.GPUBuckets(g.id, q, w.start, step, w.means)
	return w
}

// use returns the share of time, 0..1, in which the GPU was busy, and the
// quantity that shows it. MIG instances have no utilization; their engine's
// activity is used.
func (g *gpu) use() (share float64, by train.Quantity, known bool) { return useOf(&g.Values) }

func useOf(v *train.Values) (share float64, by train.Quantity, known bool) {
	if percent, is := v.Get(train.GPUUtilization); is {
		return percent / 100, train.GPUUtilization, true
	}
	for _, q := range [...]train.Quantity{train.GPUGraphics, train.GPUSMActive} {
		if share, is := v.Get(q); is {
			return share, q, true
		}
	}
	return 0, 0, false
}

// scale returns the factor from a number of the utilization history to a
// share.
func scale(by train.Quantity) float64 {
	if by == train.GPUUtilization {
		return 100
	}
	return 1
}

// tensor returns the activity of the tensor cores where the profiling counters
// are trustworthy.
func (g *gpu) tensor() (share float64, known bool) {
	if g.profilingDead() {
		return 0, false
	}
	return g.Values.Get(train.GPUTensorActive)
}

// powerShare returns the power as a share of its limit.
func (g *gpu) powerShare() (share float64, known bool) {
	power, known := g.Values.Get(train.GPUPower)
	limit, limited := g.Values.Get(train.GPUPowerLimit)
	if !known || !limited || limit <= 0 {
		return 0, false
	}
	return power / limit, true
}

// memoryShare returns the memory in use as a share of all.
func (g *gpu) memoryShare() (share float64, known bool) {
	used, known := g.Values.Get(train.GPUMemoryUsed)
	total, hasTotal := g.Values.Get(train.GPUMemoryTotal)
	if !known || !hasTotal || total <= 0 {
		return 0, false
	}
	return used / total, true
}

// lasts records that a state has held since an instant (zero: since now), or
// since it was first observed, whichever is earlier, and reports whether that
// is long enough. A state that will not be measured again is long enough at
// once.
func (g *gpu) lasts(kind string, from time.Time, least time.Duration) (since time.Time, enough bool) {
	if from.IsZero() || from.After(g.now) {
		from = g.now
	}
	since = g.memory.note(kind, g.id, from)
	return since, g.once() || g.now.Sub(since) >= least
}

// window holds the means of a quantity per time step, oldest first; NaN where
// nothing was measured.
type window struct {
	start time.Time
	step  time.Duration
	means []float32
}

// run returns the newest unbroken sequence of steps for which holds is true:
// when it began (the middle of its first step) and how many steps were
// measured in it. Steps without a measurement neither break it nor count.
func (w window) run(holds func(float64) bool) (began time.Time, known int) {
	for i := len(w.means) - 1; i >= 0; i-- {
		v := float64(w.means[i])
		if math.IsNaN(v) {
			continue
		}
		if !holds(v) {
			break
		}
		began, known = w.start.Add(time.Duration(i)*w.step+w.step/2), known+1
	}
	return began, known
}

// mean returns the mean of the measured steps, and how many they are.
func (w window) mean() (mean float64, known int) {
	sum := 0.0
	for _, v := range w.means {
		if v == v { // not NaN
			sum, known = sum+float64(v), known+1
		}
	}
	return sum / float64(max(1, known)), known
}
