package logfeed_test

import (
	"testing"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

type heard map[int64]string

func (h heard) Apply(events ...store.Event) {
	for _, event := range events {
		if e, ok := event.(store.Logged); ok {
			for _, line := range e.Lines {
				h[line.Number] = line.Text
			}
		}
	}
}

// A stream that breaks off anywhere, and continues at the beginning of the line
// that was cut, gives the same lines as one that did not break.
func TestBreakAnywhere(t *testing.T) {
	const first, second = "2026-11-20T08:50:00.000000001Z one é\n", "2026-11-20T08:50:01.000000001Z two\r 50%\rdone\n"
	for at := range len(second) {
		got := heard{}
		feed := logfeed.NewFeed(got, train.StreamID{Pod: "a"}, logfeed.Options{Framing: logfeed.FramingTimestamps})
		feed.Write([]byte(first + second[:at]))
		feed.Break()
		if feed.Lines() != 1 {
			t.Errorf("cut after %d bytes: %d lines are complete", at, feed.Lines())
		}
		feed.Write([]byte(second))
		feed.End()
		if len(got) != 2 || got[1] != "one é" || got[2] != "done" {
			t.Errorf("cut after %d bytes: %v", at, got)
		}
	}
}
