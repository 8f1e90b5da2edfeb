package series

import (
	"math"
	"slices"
)

// Row is what all metrics of one sample share.
type Row struct {
	Line int64
	// Time is in Unix nanoseconds, 0 when unknown.
	Time int64
	// X does not fall along an attempt of one rank: it is the step, or where
	// the log counts within the epoch the steps of all epochs so far, or else
	// the epoch, or else the number of the sample. A line without a step has
	// the position of the step before it, and so has a line that is printed
	// out of order.
	X float64
	// Step and Epoch are as printed, NaN when they are not.
	Step, Epoch float64
	// Rank is the rank that a prefix of the line names, -1 without one.
	Rank int32
	// Attempt counts from 0 in one log, for each rank distinguished by
	// prefixes, and increases when steps go back: training was resumed.
	Attempt int32
}

// Column is one metric of one rank over the rows.
type Column struct {
	Name string
	// Rank is Row.Rank of all its rows: a log whose prefixes distinguish ranks
	// has a column for each.
	Rank int32
	// Row[i] is the index in Rows of Values[i], ascending.
	Row    []uint32
	Values []float64
	// sums[i] is the sum over all points up to i, including thinned ones, of a
	// hash of step, epoch and value: two columns with the same difference
	// between two points have the same points in between.
	sums []uint32
	// order is lossOrder of the name.
	order int8
	// total is over the values of the newest attempt, earlier over those before it.
	total   total
	earlier []total
}

// total is over all finite values of one attempt, thinned ones too.
type total struct {
	attempt int32
	values  int64
	sum     float64
}

// count adds a value of an attempt.
func (c *Column) count(attempt int32, value float64) {
	if c.total.attempt != attempt {
		c.earlier = append(c.earlier, c.total)
		c.total = total{attempt: attempt}
	}
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		c.total.values++
		c.total.sum += value
	}
}

// recount takes the newest values, those from a row on, as the first of an attempt.
func (c *Column) recount(from uint32, attempt int32) {
	at, _ := slices.BinarySearch(c.Row, from)
	for _, v := range c.Values[at:] {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			c.total.values--
			c.total.sum -= v
		}
	}
	for _, v := range c.Values[at:] {
		c.count(attempt, v)
	}
}

// totalOf is the total of one attempt.
func (c *Column) totalOf(attempt int32) total {
	for _, t := range c.earlier {
		if t.attempt == attempt {
			return t
		}
	}
	return c.total
}

// Unit is what Row.X counts.
type Unit uint8

const (
	UnitSamples Unit = iota // neither step nor epoch is printed
	UnitEpochs
	UnitSteps
	// UnitItems are samples of the data set, where the log counts these
	// instead of steps.
	UnitItems
)

// Table is a snapshot of the samples of one log. It never changes.
type Table struct {
	Rows []Row
	// Columns are in the order in which the metrics first appeared.
	Columns []Column
	// Unit is what Row.X counts.
	Unit Unit
	// Counted is true while steps are counts of records: the log printed no
	// position so far.
	Counted bool
	// Thinned is about how many samples there were where three points are
	// left, 1 while all are kept. When thinned, the axis is divided into equal
	// parts and in each part every metric keeps its smallest, largest and last
	// value and the first that is not finite. The newest samples are never
	// thinned.
	Thinned int
	// Samples counts all samples that arrived.
	Samples int64
	// LeftOut counts values that were dropped because the log prints too many
	// different metrics.
	LeftOut int64
	// Uncounted counts samples whose step is beyond 2^53, so large that floats
	// do not count on: they are kept without a step.
	Uncounted int64
}

// Column returns a metric by name, nil when the log never printed it; where
// prefixes distinguish ranks, that of the rank that printed it first.
func (t *Table) Column(name string) *Column {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}
