//go:build unix

package recording_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
)

// BenchmarkLargeFile opens a file of 64 MB, or of the bytes that SIZE says,
// and shows the first picture, then ten instants spread over it. Times by the
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
	for name, all := range map[string][]time.Duration{"open-ms": opened, "first-ms": first, "longest-seek-ms": jumps} {
		b.ReportMetric(float64(slices.Max(all).Microseconds())/1e3, name)
	}
}

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

// pictured loads an instant and takes its picture.
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
