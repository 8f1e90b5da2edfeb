package logfeed

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// A failure is found in a line however far it is from the line's beginning.
func TestFailuresInTheTailOfALongLine(t *testing.T) {
	const said = " torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB "
	for _, before := range []int{MaxLine - 100, MaxLine - 20, MaxLine + 10, MaxLine + tailWindow - tailOverlap - 30, 3*MaxLine + 7, 1 << 20} {
		for _, step := range []int{1000, 1 << 16} {
			text := "step 1\n" + strings.Repeat("x ", before/2) + said + strings.Repeat("y", 9000) + "\nstep 2\n"
			sink := &sink{}
			f := NewFeed(sink, train.StreamID{File: "a.log"}, Options{})
			for at := 0; at < len(text); at += step {
				_, _ = f.Write([]byte(text[at:min(at+step, len(text))]))
			}
			f.End()
			found := 0
			for _, hit := range sink.hits {
				if hit.Cause == "cuda-out-of-memory" && hit.Line == 2 && strings.Contains(hit.Text, "CUDA out of memory") {
					found++
				}
			}
			if found == 0 {
				t.Errorf("behind %d bytes, in pieces of %d: not found: %+v", before, step, sink.hits)
			}
		}
	}
}
