package series

import (
	"sync"
	"time"

	"github.com/traintop/traintop/train"
)

// Source is one log of a job, an input of Join.
type Source struct {
	Stream train.StreamID
	// Rank is the index in the job's Ranks, -1 when unknown. RankIndex is the
	// rank itself.
	Rank, RankIndex int
	// Attempt counts the container instances of the rank from 0, oldest first.
	Attempt int
	Table   Table
	Marks   []train.Mark
	Hints   train.ProgressHints
	// StepsAsked is the number of steps on the container's command line, 0
	// without one. A total that the log prints takes precedence.
	StepsAsked int64
	// Ended is true when the log will not grow, or is not followed.
	Ended bool
	// Status is how the log is read.
	Status train.StreamStatus
}

// Track is one metric of one rank in one attempt.
type Track struct {
	Stream train.StreamID
	// Rank is the index in the job's Ranks, -1 when unknown; RankIndex the
	// rank itself, from a prefix of the line where there is one.
	Rank, RankIndex int
	// Attempt counts from 0 over the container instances of the rank and the
	// resumptions within each.
	Attempt int
	// Ranks is how many ranks printed these points, including this one.
	Ranks int
	// Unit is what Row.X counts.
	Unit Unit
	// Rows and the points of the track: Rows[Row[i]] is the row of Values[i].
	Rows   []Row
	Row    []uint32
	Values []float64

	sums        []uint32
	printedRank int32
	total       total
	// checked is how many points it had when it equalled no other.
	checked int
}

// Len returns the number of points.
func (t *Track) Len() int { return len(t.Values) }

// Mean returns the mean of all finite values and how many there are, those that were
// thinned too; of a column with several attempts, of this one.
func (t *Track) Mean() (mean float64, values int64) {
	return t.total.sum / float64(t.total.values), t.total.values
}

// X returns the position of a point on the axis.
func (t *Track) X(i int) float64 { return t.Rows[t.Row[i]].X }

// Run holds what the logs of one job contain about its training, all ranks and
// attempts together. It never changes.
type Run struct {
	// Metrics are the names of all metrics, the canonical ones first in a
	// fixed order.
	Metrics []string
	// Marks of all ranks in order of time; marks that several ranks print
	// about the same step appear once.
	Marks []train.Mark
	Progress

	sources    []Source
	rankSeries []rankSeries
	mu         sync.Mutex // guards tracks, which are built on request
	tracks     map[string][]Track
	// dedupResults are the results of earlier runs about tracks.
	dedupResults map[string][]dedupSeries
}

// Progress is how far training is and when it will end. Unknown numbers are
// NaN, unknown times zero.
type Progress struct {
	// Step is the newest step, TotalSteps how many there will be. Both count
	// as Row.X does.
	Step, TotalSteps float64
	// Epoch is the newest epoch, TotalEpochs how many there will be.
	Epoch, TotalEpochs float64
	// Loss is the newest training loss and LossName its name in the log (where
	// there is no "loss", the metric used instead: reward, ...).
	Loss     float64
	LossName string
	// StepTime is the median over the last minutes; RunStepTime the mean since
	// the start of the newest attempt. Zero when unknown.
	StepTime, RunStepTime time.Duration
	// Remaining is the time left according to StepTime, or as printed; Spread
	// is its error, from the spread of recent step times and from their
	// distance to those of the whole attempt.
	Remaining, Spread time.Duration
	// Newest is when the newest sample was printed.
	Newest time.Time
	// LostSteps were repeated after the newest resumption and took LostTime.
	LostSteps float64
	LostTime  time.Duration
	// AllLostSteps were repeated after all resumptions that the logs show.
	AllLostSteps float64

	// patience is the longest usual wait, 0 when unknown; pause is the longest wait
	// after which the attempt went on.
	patience, pause time.Duration
	// status is that of the leading log, followed whether it still grows.
	status   train.StreamStatus
	followed bool
}

// Stalled returns for how long no sample has arrived, when that is far longer
// than usual (about ten median steps, and longer than the longest of the
// recent waits); 0 while all is well, when the usual time is unknown, when the
// log was only just opened, or when the logs have ended.
func (o *Progress) Stalled(now time.Time) time.Duration {
	if !o.followed || o.patience == 0 || o.Newest.IsZero() || !o.status.Settled(now) {
		return 0
	}
	if waited := now.Sub(o.status.Printed(o.Newest)); waited > o.patience+o.status.ClocksDiffer {
		return waited
	}
	return 0
}

// Age returns how long ago the newest sample was printed. It is unknown when the
// logs have ended or are not followed, when a log was only just opened, and
// when no line has a time.
func (o *Progress) Age(now time.Time) (age time.Duration, known bool) {
	if !o.followed || o.Newest.IsZero() || !o.status.Settled(now) {
		return 0, false
	}
	return max(0, now.Sub(o.status.Printed(o.Newest))), true
}

// Patience returns the longest usual wait for a sample, 0 when unknown or when
// the logs have ended: Stalled compares with it, and the diagnosis of a log that was
// read once.
func (o *Progress) Patience() time.Duration { return o.patience }

// Pause returns the longest wait for a sample after which training went on, 0 when
// unknown or when the logs have ended.
func (o *Progress) Pause() time.Duration { return o.pause }
