package store

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// text returns n lines of 100 bytes from a number on.
func text(id train.StreamID, from, n int) Logged {
	e := Logged{Stream: id}
	for i := from; i < from+n; i++ {
		e.Lines = append(e.Lines, train.LogLine{Number: int64(i), Text: fmt.Sprintf("%-100d", i)})
	}
	return e
}

func fileNamed(name string) train.StreamID { return train.StreamID{File: name} }

func TestAllLogsTogetherKeepWithinTheLimit(t *testing.T) {
	s := newStore()
	s.SetLimits(Limits{LogBytes: 1 << 20, AllLogBytes: 2 << 20})
	small, stale := fileNamed("small"), fileNamed("stale")
	s.Apply(text(small, 1, 100), text(stale, 1, 8000))
	for batch := range 50 {
		for i := range 3 {
			s.Apply(text(fileNamed(fmt.Sprint("busy", i)), batch*200+1, 200))
		}
	}
	snapshot := s.Snapshot()
	all := 0
	snapshot.Logs(func(log *Log) bool {
		all += log.Lines.Bytes()
		return true
	})
	if all > 2<<20 || all < 1<<20 {
		t.Errorf("%d bytes are kept of all logs, limit %d", all, 2<<20)
	}
	f := func(id train.StreamID, newest int64, lost bool) {
		t.Helper()
		lines := snapshot.Log(id).Lines
		dropped, bytes := lines.Dropped()
		if got := lines.At(lines.Len() - 1).Number; got != newest || dropped+int64(lines.Len()) != newest || bytes != 100*dropped {
			t.Errorf("%s: %d lines up to %d and %d dropped (%d bytes)", id, lines.Len(), got, dropped, bytes)
		}
		if (dropped > 0) != lost {
			t.Errorf("%s: %d lines dropped", id, dropped)
		}
	}
	f(small, 100, false)
	f(stale, 8000, true)
	f(fileNamed("busy0"), 10_000, true)
	if n, share := snapshot.Log(stale).Lines.Bytes(), 2<<20/5; n > share {
		t.Errorf("the log that was not written keeps %d bytes, more than its share of %d", n, share)
	}
}

func TestALogWithALimitOfItsOwn(t *testing.T) {
	s := newStore()
	s.SetLimits(Limits{LogBytes: 100_000, AllLogBytes: 1_000_000})
	id := fileNamed("train.log")
	s.Apply(text(id, 1, 2000))
	if n := s.Snapshot().Log(id).Lines.Bytes(); n > 100_000 {
		t.Errorf("%d bytes are kept, limit 100,000", n)
	}
	s.SetLogLimit(id, 500_000)
	s.Apply(StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Restart: true, Rank: -1}, text(id, 1, 2000))
	if dropped, _ := s.Snapshot().Log(id).Lines.Dropped(); dropped != 0 {
		t.Errorf("%d lines were dropped again", dropped)
	}
	for i := range 20 {
		s.Apply(text(fileNamed(fmt.Sprint(i)), 1, 2000))
	}
	if dropped, _ := s.Snapshot().Log(id).Lines.Dropped(); dropped != 0 {
		t.Errorf("%d lines gave way to logs without a limit of their own", dropped)
	}
	s.SetLogLimit(id, 0)
	if n := s.Snapshot().Log(id).Lines.Bytes(); n > 100_000 {
		t.Errorf("%d bytes are kept after the limit went back", n)
	}
}

func TestLogsOfJobsThatAreGoneLeaveFirst(t *testing.T) {
	s := newStore()
	s.SetLimits(Limits{LogBytes: 1 << 20, AllLogBytes: 1 << 20})
	job := pyTorchJob("ml", "bert", "u1", 0)
	pod := worker(job, -1, "n0")
	orphan := train.StreamID{Namespace: "ml", Pod: "gone", UID: "x", Container: "pytorch"}
	s.Apply(setJob(job), setPod(pod), text(logOf(pod, 0), 1, 4000), text(orphan, 1, 2000))
	s.Snapshot()
	s.Apply(text(logOf(pod, 0), 4001, 3000))
	snapshot := s.Snapshot()
	if snapshot.Log(orphan) != nil {
		t.Error("the log of no job is still there")
	}
	if dropped, _ := snapshot.Log(logOf(pod, 0)).Lines.Dropped(); dropped != 0 {
		t.Errorf("the job's log lost %d lines", dropped)
	}
}

func TestMarksAreBounded(t *testing.T) {
	s := newStore()
	id := fileNamed("train.log")
	for i := range 3 * maxMarks {
		s.Apply(Logged{Stream: id, Marks: []train.Mark{{Kind: train.MarkCheckpoint, Step: float64(i), HasStep: true}}})
	}
	log := s.Snapshot().Log(id)
	if n := len(log.Marks); n > maxMarks || n < maxMarks/2 || log.DroppedMarks+n != 3*maxMarks || log.Marks[n-1].Step != 3*maxMarks-1 {
		t.Errorf("%d marks kept and %d dropped", n, log.DroppedMarks)
	}
}

// follow applies what 64 ranks print in one second: 1,000 lines each, every
// tenth with a step and ten metrics.
func follow(s *Store, ranks, second int) {
	for rank := range ranks {
		id := fileLog(fmt.Sprintf("%d.log", rank), "run", rank)
		e := Logged{Stream: id.Stream}
		for i := range 1000 {
			number := second*1000 + i + 1
			at := instant.Add(time.Duration(number) * time.Millisecond)
			e.Lines = append(e.Lines, train.LogLine{Number: int64(number), Time: at, Text: fmt.Sprintf("step %d %s", number, strings.Repeat("x", 80))})
			if i%10 == 0 {
				sample := train.Sample{Line: int64(number), Time: at, Rank: -1, Step: float64(number), HasStep: true}
				for m := range 10 {
					sample.Metrics = append(sample.Metrics, train.Metric{Name: fmt.Sprint("metric", m), Value: float64(number*m%977 + rank)})
				}
				e.Samples = append(e.Samples, sample)
			}
		}
		if second == 0 {
			s.Apply(id)
		}
		s.Apply(e)
	}
}

func TestSlowMemoryStaysFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("follows 64 ranks for half a simulated minute")
	}
	s := newStore()
	s.SetLimits(Limits{LogBytes: 1 << 20, AllLogBytes: 16 << 20, Values: 20_000, AllValues: 400_000})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var after [2]uint64
	for second := range 24 {
		follow(s, 64, second)
		job := s.Snapshot().LogJobs()[0]
		if run := s.Snapshot().Run(job); len(run.Metrics) != 10 {
			t.Fatalf("metrics are %v", run.Metrics)
		}
		switch second {
		case 11:
			after[0] = heap()
		case 23:
			after[1] = heap()
		}
	}
	t.Logf("heap after 12 simulated seconds %d KiB, after 24 %d KiB", after[0]>>10, after[1]>>10)
	if after[1] > after[0]*11/10 {
		t.Errorf("the heap grew from %d to %d KiB", after[0]>>10, after[1]>>10)
	}
	if bound := uint64(64 << 20); after[1] > bound {
		t.Errorf("the heap holds %d KiB for limits of 16 MiB of text and 400,000 values", after[1]>>10)
	}
	runtime.KeepAlive(s)
}

func TestReadersWhileLogsAreWritten(t *testing.T) {
	s := newStore()
	s.SetLimits(Limits{LogBytes: 64 << 10, AllLogBytes: 256 << 10, Values: 2000})
	follow(s, 4, 0)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				readAll(t, s.Snapshot())
			}
		})
	}
	for second := 1; second < 12; second++ {
		follow(s, 4, second)
		s.Apply(StreamChanged{Stream: fileNamed("3.log"), Status: train.StreamStatus{State: train.StreamLive}, Restart: second%3 == 0, Rank: 3, Job: "run"})
	}
	close(done)
	readers.Wait()
}

func readAll(t *testing.T, s *Snapshot) {
	for _, job := range s.LogJobs() {
		run := s.Run(job)
		for _, metric := range run.Metrics {
			for _, track := range run.Tracks(metric) {
				for i := range track.Row {
					_ = track.X(i) + track.Values[i]
				}
			}
			run.Spark(metric, 20)
		}
		for rank := range job.Ranks {
			for _, log := range s.RankLogs(job, rank) {
				if n := log.Lines.Len(); n > 0 && log.Lines.At(n-1).Number < log.Lines.At(0).Number {
					t.Errorf("%s: lines go back", log.ID)
				}
				log.Lines.Match(0, 1, func(text []byte) bool { return len(text) == 0 }, func(int) bool { return true })
			}
		}
	}
}

// Each log alone is far below its limit: all together are not.
func TestCurvesOfAllLogsStayWithinTheirLimit(t *testing.T) {
	const all = 400_000
	s := New(func() time.Time { return time.Unix(0, 0) })
	s.SetLimits(Limits{Values: 200_000, AllValues: all})
	for i := range 64 {
		id := train.StreamID{Namespace: "ml", Pod: fmt.Sprintf("bert-%d", i), Container: "pytorch"}
		for from := 0; from < 10_000; from += 1000 {
			var samples []train.Sample
			for step := from; step < from+1000; step++ {
				samples = append(samples, train.Sample{
					Line: int64(step), Step: float64(step), HasStep: true, Rank: -1, Metrics: []train.Metric{{Name: "loss", Value: float64(step)}},
				})
			}
			s.Apply(Logged{Stream: id, Samples: samples})
		}
	}
	kept, least := 0, all
	s.Snapshot().Logs(func(l *Log) bool {
		size := 4 * len(l.Samples.Rows)
		for i := range l.Samples.Columns {
			size += len(l.Samples.Columns[i].Values)
		}
		kept, least = kept+size, min(least, size)
		return true
	})
	if kept > all {
		t.Errorf("%d values are kept of all logs, more than %d", kept, all)
	}
	if least < all/64/8 {
		t.Errorf("of one log only %d values are kept, though %d are its even share", least, all/64)
	}
}

// A container that crashes for weeks begins a log every five minutes.
func TestLivesOfAContainerAreBounded(t *testing.T) {
	s := newStore()
	life := func(container string, n int) train.StreamID {
		return train.StreamID{Namespace: "ml", Pod: "bert-0", UID: "u", Container: container, Restart: n}
	}
	s.Apply(text(life("sidecar", 0), 1, 1))
	for n := range 4000 {
		s.Apply(text(life("pytorch", n), 1, 1))
		if n%100 == 0 {
			s.Snapshot()
		}
	}
	var kept []int
	s.Snapshot().Logs(func(l *Log) bool {
		if l.ID.Container == "pytorch" {
			kept = append(kept, l.ID.Restart)
		}
		return true
	})
	if len(kept) != maxInstances || kept[0] != 4000-maxInstances || s.Snapshot().Log(life("sidecar", 0)) == nil {
		t.Errorf("%d lives are kept, and the other container's: %v", len(kept), s.Snapshot().Log(life("sidecar", 0)))
	}
}
