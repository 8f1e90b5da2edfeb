package metrics

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

// MaxText bounds a text that has to be read as a whole (all formats except the
// Prometheus text format, which is streamed).
const MaxText = 64 << 20

// MaxGPUs bounds how many GPUs one answer may contain.
const MaxGPUs = 65_536

// NoGPUs is the note of an exporter's page that is valid and contains no GPU,
// NoGPUSeries that of an answer of Prometheus.
const (
	NoGPUs      = "no GPU metrics"
	NoGPUSeries = "series without GPU metrics"
)

// maxProblems bounds how many problems of one text are kept.
const maxProblems = 20

// Origin is what the caller knows about a text.
type Origin struct {
	// Node is the node that the text describes, "" if unknown.
	Node string
	// At is when the text was made, zero if unknown.
	At time.Time
}

// Answer is the content of a text.
type Answer struct {
	Format   Format
	Readings []train.GPUReading
	// Past is the time before the readings, from a range answer of Prometheus: at
	// least two points of each quantity, oldest first.
	Past []train.GPUPast
	// Usage is the CPU and memory that pods and nodes use (metrics.k8s.io).
	Usage []Usage
	// Problems are the parts that could not be read, the first maxProblems of
	// them; Dropped counts the others.
	Problems []Problem
	Dropped  int
	// Note describes a valid text without GPUs in a few words.
	Note string
}

// Problem is one part that could not be read.
type Problem struct {
	Line int // from 1; 0 for the text as a whole
	Text string
}

// String is "line 12: cause".
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Text)
}

// problem adds a part that could not be read.
func (a *Answer) problem(line int, format string, about ...any) {
	if len(a.Problems) >= maxProblems {
		a.Dropped++
		return
	}
	a.Problems = append(a.Problems, Problem{line, fmt.Sprintf(format, about...)})
}
