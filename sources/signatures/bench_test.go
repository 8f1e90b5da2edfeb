package signatures

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// ordinary returns lines without an anchor.
func ordinary() []byte {
	var text bytes.Buffer
	for i := range 20000 {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&text, "[titan] 2026-05-18 16:04:46,338 - root - INFO - step: %d  loss:  %.5f  grad_norm:  0.8319  memory:  9.46GiB(64.99%%)  tps: 7,282\n", i, 3+1/float64(i+1))
		case 1:
			fmt.Fprintf(&text, "[rank0]: node-%d NCCL INFO Channel %02d/08 : 0[0] -> 1[1] via P2P/CUMEM/read comm 0x%x\n", i%8, i%8, 0x55d0+i)
		case 2:
			fmt.Fprintf(&text, " iteration %8d/ 115311 | consumed samples: %12d | elapsed time per iteration (s): 106.13 | lm loss: 2.235667E+00 | grad norm: 0.205 |\n", i, i*16)
		}
	}
	return text.Bytes()
}

// failing returns lines that all match, as those of a rank that fails repeatedly.
func failing() []byte {
	var text bytes.Buffer
	for i := range 5000 {
		fmt.Fprintf(&text, "[rank%d]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB.\n", i%8)
		fmt.Fprintln(&text, "RuntimeError: CUDA error: an illegal memory access was encountered")
		fmt.Fprintf(&text, "[Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=ALLREDUCE) ran for 600000 milliseconds before timing out.\n", i%8, i)
	}
	return text.Bytes()
}

// BenchmarkScannerMatches scans lines that all match.
func BenchmarkScannerMatches(b *testing.B) {
	text := failing()
	s := NewScanner(InLog)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		each(text, func(line []byte) {
			if hits := s.Line(1, time.Time{}, line); len(hits) == 0 {
				b.Fatalf("nothing is found in %s", line)
			}
		})
	}
}

// BenchmarkScanner scans lines that match nothing. "literals" splits the same bytes
// into lines and searches each for the literals of the table, "bare" for one literal,
// the minimum cost of any search.
func BenchmarkScanner(b *testing.B) {
	text := ordinary()
	b.Run("lines", func(b *testing.B) {
		s := NewScanner(InAnyText)
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			each(text, func(line []byte) {
				if hits := s.Line(1, time.Time{}, line); len(hits) > 0 {
					b.Fatal(hits[0])
				}
			})
		}
	})
	b.Run("literals", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		anchors, found := table().anchors, []uint16(nil)
		for b.Loop() {
			each(text, func(line []byte) { found = anchors.find(line, found[:0]) })
		}
	})
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		literal, found := []byte("Traceback (most recent call last)"), 0
		for b.Loop() {
			each(text, func(line []byte) {
				if bytes.Contains(line, literal) {
					found++
				}
			})
		}
	})
	b.Run("errors", func(b *testing.B) { // each of its lines is an error
		line := []byte(`[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 37.25 GiB. GPU 0 has a total capacity of 178.35 GiB of which 28.63 GiB is free.`)
		s := NewScanner(InLog)
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		for b.Loop() {
			s.Line(1, time.Time{}, line)
		}
	})
}

func each(text []byte, visit func([]byte)) {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			end = len(text) - 1
		}
		visit(text[:end])
		text = text[end+1:]
	}
}

// TestQuietLinesCostNoMemory checks that nothing is allocated.
func TestQuietLinesCostNoMemory(t *testing.T) {
	s := NewScanner(InAnyText)
	line := []byte(strings.Repeat("iteration 12 | lm loss: 2.235667E+00 | grad norm: 0.205 | ", 4))
	if n := testing.AllocsPerRun(100, func() { s.Line(1, time.Time{}, line) }); n > 0 {
		t.Errorf("%v allocations for a line that matches nothing", n)
	}
}
