//go:build unix

package recording_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
)

// BenchmarkLargeFile opens a file of 64 MB, or of SIZE bytes, and shows the
// first snapshot, then ten instants spread over it. Wall-clock times are those
// of the slowest instant, and mean little on a busy machine. With FILE it
// keeps the file there, to be opened by hand, and uses an existing one as it
// is.
func BenchmarkLargeFile(b *testing.B) {
	size, path := int64(64e6), os.Getenv("FILE")
	if text := os.Getenv("SIZE"); text != "" {
		var err error
		if size, err = strconv.ParseInt(text, 10, 64); err != nil {
			b.Fatalf("SIZE: %v", err)
		}
	}
	if path == "" {
		path = filepath.Join(b.TempDir(), "a.ttrec")
	}
	if _, err := os.Stat(path); err != nil {
		writeSeconds(b, path, func(written int64, _ int) bool { return written < size })
	}
	defer debug.SetGCPercent(debug.SetGCPercent(asCommandsRead))
	var opened, first, jumps []time.Duration
	used := processorTime(b)
	for b.Loop() {
		began := time.Now()
		f, err := recording.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		opened = append(opened, time.Since(began))
		lastSnapshot(b, f, f.To())
		first = append(first, time.Since(began))
		const places = 10
		for i := range places {
			began := time.Now()
			lastSnapshot(b, f, f.From().Add(f.To().Sub(f.From())*time.Duration(3*i%places*2+1)/(2*places)))
			jumps = append(jumps, time.Since(began))
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((processorTime(b)-used).Microseconds())/1e3/float64(len(first)+len(jumps)), "cpu-ms/picture")
	slices.Sort(jumps)
	b.ReportMetric(float64(jumps[len(jumps)/2].Microseconds())/1e3, "median-seek-ms")
	for name, all := range map[string][]time.Duration{"open-ms": opened, "first-ms": first, "longest-seek-ms": jumps} {
		b.ReportMetric(float64(slices.Max(all).Microseconds())/1e3, name)
	}
}

// BenchmarkReplay reads one minute of BenchmarkASecond's events back into a
// store at full speed, with one snapshot a second. It reports the speed-up
// over real time by the clock (x) and for a single processor (x-of-a-core).
func BenchmarkReplay(b *testing.B) {
	const seconds = 60
	path := benchFile(b, seconds)
	f := openFile(b, path)
	defer debug.SetGCPercent(debug.SetGCPercent(asCommandsRead))
	b.ReportAllocs()
	used := processorTime(b)
	for b.Loop() {
		s := store.New(time.Now)
		if err := f.Load(context.Background(), s, f.From(), recording.Backlog); err != nil {
			b.Fatal(err)
		}
		for at := f.From(); at.Before(f.To()); at = at.Add(time.Second) {
			if err := f.Next(context.Background(), s, at.Add(time.Second)); err != nil {
				b.Fatal(err)
			}
			s.Snapshot()
		}
	}
	b.ReportMetric(seconds*float64(b.N)/b.Elapsed().Seconds(), "x")
	b.ReportMetric(seconds*float64(b.N)/(processorTime(b)-used).Seconds(), "x-of-a-core")
}

// asCommandsRead is the garbage collection percentage while `traintop` reads a
// recording (cli/memory.go).
const asCommandsRead = 200

// processorTime returns the processor time of the process, including garbage
// collection.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// lastSnapshot loads an instant and takes a snapshot of it.
func lastSnapshot(b *testing.B, f *recording.File, at time.Time) {
	b.Helper()
	s := store.New(time.Now)
	if err := f.Load(context.Background(), s, at, recording.Backlog); err != nil {
		b.Fatal(err)
	}
	if jobs := s.Snapshot().Jobs(); len(jobs) != 1000 {
		b.Fatalf("%d jobs at %s", len(jobs), at)
	}
}
