//go:build unix

package recording_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// BenchmarkCostOfASecond measures the processor time of the whole process for
// one second of BenchmarkASecond's input, with redaction and garbage
// collection, as a share of a core. It also does so beside a store that takes
// a snapshot every half second and a diagnosis every ten, as in `traintop
// record`. It first measures the cost of making the events, and subtracts it.
func BenchmarkCostOfASecond(b *testing.B) {
	const seconds = 120
	pods := pods10000()
	second := func(logs *streams64, i int, now time.Time, tell func(...store.Event)) {
		events := logs.second(now)
		if i%15 == 0 {
			events = append(events, gpus8192(i/15, now)...)
		}
		for some := range slices.Chunk(events, 16) {
			tell(some...)
		}
		tell(store.Set{Kind: kinds.PodKind, Object: pods.Objects[i%len(pods.Objects)]})
	}
	logs, clock := newStreams64(b), &ticking{now: began}
	used := processorTime(b)
	for i := range seconds {
		clock.add(time.Second)
		second(logs, i, clock.Now(), func(...store.Event) {})
	}
	making := processorTime(b) - used
	for name, kept := range map[string]*store.Store{"alone": nil, "beside-a-store": store.New(clock.Now)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				logs, clock := newStreams64(b), &ticking{now: began}
				w, err := recording.Create(filepath.Join(b.TempDir(), "a.ttrec"), recording.Options{
					Now: clock.Now, Redact: eventmask.New(), About: recording.About{Logs: recording.LogsAll},
				})
				if err != nil {
					b.Fatal(err)
				}
				w.Apply(jobs1000(), pods)
				apply := func(events ...store.Event) { w.Apply(events...) }
				if kept != nil {
					kept.SetLimits(store.Limits{LogBytes: 64 << 10, AllLogBytes: 32 << 20, Values: 1024, AllValues: 200_000, SamplesApart: time.Second}) // a recorder's
					kept.Apply(jobs1000(), pods)
					kept.Snapshot()
					apply = func(events ...store.Event) { w.Apply(events...); kept.Apply(events...) }
				}
				var marker recording.Marker
				var report *diagnose.Report
				b.StartTimer()
				used := processorTime(b)
				for i := range seconds {
					clock.add(time.Second)
					second(logs, i, clock.Now(), apply)
					if kept != nil {
						marker.Next(kept.Snapshot())
						s := kept.Snapshot()
						marker.Next(s)
						if i%10 == 0 {
							report = diagnose.Run(s, diagnose.Options{}, report)
						}
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(100*(processorTime(b)-used-making).Seconds()/seconds, "%-of-a-core")
			}
		})
	}
}
