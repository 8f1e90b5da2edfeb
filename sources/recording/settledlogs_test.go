package recording_test

import (
	"testing"
	"time"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A log that was opened some seconds before the end of a recording was read to what was
// then its end: an answer from the recording reports of it what one from the cluster does. What a
// screen plays goes on as it was recorded.
func TestLogsThatWereOpenedShortlyBeforeTheEnd(t *testing.T) {
	for before, want := range map[time.Duration]train.StreamState{
		time.Second: train.StreamLive, 7 * time.Second: train.StreamStopped, time.Minute: train.StreamLive,
	} {
		now := began
		path := t.TempDir() + "/a.ttrec"
		w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		log := train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "main"}
		w.Apply(store.StreamChanged{Stream: log, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: began}})
		now = began.Add(before)
		w.Apply(store.Logged{Stream: log, Lines: []train.LogLine{{Number: 1, Time: began.Add(-time.Hour), Text: "step: 1 loss: 2.5"}}})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f := openFile(t, path)
		shown := store.New(time.Now)
		if err := recording.NewPlayer(f, "", time.Now).Begin(t.Context(), shown, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got := stateOf(shown, log); got.State != train.StreamLive {
			t.Errorf("opened %s before the end, a screen shows %s", before, got.State)
		}
		answered := store.New(time.Now)
		if err := (&recording.Source{File: f}).Run(t.Context(), answered); err != nil {
			t.Fatal(err)
		}
		if got := stateOf(answered, log); got.State != want {
			t.Errorf("opened %s before the end it is %s, want %s", before, got.State, want)
		}
	}
}

func stateOf(s *store.Store, id train.StreamID) (status train.StreamStatus) {
	s.Snapshot().Logs(func(log *store.Log) bool {
		if log.ID == id {
			status = log.Status
		}
		return true
	})
	return status
}
