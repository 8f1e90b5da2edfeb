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

// BenchmarkLargeFile opens a file of 64 MB, or of the bytes that SIZE says,
// and shows the first snapshot, then ten instants spread over it. Times by the
// clock are those of the slowest, and say little on a busy machine. With FILE it
// is written there and stays, to be opened by hand; one that is there already
// is taken as it is.
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
		pictured(b, f, f.To())
		first = append(first, time.Since(began))
		const places = 10
		for i := range places {
			began := time.Now()
			pictured(b, f, f.From().Add(f.To().Sub(f.From())*time.Duration(3*i%places*2+1)/(2*places)))
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

// BenchmarkReplay is a minute of what BenchmarkASecond records, read back into
// a store at full speed with a snapshot a second: how many times faster than it
// came by the clock (x), and as fast as one processor would do it alone
// (x-of-a-core).
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

// asCommandsRead is by how many per cent the heap grows between two garbage
// collections while `traintop` reads a recording (cli/memory.go).
const asCommandsRead = 200

// processorTime is what the process has used of processors, garbage
// collection included.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// pictured loads an instant and takes its snapshot.
func pictured(b *testing.B, f *recording.File, at time.Time) {
	b.Helper()
	s := store.New(time.Now)
	if err := f.Load(context.Background(), s, at, recording.Backlog); err != nil {
		b.Fatal(err)
	}
	if jobs := s.Snapshot().Jobs(); len(jobs) != 1000 {
		b.Fatalf("%d jobs at %s", len(jobs), at)
	}
}
