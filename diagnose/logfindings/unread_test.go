package logfindings_test

import (
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	feed "github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A rank whose log was not read, or broke off, is not a silent rank.
func TestAnUnreadLogIsNotSilent(t *testing.T) {
	const lost = "worker0:15:91 [3] include/socket.h 398 NCCL WARN Call to recv failed : Connection reset by peer.\n"
	for state, want := range map[train.StreamState]int{train.StreamEnded: 2, train.StreamForbidden: -1, train.StreamFailed: -1} {
		for _, text := range []string{"", "step 1 loss 2.5\n"} {
			s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
			for rank, said := range []string{lost, lost, text} {
				id := train.StreamID{File: "rank" + string(rune('0'+rank)) + ".log"}
				status := train.StreamStatus{State: train.StreamEnded}
				s.Apply(store.StreamChanged{Stream: id, Status: status, Rank: rank, Job: "run"})
				f := feed.NewFeed(s, id, feed.Options{})
				_, _ = f.Write([]byte(said))
				f.End()
				if rank == 2 {
					status.State = state
					s.Apply(store.StreamChanged{Stream: id, Status: status, Rank: rank, Job: "run"})
				}
			}
			snapshot := s.Snapshot()
			found := logfindings.Find(snapshot, snapshot.LogJobs()[0], noWords)
			if len(found) != 1 || found[0].Cause != "nccl-connection-lost" || found[0].RootRank != want {
				t.Errorf("log of rank 2 %s, %q: got %+v, want root rank %d", state, text, found, want)
			}
		}
	}
}
