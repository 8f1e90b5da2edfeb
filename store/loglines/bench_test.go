package loglines

import (
	"fmt"
	"testing"

	"github.com/traintop/traintop/train"
)

func batchOf(n int) []train.LogLine {
	batch := make([]train.LogLine, n)
	for i := range batch {
		batch[i] = line(0, fmt.Sprintf("step: %7d  loss: %7.4f  grad_norm: 0.8319  memory: 68.57GiB(86.69%%)  tps: 7,282", i, 2.5))
	}
	return batch
}

// Appends lines in batches of 100 to a full ring. ns/line and allocations per
// batch.
func BenchmarkAppend(b *testing.B) {
	r, batch := New(8<<20), batchOf(100)
	number := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		for i := range batch {
			number++
			batch[i].Number = number
		}
		r.Append(batch...)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(number), "ns/line")
}

// One line, then a snapshot.
func BenchmarkAppendAndPicture(b *testing.B) {
	for _, limit := range []int{64 << 10, 8 << 20, 64 << 20} {
		b.Run(fmt.Sprintf("KiB=%d", limit>>10), func(b *testing.B) {
			r, batch := New(limit), batchOf(1)
			number, kept := int64(0), 0
			for r.Bytes() < limit*9/10 {
				number++
				batch[0].Number = number
				r.Append(batch...)
			}
			b.ReportAllocs()
			for b.Loop() {
				number++
				batch[0].Number = number
				r.Append(batch...)
				kept += r.Lines().Len()
			}
		})
	}
}

func BenchmarkAt(b *testing.B) {
	l := million(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.At(i * 7919 % l.Len())
	}
}
