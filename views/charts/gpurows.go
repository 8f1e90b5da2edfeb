package charts

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// gpuStrip is the name of the strip of GPU rows among the metrics. No log
// prints a metric whose name has a line end.
const gpuStrip = "GPU\n"

// The history is divided into buckets of this length.
const (
	gpuBucket  = 15 * time.Second
	gpuBuckets = int(store.GPUHistory / gpuBucket)
)

// Up to fewGPUs have a row each. Of a job of up to rankedGPUs each rank has a
// row, of a larger one only ranks with a signal: more would take too long for
// the event loop.
const (
	fewGPUs    = 8
	rankedGPUs = 512
)

// gpuPause is the time between two reads of the history of a job's GPUs.
const gpuPause = 5 * time.Second

// gpuRows are the values of a job's GPUs over the last hour.
type gpuRows struct {
	shows    int // an index of gpuShows
	measured bool
	// tells marks which of gpuShows at least one GPU reports.
	tells [len(gpuShows)]bool

	mean, lowest gpuRow
	rows         []gpuRow // of GPUs or of ranks, in order
	from         time.Time
	known        time.Time // the first bucket with a number, zero without one

	seen  gpuSeen
	looks int // counts how often rows were computed
	drawn gpuDrawn
}

// gpuRow is one row: a number for each bucket, NaN without data.
type gpuRow struct {
	name   string
	values []float32
	// low is drawn coldest, and high hottest.
	low, high float64
	// word names the fault, "" for none, and role its severity.
	word string
	role themes.Role
}

// gpuSeen is the input that rows were computed from.
type gpuSeen struct {
	job     *train.Job
	version uint64
	now     time.Time
	shows   int
	report  *signals.Report
}

// gpuShow is a quantity that rows can show, with its name.
type gpuShow struct {
	quantity train.Quantity
	name     string
}

// gpuShows are the quantities in the order in which the key cycles through
// them.
var gpuShows = [...]gpuShow{
	{train.GPUUtilization, "use"}, {train.GPUPower, "power"}, {train.GPUTensorActive, "tensor"},
	{train.GPUMemoryUsed, "memory"}, {train.GPUTemperature, "temp"},
}

func (g *gpuRows) quantity() train.Quantity { return gpuShows[g.shows].quantity }

// load updates the rows from the newest snapshot, seldom enough to cost little.
func (g *gpuRows) load(f views.Frame, job *train.Job) {
	next := gpuSeen{job, f.Snapshot.GPUsVersion, f.Snapshot.Now, g.shows, f.Diagnosis.Signals()}
	if next == g.seen || g.pausing(next) {
		return
	}
	g.seen = next
	g.looks++
	states := measured(f.Snapshot.GPUsOf(job))
	g.measured = len(states) > 0
	if !g.measured {
		return
	}
	g.learn(states)
	g.from = f.Snapshot.Now.Truncate(gpuBucket).Add(gpuBucket - store.GPUHistory)
	g.rows = nil
	if len(states) <= fewGPUs {
		g.oneByOne(f, states)
	} else {
		g.byRank(f, job, states)
	}
	g.summarise(f.Snapshot, job, states)
}

// pausing reports whether only readings and a little time were added since the
// last update. A clock that does not move is that of a file.
func (g *gpuRows) pausing(next gpuSeen) bool {
	passed := next.now.Sub(g.seen.now)
	next.version, next.now = g.seen.version, g.seen.now
	return g.measured && next == g.seen && passed > 0 && passed < gpuPause
}

// measured returns the GPUs that a source measures.
func measured(states []*train.GPUState) []*train.GPUState {
	return slices.DeleteFunc(slices.Clone(states), func(s *train.GPUState) bool { return len(s.Sources) == 0 })
}

// learn records which quantities any GPU reports.
func (g *gpuRows) learn(states []*train.GPUState) {
	g.tells = [len(gpuShows)]bool{}
	for _, state := range states {
		for i, show := range gpuShows {
			g.tells[i] = g.tells[i] || state.Values.Known(show.quantity)
		}
	}
}

// summarise computes the rows of the mean and of the lowest of all GPUs, and
// fills the gaps between two readings in all rows.
func (g *gpuRows) summarise(s *store.Snapshot, job *train.Job, states []*train.GPUState) {
	low, high := g.scale(states)
	g.mean, g.lowest = newGPURow("mean", low, high), newGPURow("lowest", low, high)
	s.JobSpark(job, g.quantity(), g.mean.values, g.lowest.values, g.from, gpuBucket)
	most := gapOf(states)
	bridge(g.mean.values, most)
	bridge(g.lowest.values, most)
	for i := range g.rows {
		bridge(g.rows[i].values, most)
	}
	g.known = time.Time{}
	if first := slices.IndexFunc(g.mean.values, func(v float32) bool { return v == v }); first >= 0 {
		g.known = g.from.Add(time.Duration(first) * gpuBucket)
	}
}

func newGPURow(name string, low, high float64) gpuRow {
	return gpuRow{name: name, values: make([]float32, gpuBuckets), low: low, high: high}
}

// gapOf is how many buckets a source may leave between two readings: a number
// is valid for train.StaleAfter intervals.
func gapOf(states []*train.GPUState) int {
	every := gpuBucket
	for _, state := range states {
		every = max(every, state.Every)
	}
	return int(train.StaleAfter * every / gpuBucket)
}

// bridge fills gaps of at most so many buckets with the value before them.
func bridge(values []float32, most int) {
	last := -1
	for i, v := range values {
		switch {
		case v == v:
			last = i
		case last >= 0 && i-last <= most:
			values[i] = values[last]
		}
	}
}

// Temperatures are drawn between these, in °C: a chip at rest, and one near
// the point where it slows down (NVIDIA's data-centre boards: 85 to 95).
const (
	coolest = 30
	hottest = 90
)

// scale returns the range that a quantity is drawn on: power from 0 to its
// limit, memory to its size, or to the largest value seen where no source
// reports the limit.
func (g *gpuRows) scale(states []*train.GPUState) (low, high float64) {
	switch q := g.quantity(); q {
	case train.GPUUtilization:
		return 0, 100
	case train.GPUTensorActive:
		return 0, 1
	case train.GPUTemperature:
		return coolest, hottest
	case train.GPUPower:
		return 0, greatest(states, train.GPUPowerLimit, q)
	default:
		return 0, greatest(states, train.GPUMemoryTotal, q)
	}
}

// greatest returns the largest value of the first quantity that any GPU
// reports.
func greatest(states []*train.GPUState, quantities ...train.Quantity) float64 {
	for _, q := range quantities {
		highest := 0.0
		for _, state := range states {
			if v, known := state.Values.Get(q); known {
				highest = max(highest, v)
			}
		}
		if highest > 0 {
			return highest
		}
	}
	return 1
}

// oneByOne makes a row for each GPU.
func (g *gpuRows) oneByOne(f views.Frame, states []*train.GPUState) {
	several := states[0].Rank != states[len(states)-1].Rank
	for i, state := range states {
		name := "GPU " + state.GPU.Index
		if several {
			name = rankName(state.Rank) + ":" + state.GPU.Index
		}
		low, high := g.scale(states[i : i+1])
		row := newGPURow(name, low, high)
		f.Snapshot.GPUBuckets(state.GPU.ID(), g.quantity(), g.from, gpuBucket, row.values)
		for _, s := range f.Diagnosis.Signals().GPU(state.GPU.ID()) {
			row.say(&s)
		}
		g.rows = append(g.rows, row)
	}
}

// byRank makes a row of the mean of each rank's GPUs.
func (g *gpuRows) byRank(f views.Frame, job *train.Job, states []*train.GPUState) {
	said := ranksSaid(f.Diagnosis.Signals(), job)
	low, high := g.scale(states)
	for from, to := 0, 0; from < len(states); from = to {
		rank := states[from].Rank
		for to < len(states) && states[to].Rank == rank {
			to++
		}
		if said[rank] == nil && len(states) > rankedGPUs {
			continue
		}
		row := newGPURow("rank "+rankName(rank), low, high)
		g.meanOf(f.Snapshot, states[from:to], row.values)
		if said[rank] != nil {
			row.say(said[rank])
		}
		g.rows = append(g.rows, row)
	}
}

// ranksSaid returns the worst signal of each single rank of a job.
func ranksSaid(report *signals.Report, job *train.Job) map[int]*signals.Signal {
	said := map[int]*signals.Signal{}
	reported := report.Job(job.ID) // the worst first
	for i := range reported {
		if reported[i].Severity == train.SeverityInfo {
			continue
		}
		for _, rank := range reported[i].Ranks {
			if said[rank] == nil {
				said[rank] = &reported[i]
			}
		}
	}
	return said
}

func rankName(rank int) string {
	if rank < 0 {
		return "?"
	}
	return strconv.Itoa(rank)
}

// meanOf fills values with the mean of some GPUs.
func (g *gpuRows) meanOf(s *store.Snapshot, states []*train.GPUState, values []float32) {
	one, counts := make([]float32, len(values)), make([]float32, len(values))
	for _, state := range states {
		s.GPUBuckets(state.GPU.ID(), g.quantity(), g.from, gpuBucket, one)
		for i, v := range one {
			if v == v {
				values[i] += v
				counts[i]++
			}
		}
	}
	for i, n := range counts {
		if values[i] /= n; n == 0 {
			values[i] = float32(math.NaN())
		}
	}
}

// say sets a row's fault from a signal, unless the signal is only
// informational.
func (r *gpuRow) say(s *signals.Signal) {
	if r.word != "" || s.Severity == train.SeverityInfo {
		return
	}
	r.word, r.role = s.Word, themes.Waiting
	if s.Severity == train.SeverityError {
		r.role = themes.Bad
	}
}

// recent is the mean of the newest two minutes with data, NaN without any.
func (r *gpuRow) recent() float64 {
	sum, n := 0.0, 0
	for i := len(r.values) - 1; i >= 0 && n < int(2*time.Minute/gpuBucket); i-- {
		if v := float64(r.values[i]); finite(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}

// fitting chooses the rows that fit into some lines: all in order, or the mean,
// the lowest, and the worst outliers.
func (g *gpuRows) fitting(height int) []*gpuRow {
	rows := make([]*gpuRow, 0, len(g.rows)+2)
	if len(g.rows) == 0 || len(g.rows) > height {
		rows = append(rows, &g.mean, &g.lowest)
	}
	summed := len(rows)
	for i := range g.rows {
		rows = append(rows, &g.rows[i])
	}
	if summed > 0 {
		slices.SortStableFunc(rows[summed:], func(a, b *gpuRow) int {
			return cmp.Or(cmp.Compare(a.bySeverity(), b.bySeverity()), cmp.Compare(a.recent(), b.recent()))
		})
	}
	return rows[:min(height, len(rows))]
}

// bySeverity orders rows by the severity of their fault: 0 is an error.
func (r *gpuRow) bySeverity() int {
	switch {
	case r.word == "":
		return 2
	case r.role == themes.Bad:
		return 0
	}
	return 1
}

// wanted is how many lines all rows need.
func (g *gpuRows) wanted() int {
	if len(g.rows) == 0 || g.seen.job != nil && len(g.rows) < len(g.seen.job.Ranks) && len(g.rows) > fewGPUs {
		return len(g.rows) + 2
	}
	return len(g.rows)
}

// turnGPUs switches the rows of GPUs to the next quantity that any of them
// reports.
func (v *View) turnGPUs() views.Effect {
	g := v.gpus
	if !g.measured {
		return views.Notice{Text: "nothing is measured of this job's GPUs"}
	}
	for range gpuShows {
		g.shows = (g.shows + 1) % len(gpuShows)
		if g.tells[g.shows] {
			break
		}
	}
	return nil
}
