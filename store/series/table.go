// Package series keeps the samples of logs in bounded memory, and joins those
// of a job's ranks and attempts into what a chart, a row of the job list or a
// check wants to know.
package series

import (
	"math"

	"github.com/traintop/traintop/train"
)

// Row is what all metrics of one sample share.
type Row struct {
	Line int64
	// Time is in Unix nanoseconds, 0 when nobody tells.
	Time int64
	// X grows along an attempt: the step, or where the log counts within the
	// epoch the steps of all epochs so far, or else the epoch, or else the
	// number of the sample.
	X float64
	// Step and Epoch are as printed, NaN when they are not.
	Step, Epoch float64
	// Rank is the one a prefix of the line names, -1 when none does.
	Rank int32
	// Attempt counts from 0 in one log and goes up when steps go back:
	// training was resumed.
	Attempt int32
}

// Column is one metric over the rows.
type Column struct {
	Name string
	// Row[i] is the place in Rows of Values[i], ascending.
	Row    []uint32
	Values []float64
}

// Table is a picture of the samples of one log. It never changes.
type Table struct {
	Rows []Row
	// Columns are in the order in which the metrics first appeared.
	Columns []Column
	// Thinned is how many samples each point that is left stands for, 1
	// while all are there. When thinned, a bucket keeps the samples of its
	// smallest, largest and last value.
	Thinned int
	// Samples counts all that came.
	Samples int64
}

// Column is a metric by name, nil when the log never printed it.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Recorder gathers the samples of one log. It belongs to one goroutine.
type Recorder struct{ table Table }

// NewRecorder makes a recorder that keeps at most limit values (a value is
// one metric of one sample, some 12 bytes, and 56 for what a sample's share).
func NewRecorder(limit int) *Recorder { return &Recorder{table: Table{Thinned: 1}} }

// Add takes samples in the order of their lines.
func (r *Recorder) Add(samples ...train.Sample) {
	t := &r.table
	for i := range samples {
		s := &samples[i]
		row := Row{Line: s.Line, Rank: int32(s.Rank), Step: math.NaN(), Epoch: math.NaN(), X: float64(len(t.Rows))}
		if !s.Time.IsZero() {
			row.Time = s.Time.UnixNano()
		}
		if s.HasEpoch {
			row.Epoch, row.X = s.Epoch, s.Epoch
		}
		if s.HasStep {
			row.Step, row.X = s.Step, s.Step
		}
		at := uint32(len(t.Rows))
		t.Rows = append(t.Rows, row)
		t.Samples++
		for _, m := range s.Metrics {
			c := t.Column(m.Name)
			if c == nil {
				t.Columns = append(append([]Column(nil), t.Columns...), Column{Name: m.Name})
				c = t.Column(m.Name)
			}
			c.Row, c.Values = append(c.Row, at), append(c.Values, m.Value)
		}
	}
}

// Table is the picture as of now.
func (r *Recorder) Table() Table {
	t := r.table
	t.Columns = append([]Column(nil), t.Columns...)
	return t
}
