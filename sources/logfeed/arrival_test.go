package logfeed

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// Lines without a time get the time of their arrival. This holds once lines
// arrive as they are printed, and only in a log that never had a time itself.
func TestTimeOfArrival(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }

	got := &sink{}
	f := NewFeed(got, train.StreamID{File: "train.log"}, Options{})
	_, _ = f.Write([]byte("step 1/9 | loss 3.1\n"))
	f.Arrive(clock)
	_, _ = f.Write([]byte("step 2/9 | loss 3.0\nstep 3/9 | loss 2.9\n"))
	if !got.lines[0].Time.IsZero() || !got.lines[1].Time.Equal(now) || !got.lines[2].Time.Equal(now) {
		t.Errorf("times are %v, %v, %v", got.lines[0].Time, got.lines[1].Time, got.lines[2].Time)
	}

	got = &sink{}
	f = NewFeed(got, train.StreamID{File: "train.log"}, Options{Zone: time.UTC})
	_, _ = f.Write([]byte("2026-11-20 08:00:00,123 - INFO - step 1/9 | loss 3.1\n"))
	f.Arrive(clock)
	_, _ = f.Write([]byte("Traceback (most recent call last):\n"))
	if !got.lines[1].Time.IsZero() {
		t.Errorf("a log with times of its own got %v", got.lines[1].Time)
	}
}
