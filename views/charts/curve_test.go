package charts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

func noise(n int) []train.Sample {
	random := rand.New(rand.NewPCG(5, 6))
	all := make([]train.Sample, n)
	for i := range all {
		v := 2 + random.NormFloat64()/10
		switch {
		case i%97 == 96:
			v = math.NaN()
		case i%301 == 300:
			v *= 7
		}
		all[i] = train.Sample{Line: int64(i + 1), Time: eight.Add(time.Duration(i) * time.Second), Rank: -1, Step: float64(i * 10), HasStep: true,
			Metrics: []train.Metric{{Name: train.MetricLoss, Value: v}}}
	}
	return all
}

func trackOf(t testing.TB, r *series.Recorder) series.Track {
	t.Helper()
	tracks := series.Join([]series.Source{{Stream: train.StreamID{File: "x"}, Table: r.Table()}}).Tracks(train.MetricLoss)
	if len(tracks) != 1 {
		t.Fatalf("%d tracks", len(tracks))
	}
	return tracks[0]
}

func byX(r *series.Row) float64 { return r.X }

// A curve that grew point by point equals one made at once.
func TestACurveGrowsToWhatItIs(t *testing.T) {
	all := noise(3000)
	r := series.NewRecorder(1 << 20)
	grown := newCurve(curveKey{})
	for i := range all {
		r.Add(all[i])
		if i%7 == 0 || i == len(all)-1 {
			grown.take(trackOf(t, r), byX, 0.9)
		}
	}
	whole := newCurve(curveKey{})
	whole.take(trackOf(t, r), byX, 0.9)
	for i := range whole.smooth {
		if grown.smooth[i] != whole.smooth[i] {
			t.Fatalf("the mean at point %d is %g, want %g", i, grown.smooth[i], whole.smooth[i])
		}
	}
	if !slices.Equal(grown.spikes, whole.spikes) || !slices.Equal(grown.broken, whole.broken) || !slices.Equal(grown.xs, whole.xs) {
		t.Error("spikes, broken points or places differ")
	}
	if len(whole.spikes) != 9 || len(whole.broken) != 30 || whole.nans != 30 {
		t.Errorf("%d spikes, %d breaks, %d values that are no numbers", len(whole.spikes), len(whole.broken), whole.nans)
	}
}

// When a track is thinned, the means stay those of all samples.
func TestMeansOutliveThinning(t *testing.T) {
	all := noise(4000)
	full, thin := series.NewRecorder(1<<20), series.NewRecorder(1500)
	exact, kept := newCurve(curveKey{}), newCurve(curveKey{})
	for i := range all {
		full.Add(all[i])
		thin.Add(all[i])
		kept.take(trackOf(t, thin), byX, 0.99)
	}
	exact.take(trackOf(t, full), byX, 0.99)
	if kept.len() >= exact.len() {
		t.Fatal("nothing was thinned")
	}
	if len(kept.smooth) != kept.len() || len(kept.xs) != kept.len() {
		t.Fatalf("%d points, %d means, %d places", kept.len(), len(kept.smooth), len(kept.xs))
	}
	worst := 0.0
	for i := range kept.smooth {
		at := exact.find(kept.row(i).Line)
		worst = max(worst, math.Abs(kept.smooth[i]-exact.smooth[at]))
	}
	if worst > 1e-9 {
		t.Errorf("a mean is off by %g", worst)
	}
}

func TestTheMeanIsThatOfItsDefinition(t *testing.T) {
	xs := []float64{0, 10, 20, 50, 60, 60, 55}
	vs := []float64{4, 2, 3, 1, 5, 7, 2}
	a := average{weight: 0.9, unit: 10}
	for n := range xs {
		got := a.add(xs[n], vs[n])
		sum, total, power := 0.0, 0.0, 1.0
		for i := n; i >= 0; i-- {
			sum, total = sum+power*vs[i], total+power
			if i > 0 {
				gap := (xs[i] - xs[i-1]) / 10
				if gap < 0 {
					gap = 1
				}
				power *= math.Pow(0.9, gap)
			}
		}
		if want := sum / total; math.Abs(got-want) > 1e-12 {
			t.Errorf("after %d: %g, want %g", n, got, want)
		}
	}
	if a.add(70, math.NaN()); !finite(a.mean()) || a.add(80, 1e308) == 0 || !finite(a.add(90, 1e308)) {
		t.Error("a value that is no number, or a huge one, broke the mean")
	}
}

func TestANoisyCurveNearZeroHasNoSpikes(t *testing.T) {
	w, spikes := spikeWatch{}, 0
	random := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		if w.add(math.Exp(random.NormFloat64()) / 1000) {
			spikes++
		}
	}
	if spikes > 100 {
		t.Errorf("%d of 5000 samples are spikes", spikes)
	}
	for range 100 {
		if (&spikeWatch{}).add(-3) {
			t.Error("a negative loss is a spike")
		}
	}
}

func TestRangeOf(t *testing.T) {
	f := func(name string, mode yMode, log bool, low, high float64, above, below int, values ...float64) {
		t.Helper()
		r := rangeOf([][]float64{values}, mode, log, math.NaN())
		if math.Abs(r.low-low) > math.Abs(low)*0.01+1e-9 || math.Abs(r.high-high) > math.Abs(high)*0.01+1e-9 || r.above != above || r.below != below {
			t.Errorf("%s: %g to %g, %d above, %d below; want %g to %g, %d, %d", name, r.low, r.high, r.above, r.below, low, high, above, below)
		}
	}
	many := make([]float64, 1000)
	for i := range many {
		many[i] = 1 + float64(i%10)/9
	}
	many[500] = 1000
	f("robust", yRobust, false, 0.925, 2.575, 1, 0, many...)
	f("full", yFull, false, 0, 1050, 0, 0, many...)
	f("empty", yRobust, false, 0, 1, 0, 0)
	f("no numbers", yRobust, false, 0, 1, 0, 0, math.NaN(), math.Inf(1), math.Inf(-1))
	f("flat", yRobust, false, 2.7, 3.3, 0, 0, 3, 3, 3)
	f("zero", yRobust, false, -1, 1, 0, 0, 0, 0)
	f("log", yFull, true, 0.1/1.1, 110, 0, 0, 0.1, -5, 0, 100)
	f("huge", yFull, false, -math.MaxFloat64, math.MaxFloat64, 0, 0, -math.MaxFloat64, math.MaxFloat64)
}

func TestUptimeLeavesOutTheTimeWithoutPods(t *testing.T) {
	at := func(minutes int) time.Time { return eight.Add(time.Duration(minutes) * time.Minute) }
	job := &train.Job{Ranks: []train.Rank{
		{Attempts: []train.Attempt{{Started: at(0), Finished: at(10)}, {Started: at(30)}}},
		{Attempts: []train.Attempt{{Started: at(1), Finished: at(12)}, {}}},
	}}
	u := uptimeOf(job, 0)
	for minute, want := range map[int]float64{-5: -5, 0: 0, 7: 7, 12: 12, 20: 12, 30: 12, 45: 27} {
		if got := u.at(float64(at(minute).Unix())) / 60; got != want {
			t.Errorf("at minute %d it had run for %g minutes, want %g", minute, got, want)
		}
	}
	alone := uptimeOf(&train.Job{LogsOnly: true}, 100)
	if alone.at(160) != 60 {
		t.Error("a log alone begins at its first time")
	}
}

func TestCauseOfARestart(t *testing.T) {
	code := func(n int) *int { return &n }
	ended := eight.Add(10 * time.Second)
	curveAt := func(pod string, from, to time.Duration) *curve {
		c := newCurve(curveKey{stream: train.StreamID{Pod: pod}})
		c.track = series.Track{Rows: []series.Row{{Time: eight.Add(from).UnixNano()}, {Time: eight.Add(to).UnixNano()}}, Row: []uint32{0, 1}, Values: []float64{1, 1}}
		return c
	}
	before, after := curveAt("a", 0, 10*time.Second), curveAt("b", 5*time.Minute, 6*time.Minute)
	f := func(want string, ends ...train.Attempt) {
		t.Helper()
		job := &train.Job{}
		for i, end := range ends {
			if end.Finished.IsZero() {
				end.Finished = ended
			}
			job.Ranks = append(job.Ranks, train.Rank{Index: i, Attempts: []train.Attempt{end, {Started: ended.Add(time.Minute)}}})
		}
		if got := causeOf(job, before, after); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f("restart: OOMKilled", train.Attempt{Reason: "OOMKilled", ExitCode: code(137)})
	f("restart: rank 2 OOMKilled", train.Attempt{ExitCode: code(143), Reason: "Error"}, train.Attempt{ExitCode: code(1), Reason: "Error", Finished: ended.Add(5 * time.Second)}, train.Attempt{Reason: "OOMKilled", Finished: ended.Add(9 * time.Second)})
	f("restart: rank 1 exit code 1", train.Attempt{ExitCode: code(1), Reason: "Error", Finished: ended.Add(2 * time.Second)}, train.Attempt{ExitCode: code(1), Reason: "Error"})
	f("restart: Evicted", train.Attempt{Reason: "Evicted"})
	f("restart", train.Attempt{Reason: "Error", Finished: eight.Add(-10 * time.Hour)})
	if got := causeOf(&train.Job{LogsOnly: true}, before, after); got != "resumed" {
		t.Error(got)
	}
}

// Hostile data: nothing crashes, hangs or grows.
func TestSheetsOfAnything(t *testing.T) {
	odd := []float64{0, math.NaN(), math.Inf(1), -1, 1e300, math.Inf(-1), -1e300, math.MaxFloat64, 5e-324, 3}
	for _, xs := range [][]float64{odd, {5, 4, 3, 2, 1}, {1, 1, 1}, {1e300, -1e300, 1e300}, {7}} {
		s := fileStore(t, "")
		var all []train.Sample
		for i, x := range xs {
			for k, v := range odd {
				all = append(all, train.Sample{Line: int64(i*len(odd) + k), Rank: -1, Step: x, HasStep: true, Time: eight.Add(-time.Duration(k*i) * time.Hour),
					Metrics: []train.Metric{{Name: train.MetricLoss, Value: v}, {Name: train.MetricGradNorm, Value: -v}, {Name: fmt.Sprint("m\x1b[31m", k), Value: x}}})
			}
		}
		s.Apply(logged(all), logged(all[:3]))
		exercise(t, s)
	}
}

func TestFlatCurvesHaveShortLabels(t *testing.T) {
	for _, v := range []float64{1e-4, 2.5e-5, 0.83333, 3, 7282, 1e9} {
		r := rangeOf([][]float64{{v, v * (1 + 1e-15), v}}, yRobust, false, v*(1-1e-15))
		for _, tick := range draw.Ticks(r.low, r.high, 3, false) {
			if len(tick.Text) > gutterCells-1 {
				t.Errorf("%g has a label %s", v, tick.Text)
			}
		}
	}
}
