package findings

import (
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// Nothing is called well while logs that were requested have not answered
// once, as the header holds it.
func TestNothingIsWellBeforeTheFirstLogs(t *testing.T) {
	st := store.New(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	id := train.StreamID{Namespace: "llm", Pod: "sft-0", Container: "main"}
	says := func(state train.StreamState, follows bool) string {
		st.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: state}, Rank: -1})
		f := views.Frame{
			Snapshot: st.Snapshot(), Diagnosis: diagnose.Run(st.Snapshot(), diagnose.Options{}, nil), FollowsLogs: follows,
			Streams: &streams.Plan{Chosen: []streams.Chosen{{ID: id}}},
		}
		v := &View{}
		v.sum.Looked = 1
		return v.empty(f)[0]
	}
	if got := says(train.StreamOpening, true); got != "not known yet" {
		t.Errorf("while a log is opened it says %q", got)
	}
	for _, got := range []string{says(train.StreamOpening, false), says(train.StreamLive, true)} {
		if got != diagnose.NothingWrong.Words() {
			t.Errorf("it says %q", got)
		}
	}
}
