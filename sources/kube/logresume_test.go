package kube

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
)

// resumed plays a log whose lines have the given times, and of which each
// answer has that many lines before it breaks off. It returns the indexes of
// the delivered lines.
func resumed(times []time.Time, answers []int) (lines []int) {
	var p deliveredPosition
	for _, size := range answers {
		since := p.since()
		p.resume()
		for i, at := range times {
			if at.Before(since) {
				continue
			}
			if size--; size < 0 {
				break
			}
			if p.accept(at) {
				lines = append(lines, i)
			}
		}
		p.settle()
	}
	return lines
}

// FuzzResume: whatever the times are, each line is delivered at most once, and
// in order. If the clock went back by less than the overlap, none is missing.
func FuzzResume(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 0, 255, 7}, []byte{3, 2, 200})
	f.Add([]byte{128, 128, 128, 127, 1, 129, 128}, []byte{1, 4, 6, 9})
	f.Add([]byte{100, 100, 200, 100}, []byte{2, 3, 9})
	f.Fuzz(func(t *testing.T, steps, sizes []byte) {
		if len(steps) > 200 || len(sizes) > 20 {
			return
		}
		at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
		var times []time.Time
		latest, back := at, time.Duration(0)
		for _, step := range steps { // from 640 ms backwards to 635 ms forwards
			at = at.Add(time.Duration(int(step)-128) * 5 * time.Millisecond)
			times = append(times, at)
			if at.After(latest) {
				latest = at
			}
			back = max(back, latest.Sub(at))
		}
		var answers []int
		for _, size := range sizes {
			answers = append(answers, int(size))
		}
		got := resumed(times, append(answers, len(times)))
		for i, line := range got {
			if i > 0 && line <= got[i-1] {
				t.Fatalf("line %d is told after %d: %v", line, got[i-1], got)
			}
		}
		if back <= overlap && !slices.Equal(got, places(len(times))) {
			t.Fatalf("%d lines were printed, and told were %v", len(times), got)
		}
	})
}

// TestClockBackOverASecond: a line skipped because the clock went back over a
// second has the time of a line delivered after it.
func TestClockBackOverASecond(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	var times []time.Time
	for _, ms := range []int{3000, 3100, 1500, 2400, 2000, 1500, 1600} {
		times = append(times, at.Add(time.Duration(ms)*time.Millisecond))
	}
	got := resumed(times, []int{2, 3, 6, len(times)})
	for i, line := range got {
		if i > 0 && line <= got[i-1] {
			t.Fatalf("line %d is told after %d: %v", line, got[i-1], got)
		}
	}
	if last := got[len(got)-1]; last != len(times)-1 {
		t.Errorf("told were %v, and not the last line", got)
	}
}

func places(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

// BenchmarkReadAnswer measures an answer of the API server on its way to the
// sink, without the network.
func BenchmarkReadAnswer(b *testing.B) {
	const lines = 10_000
	var text bytes.Buffer
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for i := range lines {
		fmt.Fprintf(&text, "%s step %d waits for the other ranks at the barrier of the checkpoint\n", start.Add(time.Duration(i)*time.Millisecond).Format("2006-01-02T15:04:05.000000000Z07:00"), i)
	}
	l := newLogs(&client.Connection{}, Options{Now: time.Now})
	r := l.begin(openGate{}, sinkFunc(func(...store.Event) {}))
	b.ReportAllocs()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		s := newLogStream(r, streams.Chosen{ID: first, Whole: true})
		s.begin()
		s.place.resume()
		var word lastLine
		if err := s.read(b.Context(), io.Reader(bytes.NewReader(text.Bytes())), logRequest{}, &word); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
}
