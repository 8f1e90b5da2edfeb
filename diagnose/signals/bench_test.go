package signals

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// BenchmarkFind examines a job of 8,192 GPUs: all of it, and after the scrape
// of one node.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct {
		name   string
		change func(rank, gpu int, v *train.Values)
	}{
		{"healthy", func(int, int, *train.Values) {}},
		{"one slow", one(500, 5, numbers{train.GPUPower: 400, train.GPUSMClock: 1155})},
		{"all idle", all(numbers{train.GPUUtilization: 0, train.GPUPower: 71})},
	} {
		l := newLab(b, 1024).becomes(c.change).pass(10 * time.Minute)
		b.Run("full/"+c.name, func(b *testing.B) {
			s := l.Snapshot()
			b.ReportAllocs()
			for b.Loop() {
				Find(s, Thresholds{}, nil)
			}
		})
		b.Run("one node/"+c.name, func(b *testing.B) {
			report := Find(l.Snapshot(), Thresholds{}, nil)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				l.scrape(i % 1024)
				s := l.Snapshot()
				b.StartTimer()
				report = Find(s, Thresholds{}, report)
			}
		})
	}
}
