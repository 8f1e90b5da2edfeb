package charts

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// long is a store with a log of points samples of five metrics.
func long(points int) (*store.Store, train.StreamID) {
	s := store.New(func() time.Time { return eight.Add(48 * time.Hour) })
	s.SetLimits(store.Limits{LogBytes: 1 << 20, AllLogBytes: 1 << 20, Values: 10 * points})
	id := train.StreamID{File: "long.log"}
	s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Rank: -1})
	s.Apply(store.Logged{Stream: id, Samples: longSamples(0, points)})
	return s, id
}

func longSamples(from, to int) []train.Sample {
	random := rand.New(rand.NewPCG(uint64(from), 2))
	all := make([]train.Sample, 0, to-from)
	for i := from; i < to; i++ {
		loss := 1.8 + 8*math.Exp(-float64(i)/2e4) + random.NormFloat64()/12
		if i%5000 == 4999 {
			loss *= 4
		}
		all = append(all, train.Sample{
			Line: int64(i + 1), Time: eight.Add(time.Duration(i) * time.Second), Rank: -1, Step: float64(i), HasStep: true,
			Metrics: []train.Metric{
				{Name: train.MetricLoss, Value: loss}, {Name: train.MetricLR, Value: 1e-4 * math.Cos(float64(i)/1e5)},
				{Name: train.MetricGradNorm, Value: 0.8 + random.NormFloat64()/20}, {Name: train.MetricTokens, Value: 7000 + random.NormFloat64()*90},
				{Name: train.MetricStepTime, Value: 2 + random.NormFloat64()/10},
			},
		})
	}
	return all
}

// BenchmarkStrip draws the loss of 100,000 samples on 120x30 cells: raw
// samples, means, range and ticks.
func BenchmarkStrip(b *testing.B) {
	s, _ := long(100_000)
	sc := open(b, s, views.ChartsRoute{}, 160, 48)
	st := strip{metric: train.MetricLoss, height: 30}
	b.ReportAllocs()
	for b.Loop() {
		delete(sc.v.drawn, train.MetricLoss)
		sc.v.strip(st, 120)
	}
}

// BenchmarkNewPoint adds a sample to 100,000: the run is joined, the curves of
// five strips grow, marks and range are found; nothing is drawn.
func BenchmarkNewPoint(b *testing.B) {
	s, id := long(100_000)
	sc := open(b, s, views.ChartsRoute{}, 160, 48)
	n := 100_000
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		next := longSamples(n, n+1)
		n++
		b.StartTimer()
		s.Apply(store.Logged{Stream: id, Samples: next})
		sc.f.Snapshot = s.Snapshot()
		if sc.v.load(sc.f) != nil {
			b.Fatal("nothing to draw")
		}
	}
}

// BenchmarkScreen is all of the screen at 160x48: five strips of 100,000
// samples each.
func BenchmarkScreen(b *testing.B) {
	s, id := long(100_000)
	sc := open(b, s, views.ChartsRoute{}, 160, 48)
	render := func(b *testing.B) {
		b.Helper()
		if len(sc.v.Render(sc.f)) != 48 {
			b.Fatal("no screen")
		}
	}
	b.Run("same", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			render(b)
		}
	})
	b.Run("crosshair", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			action := keymap.ChartLeft
			if i%100 > 50 {
				action = keymap.ChartRight
			}
			sc.v.Do(action, sc.f)
			render(b)
		}
	})
	b.Run("zoom", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			action := keymap.ChartZoomIn
			if i%2 == 1 {
				action = keymap.ChartZoomOut
			}
			sc.v.Do(action, sc.f)
			render(b)
		}
	})
	sc.v.Do(keymap.ChartLive, sc.f)
	b.Run("sample", func(b *testing.B) {
		n := 100_000
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			s.Apply(store.Logged{Stream: id, Samples: longSamples(n, n+1)})
			sc.f.Snapshot = s.Snapshot()
			n++
			b.StartTimer()
			render(b)
		}
	})
}
