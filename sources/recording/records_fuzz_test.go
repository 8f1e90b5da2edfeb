package recording

import (
	"math"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// FuzzRecord: records with a correct checksum may still be made by hand.
func FuzzRecord(f *testing.F) {
	e := newEncoder()
	id := train.StreamID{Namespace: "ml", Pod: "p", Container: "c"}
	for _, event := range []store.Event{
		store.Logged{Stream: id, Lines: []train.LogLine{{Number: 1, Text: "loss 1.5", Time: time.Unix(1e9, 0)}}, Samples: []train.Sample{{Line: 1, Metrics: []train.Metric{{Name: "loss", Value: 1.5}}}}},
		store.Measured{Source: "s", Readings: []train.GPUReading{{GPU: train.GPU{UUID: "GPU-1"}}}},
		store.HealthChanged{Health: train.Health{Source: "kube"}},
		store.Used{Source: "u", Usage: []train.Usage{{Node: "n"}}},
		store.Placed{Namespace: "ml", Queue: "q", At: time.Unix(1e9, 0), Every: time.Minute, Waiting: []store.WaitingPlace{{Namespace: "ml", Workload: "w", Owner: "u", Place: 3}}},
	} {
		e.reset()
		is, err := e.event(event)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(byte(is), append([]byte(nil), e.out...))
	}
	f.Fuzz(func(_ *testing.T, is byte, body []byte) {
		d := &decoder{}
		for range 2 { // the second time with the state that the first left
			d.in = body
			d.event(recordKind(is))
		}
		d.in = body
		d.timelineMark()
	})
}

// TestNumbersComeBackExactly: every number of a log or GPU is written in few
// bytes or in eight, and is read back unchanged.
func TestNumbersComeBackExactly(t *testing.T) {
	for _, v := range hardNumbers {
		e := newEncoder()
		e.number(v)
		d := decoder{in: e.out}
		got := d.number()
		if d.err != nil || len(d.in) > 0 || got != v && !(got != got && v != v) || 1/got != 1/v && v == 0 {
			t.Errorf("%v came back as %v (%v)", v, got, d.err)
		}
	}
}

var hardNumbers = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, 2.31, -0.001, 1e-9, 4.175257731958763e-05, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64,
	math.Inf(1), math.Inf(-1), math.NaN(), 1 << 53, 1<<50 + 1, 0.1 + 0.2, 123456.789, 8.6e-06, 81559, 655.2,
}
