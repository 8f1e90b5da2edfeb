package kube

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// laps are formats of one's own for lines that no other format reads.
func laps(t *testing.T) formats.Options {
	t.Helper()
	patterns, err := formats.Compile([]formats.Pattern{{Name: "laps", Match: `lap (?P<step>\d+) >> q~(?P<quality>[\d.]+)`, Example: "lap 7 >> q~0.5"}})
	if err != nil {
		t.Fatal(err)
	}
	return formats.Options{Patterns: patterns}
}

func printLaps(k *kubelet, from, to int) {
	for i := from; i < to; i++ {
		k.print(time.Now(), fmt.Sprintf("runner lap %d >> q~%.2f\n", i, 9/float64(i+1)))
		pass(10 * time.Millisecond)
	}
}

// wantRead compares how many lines and samples of a log the store has.
func wantRead(t *testing.T, st *store.Store, id train.StreamID, lines, samples int) {
	t.Helper()
	log := st.Snapshot().Log(id)
	if log == nil || log.Lines.Len() != lines || len(log.Samples.Rows) != samples {
		t.Errorf("the log is %+v, want %d lines and %d samples", log, lines, samples)
	}
}

// Other formats count at once: what was read of a log is read again, and what
// comes is read with them too.
func TestLogsAreReadAgainWithOtherFormats(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		printLaps(k, 0, 20)
		st := store.New(time.Now)
		c := streamingTo(t, s, planned(whole(first)), st)
		wantRead(t, st, first, 20, 0)
		c.UseFormats(laps(t))
		pass(time.Second)
		wantRead(t, st, first, 20, 20)
		printLaps(k, 20, 25)
		pass(time.Second)
		wantRead(t, st, first, 25, 25)
		k.end()
		pass(3 * time.Second)
		c.UseFormats(formats.Options{}) // a log that ended is read again too
		pass(3 * time.Second)
		wantRead(t, st, first, 25, 0)
		if state := st.Snapshot().Log(first).Status.State; state != train.StreamEnded {
			t.Errorf("the log that ended is %s", state)
		}
	})
}

// Of a log of which the end was read, as much is read again.
func TestTheEndOfALogIsReadAgain(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		printLaps(k, 0, 100)
		pass(5 * time.Second)
		printLaps(k, 100, 120)
		st := store.New(time.Now)
		c, err := New(Options{Flags: s.flags()})
		if err != nil {
			t.Fatal(err)
		}
		c.ReadEnds(time.Time{}, 20)
		followed(t, s, c, st, planned(streams.Chosen{ID: first}))
		wantRead(t, st, first, 20, 0)
		printLaps(k, 120, 160) // more than the end
		pass(time.Second)
		c.UseFormats(laps(t))
		pass(time.Second)
		wantRead(t, st, first, 60, 60)
		if !st.Snapshot().Log(first).Status.Partial {
			t.Error("the end of a log is called the whole of it")
		}
	})
}

// Lines that were read stay where the log cannot be read again: the server is away,
// or the kubelet does not answer; they are read again when they do.
func TestWhatWasReadStaysUntilTheLogCanBeReadAgain(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		printLaps(k, 0, 20)
		st := store.New(time.Now)
		c := streamingTo(t, s, planned(whole(first)), st)
		k.change(func() {
			k.refuse = func(w http.ResponseWriter, _ *http.Request) bool {
				refuseWith(w, 500, "InternalError", "dial tcp 10.0.0.7:10250: connect: no route to host")
				return true
			}
		})
		c.UseFormats(laps(t))
		pass(5 * time.Second)
		wantRead(t, st, first, 20, 0)
		k.change(func() { k.refuse = nil })
		pass(time.Minute)
		wantRead(t, st, first, 20, 20)
	})
}

// The log of a pod that is gone stays as it was read.
func TestTheLogOfAGonePodStays(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		printLaps(k, 0, 20)
		k.end()
		st := store.New(time.Now)
		c := streamingTo(t, s, planned(whole(first)), st)
		pass(3 * time.Second)
		wantRead(t, st, first, 20, 0)
		k.change(func() { k.lives, k.running = append(k.lives, nil, nil), true }) // two restarts later the kubelet has dropped it
		c.UseFormats(laps(t))
		pass(3 * time.Second)
		wantRead(t, st, first, 20, 0)
	})
}
