package gpus

import (
	"testing"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/screentest"
)

// A frame of 8,192 GPUs while nothing changed, as when the cursor moves.
func BenchmarkFrame(b *testing.B) {
	snapshot := cluster(1024).Snapshot()
	for name, shown := range map[string]parts{"both": both, "map": mapOnly, "table": tableOnly} {
		b.Run(name, func(b *testing.B) {
			v, f := New(), screentest.Frame(b, snapshot, 200, 54, themes.Options{})
			v.parts = shown
			v.Render(f)
			b.ReportAllocs()
			for b.Loop() {
				v.Do(keymap.Down, f)
				v.Title(f)
				v.Render(f)
			}
		})
	}
}

// The same when one node has been measured again: rows are made and sorted
// again.
func BenchmarkFrameAfterReadings(b *testing.B) {
	s := cluster(1024)
	v := New()
	v.SortBy("USE", true)
	f := screentest.Frame(b, s.Snapshot(), 200, 54, themes.Options{})
	v.Render(f)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		s.Apply(measuredOn(i%1024, float64(i%100)))
		f.Snapshot = s.Snapshot()
		f.Snapshot.AllGPUs()
		b.StartTimer()
		v.Title(f)
		v.Render(f)
	}
}
