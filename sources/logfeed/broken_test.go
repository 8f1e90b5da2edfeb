package logfeed

import (
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/train"
)

// A parser that panics ends neither the program nor the reading of the log, and
// what it did not read is reported.
func TestABrokenParserIsReportedAndTheLogGoesOn(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{File: "train.log"}, Options{})
	_, _ = f.Write([]byte("step: 1 loss: 2.5\n"))
	f.line.parser = &formats.Parser{} // without what New makes
	_, _ = f.Write([]byte("step: 2 loss: 2.4\nstep: 3 loss: 2.3\nstep: 4 loss: 2.2\n"))
	f.End()
	if lines := strings.Join(got.texts(), "|"); lines != "step: 1 loss: 2.5|step: 2 loss: 2.4|step: 3 loss: 2.3|step: 4 loss: 2.2" {
		t.Errorf("the lines are %s", lines)
	}
	if !slices.Equal(got.losses(), []float64{2.5, 2.3, 2.2}) {
		t.Errorf("the losses are %v", got.losses())
	}
	if len(got.broken) != 1 || got.broken[0].Number != 2 || got.broken[0].Why == "" || strings.ContainsAny(got.broken[0].Why, "\n\x1b") {
		t.Errorf("%+v is told of line 2", got.broken)
	}
}
