package logfeed

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// Lines of a file that mixes several logs give their metrics, as bytes do.
func TestWholeLinesGiveMetrics(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{File: "train.log"}, Options{})
	f.Line(1, []byte("step: 1 loss: 2.5"))
	f.Part(2, []byte("step: 2 "))
	f.Line(2, []byte("loss: 2"))
	f.End()
	if len(got.lines) != 2 || len(got.samples) != 2 {
		t.Errorf("%d lines, %d samples, want 2 of both", len(got.lines), len(got.samples))
	}
}
