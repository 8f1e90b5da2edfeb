package signatures

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"time"
)

// A cached result equals a new scan of the same text.
func TestARepeatedLineTellsTheSame(t *testing.T) {
	lines := bytes.Split(failing()[:20_000], []byte("\n"))
	lines = append(lines, []byte("error: CUDA out of memory, and RuntimeError: CUDA error: an illegal memory access was encountered"))
	repeats := NewScanner(InLog)
	for round := range 3 {
		for i, line := range lines {
			at := int64(round*len(lines) + i)
			got := slices.Clone(repeats.Line(at, time.Time{}, line))
			want := NewScanner(InLog).Line(at, time.Time{}, line)
			if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\ntells %v, want %v", line, got, want)
			}
		}
	}
	if n := len(repeats.weighed); n == 0 || n > mostWeighed {
		t.Errorf("%d texts are remembered", n)
	}
}
