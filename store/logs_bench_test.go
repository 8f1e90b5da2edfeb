package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func sampleAt(step, rank, metrics int) train.Sample {
	s := train.Sample{
		Line: int64(step), Time: instant.Add(time.Duration(step) * time.Second), Rank: -1, Step: float64(step), HasStep: true,
		Metrics: []train.Metric{{Name: train.MetricLoss, Value: 1 / float64(step+rank+1)}},
	}
	for m := 1; m < metrics; m++ {
		s.Metrics = append(s.Metrics, train.Metric{Name: fmt.Sprint("metric", m), Value: float64(step % 97 * m)})
	}
	return s
}

// A log gets one more point; then a snapshot, the run of its job and the
// tracks of its loss are built. Budget: 0.1 ms at 100,000 points, whatever the
// number of ranks. "same" are ranks that all print the same loss, "own" ranks
// that each print their own.
func BenchmarkNewPoint(b *testing.B) {
	for _, c := range []struct {
		name          string
		ranks, points int
		metrics       int
		same          bool
	}{
		{name: "ranks=1/points=1000", ranks: 1, points: 1000, metrics: 6},
		{name: "ranks=1/points=100000", ranks: 1, points: 100_000, metrics: 6},
		{name: "ranks=64/points=1000/same", ranks: 64, points: 1000, metrics: 6, same: true},
		{name: "ranks=64/points=10000/same", ranks: 64, points: 10_000, metrics: 6, same: true},
		{name: "ranks=64/points=10000/own", ranks: 64, points: 10_000, metrics: 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newStore()
			s.SetLimits(Limits{Values: 10_000_000, AllValues: 100_000_000})
			for rank := range c.ranks {
				id := fileLog(fmt.Sprintf("%d.log", rank), "run", rank)
				e := Logged{Stream: id.Stream}
				for step := range c.points {
					if c.same {
						e.Samples = append(e.Samples, sampleAt(step, 0, c.metrics))
					} else {
						e.Samples = append(e.Samples, sampleAt(step, rank, c.metrics))
					}
				}
				s.Apply(id, e)
			}
			first := s.Snapshot()
			first.Run(first.LogJobs()[0]).Tracks(train.MetricLoss)
			step := c.points
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				rank := i % c.ranks
				if rank == 0 {
					step++
				}
				own := rank
				if c.same {
					own = 0
				}
				sample := sampleAt(step, own, c.metrics)
				s.Apply(Logged{Stream: train.StreamID{File: fmt.Sprintf("%d.log", rank)}, Samples: []train.Sample{sample}, Lines: []train.LogLine{{Number: int64(step), Text: "step 1 loss 2.3"}}})
				snapshot := s.Snapshot()
				if run := snapshot.Run(snapshot.LogJobs()[0]); len(run.Tracks(train.MetricLoss)) == 0 {
					b.Fatal("no track")
				}
			}
		})
	}
}

// One of many logs gets another line, and a snapshot is taken.
func BenchmarkSnapshotAfterOneLine(b *testing.B) {
	for _, logs := range []int{1, 64, 1024} {
		b.Run(fmt.Sprintf("logs=%d", logs), func(b *testing.B) {
			s := newStore()
			_, pods := fill(s, 1000)
			for i := range logs {
				s.Apply(printed(logOf(pods[i], 0), 1, 100))
			}
			s.Snapshot()
			line := []train.LogLine{{Text: "step 1 loss 2.3"}}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				line[0].Number = int64(i + 101)
				s.Apply(Logged{Stream: logOf(pods[i%logs], 0), Lines: line})
				s.Snapshot()
			}
		})
	}
}

// The logs of a rank, as a screen of panes requests them.
func BenchmarkRankLog(b *testing.B) {
	s := newStore()
	_, pods := fill(s, 1000)
	for i := range 1024 {
		s.Apply(printed(logOf(pods[i], 0), 1, 10))
	}
	snapshot := s.Snapshot()
	job := snapshot.JobOf(kinds.PodKind, pods[0].Namespace, pods[0].Name)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if snapshot.RankLog(job, i%10) == nil {
			b.Fatal("no log")
		}
	}
}
