// Package readings has what reading a text about GPUs answers with, whoever wrote the
// text: readings, problems and their limits, and which numbers a GPU can have.
package readings

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

// MaxProblems bounds how many problems of one text are kept.
const MaxProblems = 20

// Format is the format of a text, in words for people. "" is a text that is
// not read.
type Format string

// NoFormat is the format of such a text.
const NoFormat Format = ""

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
	// Problems are the parts that could not be read, the first MaxProblems of
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

// AddProblem adds a part that could not be read.
func (a *Answer) AddProblem(line int, format string, about ...any) {
	if len(a.Problems) >= MaxProblems {
		a.Dropped++
		return
	}
	a.Problems = append(a.Problems, Problem{line, fmt.Sprintf(format, about...)})
}

// Usage is the CPU and memory that a node, or a container of a pod, uses according
// to metrics-server. It contains no GPUs.
type Usage struct {
	Node                      string  // of a node
	Namespace, Pod, Container string  // of a container
	CPU                       float64 // millicores, over Window
	Memory                    int64   // bytes of the working set
	At                        time.Time
	Window                    time.Duration
}
