package series

import (
	"sync"
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
	Outlook train.ProgressHints
	// StepsAsked is for how many steps the container's command line asks, 0
	// when it does not say. What the log prints counts more.
	StepsAsked int64
	// Ended is true when the log will not go on, or nobody follows it.
	Ended bool
	// Status is how the log is read.
	Status train.StreamStatus
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
	// Ranks is how many ranks printed these points, this one included.
	Ranks int
	// Unit is what Row.X counts.
	Unit Unit
	// Rows and the points of the track: Rows[Row[i]] is where Values[i] stands.
	Rows   []Row
	Row    []uint32
	Values []float64

	sums []uint32
	lane int32
	// checked is how many points it had when it was found to be like no other.
	checked int
}

// Len is how many points there are.
func (t *Track) Len() int { return len(t.Values) }

// X is where a point stands on the axis.
func (t *Track) X(i int) float64 { return t.Rows[t.Row[i]].X }

// Run is what the logs of one job say about its training, all ranks and
// attempts together. It never changes.
type Run struct {
	// Metrics are the names seen, the canonical ones first in a fixed order.
	Metrics []string
	// Marks of all ranks in order of time; those several ranks print about
	// the same step stand once.
	Marks []train.Mark
	Progress

	sources []Source
	strands []rankSeries
	mu      sync.Mutex // guards tracks, which are made when they are asked for
	tracks  map[string][]Track
	// courses are what runs before this one found out about tracks.
	courses map[string][]dedupSeries
}

// Progress is where training stands and when it will be over. Unknown numbers
// are NaN, unknown times zero.
type Progress struct {
	// Step is the newest; TotalSteps how many there will be. Both count as
	// Row.X does.
	Step, TotalSteps float64
	// Epoch is the newest; TotalEpochs how many there will be.
	Epoch, TotalEpochs float64
	// Loss is the newest training loss and LossName what the log calls it
	// (where there is no "loss", the metric that stands for it: reward, ...).
	Loss     float64
	LossName string
	// StepTime is the median over the last minutes; RunStepTime the mean since
	// the start of the newest attempt. Zero when unknown.
	StepTime, RunStepTime time.Duration
	// Remaining is the time left by StepTime, or as printed; Spread is how
	// far it may be off, from the spread of recent step times and from how
	// far they are from those of the whole attempt.
	Remaining, Spread time.Duration
	// Newest is when the newest sample was printed.
	Newest time.Time
	// LostSteps were done again after the newest resumption, taking LostTime.
	LostSteps float64
	LostTime  time.Duration

	// patience is how long a wait is usual, 0 when nobody can tell.
	patience time.Duration
	// status is that of the log that leads.
	status train.StreamStatus
}

// Stalled is for how long no sample has come, when that is far longer than
// usual (about ten median steps, and longer than the longest of the recent
// waits); 0 while all is well, nobody can tell, the log was only just opened,
// or the logs have ended.
func (o *Progress) Stalled(now time.Time) time.Duration {
	if o.patience == 0 || o.Newest.IsZero() || !o.status.Settled(now) {
		return 0
	}
	if waited := now.Sub(o.Newest); waited > o.patience {
		return waited
	}
	return 0
}

// Patience is the longest wait for a sample that is still usual, 0 when nobody
// can tell or the logs have ended: what Stalled compares with.
func (o *Progress) Patience() time.Duration { return o.patience }
