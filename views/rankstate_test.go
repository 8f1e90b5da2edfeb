package views

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// The log of a container that ended is not live, though its stream is still open.
func TestTheLogOfARankThatEndedIsNotLive(t *testing.T) {
	for _, c := range []struct {
		rank         train.RankState
		stream, want train.StreamState
	}{
		{train.RankFailed, train.StreamLive, train.StreamEnded},
		{train.RankSucceeded, train.StreamLive, train.StreamEnded},
		{train.RankRunning, train.StreamLive, train.StreamLive},
		{train.RankCrashing, train.StreamLive, train.StreamLive},
		{train.RankFailed, train.StreamRetrying, train.StreamRetrying},
		{train.RankFailed, "", ""},
	} {
		if got := LogState(&train.Rank{State: c.rank}, c.stream); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.rank, c.stream, got, c.want)
		}
	}
}
