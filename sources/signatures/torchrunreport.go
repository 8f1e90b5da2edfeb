package signatures

import (
	"bytes"
	"regexp"

	"github.com/traintop/traintop/train"
)

// report is torchrun's open report: blocks of a rank each, whose lines are time, host,
// rank, exitcode, pid, error_file, traceback. The block of the first failure comes last.
type report struct {
	root bool // in the block of the first failure
	rank int
	left int // lines that the block may still have
	// time is when the rank of the block failed, as torchrun wrote it.
	time string
	// cut is the hit of the block of the first failure until its exit code comes.
	cut train.LogHit
}

// reportLines is the maximum size of a block.
const reportLines = 8

// rootCut is the row for the block of the first failure without its exit code.
const rootCut = "child-root"

var (
	reportRank = regexp.MustCompile(`^\s*rank\s*: (\d+) \(local_rank: \d+(?:\)|\s*$)`)
	reportTime = regexp.MustCompile(`^\s*time\s*: (\d{4}-\d\d-\d\d_\d\d:\d\d:\d\d)\s*$`)
)

// take reads a line of the report.
func (r *report) take(at int64, line []byte) {
	switch {
	case bytes.Contains(line, []byte("Root Cause (first observed failure)")), bytes.Contains(line, []byte("ChildFailedError:")):
		// In a whole report "Failures:" follows the name of the exception. Behind that
		// name alone, in a report cut to one block, comes the block of the first failure.
		*r = report{root: true, rank: -1, left: reportLines}
	case bytes.Contains(line, []byte("Failures:")):
		*r = report{rank: -1, left: reportLines}
	default:
		if m := reportRank.FindSubmatch(line); m != nil {
			r.rank, _ = number(m[1])
			r.left = reportLines
			if r.root {
				r.cut = train.LogHit{Signature: rootCut, Cause: "torchrun-child-failed", Line: at, Text: shown(line), Captures: []string{r.time, RootCause}, Rank: r.rank}
			}
		}
	}
}

// takeTime reads the time of the next block, which no anchor shows.
func (r *report) takeTime(line []byte) {
	if r.left == 0 {
		return
	}
	if m := reportTime.FindSubmatch(line); m != nil {
		r.time, r.left = string(m[1]), reportLines
	}
}

// mark adds to a hit of the report the time at which its rank failed, and that it is the
// first failure.
func (r *report) mark(hit *train.LogHit) {
	if r.left == 0 {
		return
	}
	captures := append(hit.Captures[:len(hit.Captures):len(hit.Captures)], r.time)
	if r.root {
		captures, r.cut = append(captures, RootCause), train.LogHit{}
	} else {
		captures = append(captures, OtherFailure)
	}
	hit.Captures = captures
}

// RootCause is the last capture of a hit in torchrun's block "Root Cause (first
// observed failure)", OtherFailure that of a hit in a block of another rank. The
// capture before it is the time at which the rank failed, "" where it is not printed.
const (
	RootCause    = "root cause"
	OtherFailure = "other failure"
)
