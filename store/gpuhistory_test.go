package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

// Many events between two snapshots leave the same history, changes and
// missing GPUs as a snapshot after each event.
func TestWordsBetweenPicturesLeaveTheTraceOfPictures(t *testing.T) {
	for seed := range uint64(40) {
		now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
		clock := func() time.Time { return now }
		each, some := New(clock), New(clock)
		random, sources := rand.New(rand.NewPCG(seed, 3)), []string{"dcgm", "smi"}[:1+seed%2]
		for picture := range 12 {
			for range 1 + random.IntN(6) {
				now = now.Add(15 * time.Second)
				for _, word := range randomWords(random, now, sources) {
					each.Apply(word)
					some.Apply(word)
				}
				each.Apply(Clock{Now: now})
				each.Snapshot()
			}
			some.Apply(Clock{Now: now})
			want, got := pastText(each.Snapshot()), pastText(some.Snapshot())
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, picture %d: -a picture each +a picture of some\n%s", seed, picture, diff)
			}
		}
	}
}

// randomWords returns one round of events of sources about two nodes. GPUs
// come and go, and error counters grow.
func randomWords(random *rand.Rand, now time.Time, sources []string) (words []Event) {
	for _, source := range sources {
		for node := range 2 {
			m := Measured{Source: source, Node: fmt.Sprint("n", node), Every: 15 * time.Second}
			for i := range 3 - random.IntN(9)/8 {
				r := train.GPUReading{At: now, GPU: train.GPU{Node: m.Node, Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-1%d-%d", node, i)}}
				r.Values.Set(train.GPUUtilization, float64(random.IntN(100)))
				r.Values.Set(train.GPUXid, float64(random.IntN(3)*31))
				r.Values.Set(train.GPUECCUncorrected, float64(now.Unix()/60%7))
				m.Readings = append(m.Readings, r)
			}
			words = append(words, m)
		}
	}
	return words
}

// pastText describes the GPUs of two nodes and their history.
func pastText(s *Snapshot) (text []string) {
	for _, node := range []string{"n0", "n1"} {
		for _, state := range append(s.GPUsOn(node), s.GPUsMissing(node)...) {
			id := state.GPU.ID()
			text = append(text, fmt.Sprintln(node, id, state.At.Unix(), state.Sources, state.Values.Count()))
			for _, point := range s.GPUPast(id, train.GPUUtilization) {
				text = append(text, fmt.Sprint(point.At.Unix(), point.Value))
			}
			for _, change := range s.GPUChanges(id) {
				text = append(text, fmt.Sprint(change.Quantity, change.At.Unix(), change.From, change.To))
			}
			value, since, known := s.GPUBaseline(id, train.GPUECCUncorrected, s.Now.Add(-10*time.Minute))
			text = append(text, fmt.Sprint(value, since.Unix(), known))
		}
	}
	return text
}
