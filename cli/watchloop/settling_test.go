package watchloop

import (
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// The logs of the start settle once each was open for a while, and at last after
// a minute. The look that sees them settled is the last one of that time.
func TestLogsSettle(t *testing.T) {
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	id, other := train.StreamID{Namespace: "ml", Pod: "a", Container: "c"}, train.StreamID{Namespace: "ml", Pod: "b", Container: "c"}
	open := func(s *store.Store, id train.StreamID, state train.StreamState, after time.Duration) {
		s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: state, Since: began.Add(after)}})
	}
	for name, c := range map[string]struct {
		other train.StreamState
		want  [5]bool // 0, 5, 12, 30 and 65 seconds after the start
	}{
		"both are open":       {train.StreamLive, [5]bool{true, true, true, false, false}},
		"one is refused":      {train.StreamForbidden, [5]bool{true, true, true, false, false}},
		"one gives no answer": {train.StreamOpening, [5]bool{true, true, true, true, true}},
		"one is never tried":  {"", [5]bool{true, true, true, true, true}},
	} {
		now := began
		s, l := store.New(func() time.Time { return now }), settling{}
		for i, after := range []int{0, 5, 12, 30, 65} {
			now = began.Add(time.Duration(after) * time.Second)
			s.Apply(store.Clock{Now: now})
			if got := l.look(s.Snapshot()); got != c.want[i] {
				t.Errorf("%s: %d s after the start: %t", name, after, got)
			}
			if i == 0 {
				l.chosen = []streams.Chosen{{ID: id}, {ID: other}}
				open(s, id, train.StreamLive, time.Second)
				if c.other != "" {
					open(s, other, c.other, time.Second)
				}
			}
		}
		if l.look(s.Snapshot()) {
			t.Errorf("%s: it does not end", name)
		}
	}
	none := settling{chosen: []streams.Chosen{}}
	if s := store.New(func() time.Time { return began }).Snapshot(); !none.look(s) || none.look(s) {
		t.Error("without logs it is not one look")
	}
}
