package gpus

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// noObjects is a cluster whose nodes and pods were not listed.
type noObjects struct{}

func (noObjects) HasNode(string) bool             { return false }
func (noObjects) NodeOfPod(string, string) string { return "" }
func (noObjects) EachPod(func(string, string))    {}

// scrape returns the readings of an exporter on n0 for eight GPUs.
func scrape(at time.Time) Measured {
	m := Measured{Source: "a", Node: "n0", Every: 15 * time.Second}
	for i := range 8 {
		r := train.GPUReading{At: at, GPU: train.GPU{Node: "n0", Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-1111-%d", i)}}
		for q, value := range map[train.Quantity]float64{train.GPUUtilization: 10, train.GPUMemoryUsed: 70_000, train.GPUTemperature: 60, train.GPUPower: 600, train.GPUXid: 0} {
			r.Values.Set(q, value)
		}
		m.Readings = append(m.Readings, r)
	}
	return m
}

// The history of all GPUs together is bounded: rows are thinned, never below
// one a minute.
func TestHistoryIsThinned(t *testing.T) {
	f, now := New(), start
	f.history.limit = 7 << 10
	for range 260 {
		f.Measure(scrape(now), now, noObjects{})
		now = now.Add(15 * time.Second)
	}
	rows := f.Collect(now, noObjects{})["n0"].ByState[7].Past.Rows
	points := 0
	rows.Each(Column(train.GPUUtilization), now.Add(-time.Hour), func(time.Time, float32) bool {
		points++
		return true
	})
	if f.history.bytes > f.history.limit && f.history.spacing < time.Minute-5*time.Second || points < 55 || points > 130 {
		t.Errorf("%d points in %d bytes at %s", points, f.history.bytes, f.history.spacing)
	}
	bytes := 0
	for _, track := range f.tracks {
		bytes += track.ring.Bytes()
	}
	if bytes != f.history.bytes {
		t.Errorf("%d bytes are kept, %d counted", bytes, f.history.bytes)
	}
}

// A scrape of known GPUs allocates next to nothing: only chunks of rows.
func TestAScrapeAllocatesLittle(t *testing.T) {
	f, now := New(), start
	scrapes := make([]Measured, 400)
	for i := range scrapes {
		scrapes[i] = scrape(now.Add(time.Duration(i) * 15 * time.Second))
	}
	i := 0
	per := testing.AllocsPerRun(len(scrapes)-2, func() {
		f.Measure(scrapes[i], scrapes[i].Readings[0].At, noObjects{})
		i++
	})
	if per > 4 {
		t.Errorf("a scrape of 8 GPUs takes %g allocations", per)
	}
}

func BenchmarkMeasure(b *testing.B) {
	f, now, m := New(), start, scrape(start)
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(15 * time.Second)
		for i := range m.Readings {
			m.Readings[i].At = now
		}
		f.Measure(m, now, noObjects{})
	}
}
