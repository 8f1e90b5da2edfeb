package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

var begin = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// at returns a sample of a step with a loss, printed that many seconds after
// the beginning.
func at(step float64, seconds int, loss float64) train.Sample {
	return train.Sample{
		Line: int64(seconds + 1), Time: begin.Add(time.Duration(seconds) * time.Second), Rank: -1, Step: step, HasStep: true,
		Metrics: []train.Metric{{Name: train.MetricLoss, Value: loss}},
	}
}

func inEpoch(epoch, step float64, scope train.StepScope) train.Sample {
	s := at(step, 0, 1)
	s.Epoch, s.HasEpoch, s.Scope = epoch, true, scope
	return s
}

func evaluation(s train.Sample) train.Sample {
	s.Metrics = []train.Metric{{Name: train.MetricEvalLoss, Value: 1}}
	return s
}

func noStep(s train.Sample) train.Sample {
	s.HasStep = false
	return s
}

// places returns "x" of each row, with "'" for each attempt after the first.
func places(t Table) (all []string) {
	for i := range t.Rows {
		text := fmt.Sprint(t.Rows[i].X)
		for range t.Rows[i].Attempt {
			text += "'"
		}
		all = append(all, text)
	}
	return all
}

func TestPlacesOnTheAxis(t *testing.T) {
	const run, epoch, items, records = train.ScopeRun, train.ScopeEpoch, train.ScopeSamples, train.ScopeRecords
	f := func(name, want string, hints train.ProgressHints, samples ...train.Sample) {
		t.Helper()
		r := NewRecorder(1000)
		r.AddHints(hints)
		r.Add(samples...)
		if got := fmt.Sprint(places(r.Table())); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	none := train.ProgressHints{}
	f("steps", "[1 2 2 5]", none, at(1, 0, 1), at(2, 0, 1), at(2, 0, 1), at(5, 0, 1))
	f("neither steps nor epochs", "[0 1 2]", none, noStep(at(0, 0, 1)), noStep(at(0, 0, 1)), noStep(at(0, 0, 1)))
	f("epochs alone", "[0.5 1 1.5]", none, noStep(inEpoch(.5, 0, run)), noStep(inEpoch(1, 0, run)), noStep(inEpoch(1.5, 0, run)))
	f("a line without a step", "[10 10 20]", none, at(10, 0, 1), noStep(at(0, 0, 1)), at(20, 0, 1))
	f("steps begin later", "[10 10 10 20]", none, noStep(inEpoch(0, 0, run)), noStep(inEpoch(.5, 0, run)), at(10, 0, 1), at(20, 0, 1))
	f("resumed", "[100 200 300 210' 220' 300' 400']", none, at(100, 0, 1), at(200, 0, 1), at(300, 0, 1), at(210, 0, 1), at(220, 0, 1), at(300, 0, 1), at(400, 0, 1))
	f("from the beginning again", "[10 20 30 10' 20' 30' 40']", none, at(10, 0, 1), at(20, 0, 1), at(30, 0, 1), at(10, 0, 1), at(20, 0, 1), at(30, 0, 1), at(40, 0, 1))
	f("a line out of order", "[100 101 101 102]", none, at(100, 0, 1), at(101, 0, 1), at(99, 0, 1), at(102, 0, 1))
	f("a number misread", "[100 101 101 102 103]", none, at(100, 0, 1), at(9e9, 0, 1), at(101, 0, 1), at(102, 0, 1), at(103, 0, 1))
	f("no steps at all", "[1 1 1 1 2]", none, at(1, 0, 1), at(1e300, 0, 1), at(math.NaN(), 0, 1), at(-1, 0, 1), at(2, 0, 1))
	f("infinite from the start", "[0 1]", none, at(math.Inf(1), 0, 1), at(math.Inf(-1), 0, 1))
	f("within the epoch", "[50 100 150 200 250]", train.ProgressHints{StepsPerEpoch: 100},
		inEpoch(1, 50, epoch), inEpoch(1, 100, epoch), inEpoch(2, 50, epoch), inEpoch(2, 100, epoch), inEpoch(3, 50, epoch))
	f("within the epoch, its length is not told", "[0 50 99 100 150]", none,
		inEpoch(0, 0, epoch), inEpoch(0, 50, epoch), inEpoch(0, 99, epoch), inEpoch(1, 0, epoch), inEpoch(1, 50, epoch))
	f("within an epoch that is not told", "[10 90 100 180 190]", train.ProgressHints{StepsPerEpoch: 90},
		scoped(at(10, 0, 1), epoch), scoped(at(90, 0, 1), epoch), scoped(at(10, 0, 1), epoch), scoped(at(90, 0, 1), epoch), scoped(at(10, 0, 1), epoch))
	f("nobody tells that they restart", "[10 20 30 40]", none, inEpoch(1, 10, run), inEpoch(1, 20, run), inEpoch(2, 10, run), inEpoch(2, 20, run))
	f("the reader learns that they restart", "[50 100 150 200]", none, inEpoch(1, 50, run), inEpoch(1, 100, run), inEpoch(2, 50, epoch), inEpoch(2, 100, epoch))
	f("the reader learns that they go on", "[50 100 150 200]", none, inEpoch(1, 50, epoch), inEpoch(1, 100, epoch), inEpoch(2, 150, run), inEpoch(2, 200, run))
	f("two lines that count differently", "[50 100 150 160 200]", none,
		inEpoch(1, 50, epoch), inEpoch(1, 100, epoch), inEpoch(2, 50, epoch), at(160, 0, 1), inEpoch(2, 100, epoch))
	f("the last step of each epoch", "[500 500 1500 2000]", none, inEpoch(1, 500, run), inEpoch(2, 500, run), inEpoch(3, 500, run), inEpoch(4, 500, run))
	f("an epoch ends at a step of the run", "[500 500 600]", none, inEpoch(1, 500, run), inEpoch(2, 500, run), inEpoch(2, 600, run))
	f("samples of the data set", "[0 640 1279 2000 2640]", none,
		inEpoch(1, 0, items), inEpoch(1, 640, items), inEpoch(1, 1279, items), inEpoch(2, 720, items), inEpoch(2, 1360, items))
	f("begins in a later epoch", "[450 460]", train.ProgressHints{StepsPerEpoch: 200}, inEpoch(3, 50, epoch), inEpoch(3, 60, epoch))
	f("resumed in an earlier epoch", "[10 110 210 220 111' 112']", train.ProgressHints{StepsPerEpoch: 100},
		inEpoch(1, 10, epoch), inEpoch(2, 10, epoch), inEpoch(3, 10, epoch), inEpoch(3, 20, epoch), inEpoch(2, 11, epoch), inEpoch(2, 12, epoch))
	f("an evaluation counts its own", "[100 100 100 200 200]", none,
		at(100, 0, 1), evaluation(at(1, 0, 1)), evaluation(at(2, 0, 1)), at(200, 0, 1), evaluation(at(3, 0, 1)))
	f("an evaluation ahead of its step", "[100 150 200]", none, at(100, 0, 1), evaluation(at(150, 0, 1)), at(200, 0, 1))
	f("an evaluation before the first step", "[1 1 1 2]", none, evaluation(at(50, 0, 1)), evaluation(at(99, 0, 1)), at(1, 0, 1), at(2, 0, 1))
	f("records that are counted", "[1 2 3]", none, scoped(at(1, 0, 1), records), scoped(at(2, 0, 1), records), scoped(at(3, 0, 1), records))
	f("counts of records before the first step", "[0 0 0 0 20]", none,
		scoped(at(1, 0, 1), records), scoped(at(2, 0, 1), records), scoped(at(3, 0, 1), records), inEpoch(1, 0, epoch), inEpoch(1, 20, epoch))
	f("counts of records before the first epoch", "[1 1 1 2]", none,
		scoped(at(1, 0, 1), records), scoped(at(2, 0, 1), records), noStep(inEpoch(1, 0, run)), noStep(inEpoch(2, 0, run)))
	f("a count of records behind a step", "[10 10 20]", none, at(10, 0, 1), scoped(at(3, 0, 1), records), at(20, 0, 1))
	f("evaluations alone", "[1 2 3]", none, evaluation(at(1, 0, 1)), evaluation(at(2, 0, 1)), evaluation(at(3, 0, 1)))
}

func scoped(s train.Sample, scope train.StepScope) train.Sample {
	s.Scope = scope
	return s
}

func TestRanksOfOneLogAreFollowedApart(t *testing.T) {
	r := NewRecorder(1000)
	for step := range 5 {
		for rank := range 3 {
			s := at(float64(step+1), step, float64(rank))
			s.Rank = rank
			r.Add(s)
		}
	}
	slow := at(2, 9, 7) // rank 1 was resumed, the others were not
	slow.Rank = 1
	r.Add(slow, slow)
	table := r.Table()
	if len(table.Columns) != 3 || table.Columns[1].Rank != 1 || len(table.Columns[1].Values) != 7 {
		t.Fatalf("columns are %+v", table.Columns)
	}
	for i := range table.Columns {
		c := &table.Columns[i]
		last := table.Rows[c.Row[len(c.Row)-1]]
		if want := int32(0); i == 1 && last.Attempt != 1 || i != 1 && last.Attempt != want {
			t.Errorf("rank %d ends in attempt %d", c.Rank, last.Attempt)
		}
	}
}

func TestTablesNeverChange(t *testing.T) {
	r := NewRecorder(600)
	random := rand.New(rand.NewPCG(1, 2))
	var tables []Table
	var wants []string
	step := 0.0
	for i := range 3000 {
		step++
		if random.IntN(200) == 0 {
			step = float64(random.IntN(int(step)))
		}
		s := at(step, i, random.Float64())
		if random.IntN(3) == 0 {
			s.Metrics = append(s.Metrics, train.Metric{Name: fmt.Sprint("m", random.IntN(5)), Value: random.Float64()})
		}
		r.Add(s)
		if random.IntN(40) == 0 {
			table := r.Table()
			tables, wants = append(tables, table), append(wants, fmt.Sprintf("%+v", table))
		}
	}
	for i := range tables {
		if got := fmt.Sprintf("%+v", tables[i]); got != wants[i] {
			t.Fatalf("table %d changed from %.200s to %.200s", i, wants[i], got)
		}
	}
}

// Thinning keeps, within each bucket, the smallest, the largest
// and the last value of each metric, at their own steps, and each returned
// value was printed.
func TestThinning(t *testing.T) {
	const limit, n = 2000, 40_000
	r := NewRecorder(limit)
	random := rand.New(rand.NewPCG(5, 6))
	var all []float64
	for i := range n {
		value := random.NormFloat64()
		switch i {
		case 20_001:
			value = 1e6
		case 30_003:
			value = -1e6
		case 35_005:
			value = math.NaN()
		}
		all = append(all, value)
		s := at(float64(i), i, value)
		s.Metrics = append(s.Metrics, train.Metric{Name: "second", Value: -value})
		r.Add(s)
		if size := r.values; size > limit {
			t.Fatalf("%d values kept, limit %d", size, limit)
		}
	}
	table := r.Table()
	if table.Samples != n || table.Thinned < n/limit || len(table.Rows) > limit {
		t.Errorf("%d samples in %d rows, each for %d", table.Samples, len(table.Rows), table.Thinned)
	}
	for _, c := range table.Columns {
		sign := 1.0
		if c.Name == "second" {
			sign = -1
		}
		low, high, nans := math.Inf(1), math.Inf(-1), 0
		for i, row := range c.Row {
			step := int(table.Rows[row].Step)
			if got, want := c.Values[i], sign*all[step]; got != want && !math.IsNaN(want) {
				t.Fatalf("%s at step %d is %g, want %g", c.Name, step, got, want)
			}
			if i > 0 && c.Row[i-1] >= row {
				t.Fatalf("%s: rows do not ascend", c.Name)
			}
			if math.IsNaN(c.Values[i]) {
				nans++
				continue
			}
			low, high = min(low, c.Values[i]), max(high, c.Values[i])
		}
		if low != -1e6 || high != 1e6 || nans != 1 {
			t.Errorf("%s: smallest %g, largest %g and %d NaN are left", c.Name, low, high, nans)
		}
		newest := slices.Clone(c.Values[len(c.Values)-50:])
		for i, v := range newest {
			if want := sign * all[n-50+i]; v != want {
				t.Errorf("%s: of the newest 50, number %d is %g, want %g", c.Name, i, v, want)
			}
		}
	}
}

func TestSamplesKeptApart(t *testing.T) {
	r := NewRecorder(1000)
	r.KeepApart(10 * time.Second)
	unknown := at(34, 34, 1)
	unknown.Time = time.Time{}
	r.Add(
		at(0, 0, 1), at(1, 1, 1),
		evaluation(at(2, 2, 1)), // of another metric
		at(3, 9, math.NaN()),    // must not be lost
		at(4, 12, 1), at(19, 19, 1), at(20, 25, 1),
		at(33, 18, 1), // clocks also jump back
		unknown,
	)
	table := r.Table()
	if got, want := fmt.Sprint(places(table)), "[0 2 3 19 33 34]"; got != want {
		t.Errorf("kept at %s, want %s", got, want)
	}
	if table.Samples != 9 {
		t.Errorf("%d samples counted, 9 came", table.Samples)
	}
}

func TestHostileLogsAreBounded(t *testing.T) {
	r := NewRecorder(20_000)
	random := rand.New(rand.NewPCG(7, 8))
	for i := range 30_000 {
		s := train.Sample{Line: int64(i), Rank: random.IntN(5000) - 1, Step: random.ExpFloat64() * 1e6, HasStep: true, Epoch: float64(random.IntN(100)), HasEpoch: i%2 == 0, Scope: train.StepScope(i % 3)}
		for range random.IntN(4) {
			s.Metrics = append(s.Metrics, train.Metric{Name: fmt.Sprint(random.IntN(100_000)), Value: random.NormFloat64()})
		}
		r.Add(s)
	}
	table := r.Table()
	if len(r.trackers) > maxTrackers+1 || len(table.Columns) > maxColumns || len(r.names) > maxNames || table.LeftOut == 0 {
		t.Errorf("%d trackers, %d columns, %d names, %d values left out", len(r.trackers), len(table.Columns), len(r.names), table.LeftOut)
	}
	if len(table.Rows) > 20_000 || r.values > 20_000 {
		t.Errorf("%d rows and %d values kept", len(table.Rows), r.values)
	}
	Join([]Source{{Table: table}}).Tracks(table.Columns[0].Name)
}

func TestALimitThatShrinks(t *testing.T) {
	r := NewRecorder(10_000)
	for i := range 5000 {
		r.Add(at(float64(i), i, float64(i)))
	}
	before := r.Size()
	r.SetLimit(100)
	if r.values > 100 || r.Size() >= before {
		t.Errorf("%d values are left", r.values)
	}
	if table := r.Table(); table.Rows[len(table.Rows)-1].Step != 4999 {
		t.Errorf("the newest step left is %g", table.Rows[len(table.Rows)-1].Step)
	}
}

func FuzzRecorder(f *testing.F) {
	f.Add([]byte{1, 2, 3, 250, 4, 5, 0, 0, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewRecorder(64)
		for i := 0; i+3 < len(data); i += 4 {
			s := at(float64(data[i])*math.Pow(10, float64(data[i+1]%40)-5), int(data[i+2]), float64(int8(data[i+3])))
			s.HasStep, s.HasEpoch, s.Epoch = data[i+1]&1 == 0, data[i+1]&2 == 0, float64(data[i+2]>>4)
			s.Scope, s.Rank = train.StepScope(data[i+3]%3), int(data[i+3]>>6)-1
			if data[i+2]&1 == 0 {
				s = evaluation(s)
			}
			r.Add(s)
		}
		table := r.Table()
		for i := range table.Columns {
			c := &table.Columns[i]
			for k := 1; k < len(c.Row); k++ {
				a, b := &table.Rows[c.Row[k-1]], &table.Rows[c.Row[k]]
				// where a number was misread, an earlier evaluation may keep
				// its position
				back := b.Attempt == a.Attempt && b.X < a.X && c.Name == train.MetricLoss
				if b.Attempt < a.Attempt || back || math.IsNaN(b.X) {
					t.Fatalf("%s goes from %+v to %+v in %v", c.Name, *a, *b, places(table))
				}
			}
		}
		run := Join([]Source{{Table: table, Rank: 0}})
		for _, metric := range run.Metrics {
			run.Tracks(metric)
			run.Spark(metric, 8)
		}
		run.Stalled(begin)
	})
}

// A step counts as far as floats distinguish it from the next one; what is beyond is
// counted and kept without it.
func TestStepsThatFloatsDoNotCount(t *testing.T) {
	r := NewRecorder(1000)
	r.Add(at(1e15, 0, 2), at(1e15+1, 1, 2), at(1<<53-1, 2, 2), at(1<<53, 3, 2), at(1e18, 4, 2))
	table := r.Table()
	var steps []float64
	for _, row := range table.Rows {
		if !math.IsNaN(row.Step) {
			steps = append(steps, row.Step)
		}
	}
	if !slices.Equal(steps, []float64{1e15, 1e15 + 1, 1<<53 - 1}) || table.Uncounted != 2 || len(table.Rows) != 5 {
		t.Errorf("steps %v of %d rows, %d uncounted", steps, len(table.Rows), table.Uncounted)
	}
}
