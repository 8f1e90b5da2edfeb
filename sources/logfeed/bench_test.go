package logfeed

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

type discard struct{}

func (discard) Apply(...store.Event) {}

// BenchmarkFeed measures lines per second and allocations per line, formats
// included, and compares them with a plain scan of the same bytes for newlines.
func BenchmarkFeed(b *testing.B) {
	for _, c := range []struct {
		name string
		line func(i int) string
	}{
		{"quiet", func(i int) string {
			return fmt.Sprintf("[rank0]: node-%d NCCL INFO Channel %02d/08 : 0[0] -> 1[1] via P2P/CUMEM/read comm 0x%x", i%8, i%8, 0x55d0+i)
		}},
		{"metrics", func(i int) string {
			return fmt.Sprintf("[titan] 2026-05-18 16:04:46,338 - root - INFO - step: %d  loss:  %.5f  grad_norm:  0.8319  memory:  9.46GiB(64.99%%)  tps: 7,282  tflops: 0.52  mfu: 0.17%%", i, 3+1/float64(i+1))
		}},
		{"coloured", func(i int) string {
			return fmt.Sprintf("\x1b[32mINFO\x1b[0m worker %d: 数据 loaded, █▊ waiting", i)
		}},
	} {
		b.Run(c.name, func(b *testing.B) { feedLines(b, c.line) })
	}
	b.Run("newlines", func(b *testing.B) {
		text := framed(func(i int) string {
			return fmt.Sprintf("line %d of a log that has about eighty bytes in each of its lines, as many do.......", i)
		})
		lines := 0
		for b.Loop() {
			lines += bytes.Count(text, []byte{'\n'})
		}
		b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
	})
}

const benchLines = 20000

func framed(line func(int) string) []byte {
	var text bytes.Buffer
	for i := range benchLines {
		fmt.Fprintf(&text, "2026-11-20T08:50:00.%09dZ %s\n", i, line(i))
	}
	return text.Bytes()
}

func feedLines(b *testing.B, line func(int) string) {
	text := framed(line)
	feed(text) // what is made once a program, as expressions that are compiled, is no part of it
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		feed(text)
		lines += benchLines
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lines), "ns/line")
}

func feed(text []byte) {
	f := NewFeed(discard{}, train.StreamID{}, server)
	for rest := text; len(rest) > 0; {
		n := min(len(rest), 32<<10)
		_, _ = f.Write(rest[:n])
		rest = rest[n:]
	}
	f.End()
}
