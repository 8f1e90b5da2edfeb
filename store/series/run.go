package series

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Source is one log of a job: what Join makes a run of.
type Source struct {
	Stream train.StreamID
	// Rank is the place in the job's Ranks, -1 when unknown. RankIndex is
	// the rank itself.
	Rank, RankIndex int
	// Attempt counts the lives at the rank's place from 0, oldest first.
	Attempt int
	Table   Table
	Marks   []train.Mark
	Outlook train.Outlook
	// Ended is true when the log will not go on.
	Ended bool
}

// Track is one metric of one rank in one attempt.
type Track struct {
	Stream train.StreamID
	// Rank is the place in the job's Ranks, -1 when unknown; RankIndex the
	// rank itself, by a prefix of the line where one told it.
	Rank, RankIndex int
	// Attempt counts from 0 over the lives at the rank's place and the
	// resumptions within each.
	Attempt int
	// Rows and the points of the track: Rows[Row[i]] is where Values[i] stands.
	Rows   []Row
	Row    []uint32
	Values []float64
}

// Run is what the logs of one job say about its training, all ranks and
// attempts together. It never changes.
type Run struct {
	// Metrics are the names seen, the canonical ones first in a fixed order.
	Metrics []string
	// Marks of all ranks in order of time; those several ranks print about
	// the same step stand once.
	Marks []train.Mark
	Outlook
	tracks map[string][]Track
}

// Tracks are the tracks of a metric, by rank and attempt. Ranks that printed
// the same points are one track, of the lowest of them.
func (r *Run) Tracks(metric string) []Track {
	if r == nil {
		return nil
	}
	return r.tracks[metric]
}

// Outlook is where training stands and when it will be over. Unknown numbers
// are NaN, unknown times zero.
type Outlook struct {
	// Step is the newest; TotalSteps how many there will be.
	Step, TotalSteps float64
	// Epoch is the newest; TotalEpochs how many there will be.
	Epoch, TotalEpochs float64
	// Loss is the newest training loss and LossName what the log calls it
	// (where there is no "loss", the metric that stands for it: reward, ...).
	Loss     float64
	LossName string
	// StepTime is the median over the last minutes; RunStepTime since the start
	// of the newest attempt. Zero when unknown.
	StepTime, RunStepTime time.Duration
	// Remaining is the time left by StepTime, or as printed; Spread is how
	// far it may be off, from the spread of recent step times.
	Remaining, Spread time.Duration
	// Newest is when the newest sample was printed.
	Newest time.Time
	// LostSteps were done again after the newest resumption, taking LostTime.
	LostSteps float64
	LostTime  time.Duration
}

// Stalled is for how long no step has come, when that is far longer than
// usual (about ten median steps); 0 while all is well or nobody can tell.
func (o *Outlook) Stalled(now time.Time) time.Duration { return 0 }

// Join makes the run of a job out of its logs.
func Join(sources []Source) *Run { return &Run{tracks: map[string][]Track{}} }

// Spark thins a track's newest points to at most n values for a sparkline,
// over the whole run, without its non-finite values.
func (r *Run) Spark(metric string, n int) []float64 { return nil }
