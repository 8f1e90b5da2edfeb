package store

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// A cut line counts once, however often it arrives while it grows.
func TestCutLinesAreCounted(t *testing.T) {
	s := newStore()
	id := train.StreamID{File: "train.log"}
	for _, line := range []train.LogLine{{Number: 1}, {Number: 2, Cut: 10}, {Number: 2, Cut: 25}, {Number: 3}, {Number: 4, Cut: 5}} {
		s.Apply(Logged{Stream: id, Lines: []train.LogLine{line}})
	}
	cut := s.Snapshot().Log(id).Cut
	if cut.Lines != 2 || cut.Bytes != 30 || cut.First != 2 {
		t.Errorf("%d lines are cut, %d bytes, the first is %d", cut.Lines, cut.Bytes, cut.First)
	}
}
