package series

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// A log has at most maxNames different metrics, and maxColumns of metrics and
// ranks together; verl, which prints most, prints some 80 (0.7).
const (
	maxNames    = 256
	maxColumns  = 2048
	maxTrackers = 1024
)

// Recorder collects the samples of one log. It belongs to one goroutine.
type Recorder struct {
	limit    int
	table    Table
	values   int
	columns  map[columnKey]int
	recent   []int // the columns of the newest sample's metrics, by index in the sample
	names    map[string]bool
	trackers map[int32]*stepTracker
	hints    train.ProgressHints
	// apart is the least time between samples of the same kind.
	apart time.Duration
	// spacing is the usual distance on the axis between samples, width that of
	// the thinned parts of the axis; 0 before anything was thinned.
	spacing, width float64
}

type columnKey struct {
	name string
	rank int32
}

// NewRecorder returns a recorder that keeps at most limit values (a value is
// one metric of one sample, 16 bytes; what its values share is 48 for each
// sample, of which there are at most limit too).
func NewRecorder(limit int) *Recorder {
	return &Recorder{
		limit: limit, table: Table{Thinned: 1},
		columns: map[columnKey]int{}, names: map[string]bool{}, trackers: map[int32]*stepTracker{},
	}
}

// AddHints stores progress hints that the log prints. Later samples are
// positioned with them.
func (r *Recorder) AddHints(o train.ProgressHints) { r.hints = o }

// Add adds samples in the order of their lines.
func (r *Recorder) Add(samples ...train.Sample) {
	for i := range samples {
		r.add(&samples[i])
	}
}

func (r *Recorder) add(s *train.Sample) {
	t := &r.table
	row := Row{Line: s.Line, Rank: int32(max(-1, min(s.Rank, math.MaxInt32))), Step: math.NaN(), Epoch: math.NaN()}
	if !s.Time.IsZero() {
		row.Time = s.Time.UnixNano()
	}
	if s.HasStep && plausible(s.Step) {
		row.Step = s.Step
	}
	if s.HasStep && s.Step >= countsTo {
		t.Uncounted++
	}
	if s.HasEpoch && plausible(s.Epoch) {
		row.Epoch = s.Epoch
	}
	t.Samples++
	t.LeftOut += int64(s.LeftOut)
	if r.tooSoon(s, &row) {
		return
	}
	tracker := r.tracker(row.Rank)
	tracker.assignX(r, &row, s.Scope, evaluates(s))
	t.Unit = max(t.Unit, tracker.unit)
	at := uint32(len(t.Rows))
	t.Rows = append(roomFor(t.Rows), row)
	point := hashPoint(row.Step, row.Epoch)
	for i := range s.Metrics {
		r.addValue(r.columnAt(i, columnKey{s.Metrics[i].Name, row.Rank}), at, point, s.Metrics[i].Value)
	}
	if r.values > r.limit || len(t.Rows) > r.limit {
		r.Thin()
	}
}

// KeepApart drops a sample that follows one with the same first metric sooner
// than this, unless a value is not finite; 0 keeps all. It serves readers that
// check how training goes and draw no curve.
func (r *Recorder) KeepApart(d time.Duration) { r.apart = d }

func (r *Recorder) tooSoon(s *train.Sample, row *Row) bool {
	if r.apart == 0 || row.Time == 0 || len(s.Metrics) == 0 {
		return false
	}
	for i := range s.Metrics {
		if v := s.Metrics[i].Value; math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	c := r.columnAt(0, columnKey{s.Metrics[0].Name, row.Rank})
	if c == nil || len(c.Row) == 0 {
		return false
	}
	since := row.Time - r.table.Rows[c.Row[len(c.Row)-1]].Time
	return since >= 0 && since < int64(r.apart)
}

// countsTo is the first number behind which floats no longer distinguish each whole
// number from the next.
const countsTo = 1 << 53

// plausible reports whether a number can count steps or epochs.
func plausible(n float64) bool { return n >= 0 && n < countsTo }

// evaluates reports a line of an evaluation: its steps may count something
// else.
func evaluates(s *train.Sample) bool {
	for i := range s.Metrics {
		if !isEvaluation(s.Metrics[i].Name) {
			return false
		}
	}
	return len(s.Metrics) > 0
}

func isEvaluation(name string) bool {
	for _, prefix := range []string{"eval", "val", "test", "dev"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (r *Recorder) tracker(rank int32) *stepTracker {
	l := r.trackers[rank]
	if l == nil {
		if len(r.trackers) >= maxTrackers {
			rank = math.MaxInt32 // all further ranks share one
			if l = r.trackers[rank]; l != nil {
				return l
			}
		}
		l = newStepTracker(rank)
		r.trackers[rank] = l
	}
	return l
}

// addValue adds a value to its column, nil for one that is not kept.
func (r *Recorder) addValue(c *Column, row, point uint32, value float64) {
	if c == nil {
		r.table.LeftOut++
		return
	}
	sum := point + hashValue(point, value)
	if n := len(c.sums); n > 0 {
		sum += c.sums[n-1]
	}
	c.Row, c.Values, c.sums = append(roomFor(c.Row), row), append(roomFor(c.Values), value), append(roomFor(c.sums), sum)
	c.count(r.table.Rows[row].Attempt, value)
	r.values++
}

// roomFor returns a slice with room for one more. Rows and values arrive one
// by one and for long, so a slice grows by more at a time than append would.
func roomFor[T any](all []T) []T {
	const few, least = 4096, 16
	if len(all) < cap(all) {
		return all
	}
	more := max(len(all), least)
	if len(all) >= few {
		more = len(all) / 2
	}
	return slices.Grow(all, more)
}

// columnAt returns the column of the metric at an index of a sample: mostly
// that of the same index in the previous sample, which saves a lookup.
func (r *Recorder) columnAt(position int, key columnKey) *Column {
	if position < len(r.recent) {
		if c := &r.table.Columns[r.recent[position]]; c.Rank == key.rank && c.Name == key.name {
			return c
		}
	}
	c := r.column(key)
	if c != nil && position <= len(r.recent) {
		r.recent = append(r.recent[:position], r.columns[key])
	}
	return c
}

// column returns the column of a metric, nil when there are too many.
func (r *Recorder) column(key columnKey) *Column {
	if i, found := r.columns[key]; found {
		return &r.table.Columns[i]
	}
	if len(r.columns) >= maxColumns || len(r.names) >= maxNames && !r.names[key.name] {
		return nil
	}
	key.name = strings.Clone(key.name) // it may be a substring of a line
	r.names[key.name] = true
	r.columns[key] = len(r.table.Columns)
	r.table.Columns = append(r.table.Columns, Column{Name: key.name, Rank: key.rank, order: lossOrder(key.name)})
	return &r.table.Columns[len(r.table.Columns)-1]
}

// Size returns what is kept, in values: a sample counts as four.
func (r *Recorder) Size() int { return r.values + 4*len(r.table.Rows) }

// SetLimit changes the limit and thins what exceeds it.
func (r *Recorder) SetLimit(limit int) {
	r.limit = limit
	if r.values > limit || len(r.table.Rows) > limit {
		r.Thin()
	}
}

// Table returns a snapshot as of now. It copies the list of columns and no
// points.
func (r *Recorder) Table() Table {
	t := r.table
	t.Columns = slices.Clone(t.Columns)
	return t
}

func hashPoint(step, epoch float64) uint32 {
	return uint32(mix(math.Float64bits(step)^mix(math.Float64bits(epoch))) >> 32)
}

func hashValue(point uint32, value float64) uint32 {
	return uint32(mix(math.Float64bits(value)+uint64(point)) >> 32)
}

// mix is the finalizer of SplitMix64: every bit of n changes half of all bits.
func mix(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
