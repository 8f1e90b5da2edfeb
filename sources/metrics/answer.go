package metrics

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

// MaxText bounds a text that has to be read as a whole (everything but the
// Prometheus text format, which is streamed).
const MaxText = 64 << 20

// MaxGPUs bounds how many GPUs one answer may tell of.
const MaxGPUs = 65_536

// NoGPUs is the note of an exporter's page that is sound and tells of no GPU.
const NoGPUs = "no GPU metrics"

// maxProblems bounds the problems that are kept of one text.
const maxProblems = 20

// Origin is what the caller knows of a text.
type Origin struct {
	// Node is the machine it is of, "" when unknown.
	Node string
	// At is when it was taken, zero when unknown.
	At time.Time
}

// Answer is what a text says.
type Answer struct {
	Format   Format
	Readings []train.GPUReading
	// Past is what a range answer of Prometheus tells of the time before the
	// readings: at least two points of a quantity each, oldest first.
	Past []train.GPUPast
	// Usage is what pods and nodes use of CPU and memory (metrics.k8s.io).
	Usage []Usage
	// Problems are what could not be read, the first maxProblems of them;
	// Dropped counts the others.
	Problems []Problem
	Dropped  int
	// Note says in a few words what a sound text without GPUs is.
	Note string
}

// Problem is one thing that could not be read.
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

// problem notes what could not be read.
func (a *Answer) problem(line int, format string, about ...any) {
	if len(a.Problems) >= maxProblems {
		a.Dropped++
		return
	}
	a.Problems = append(a.Problems, Problem{line, fmt.Sprintf(format, about...)})
}
