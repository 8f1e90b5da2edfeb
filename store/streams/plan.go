// Package streams decides which logs are followed. It is pure: screens and
// commands say what they want to read, a snapshot says what there is, and the
// answer names the logs in order of need, and why the others are left out.
package streams

import "github.com/traintop/traintop/train"

// DefaultMost is how many logs are followed at once unless configured; MostOfAll
// is the most that can be configured.
const (
	DefaultMost = 64
	MostOfAll   = 1024
)

// Want is a wish to read logs of one job.
type Want struct {
	Job train.JobID
	// Ranks are places in Job.Ranks. nil leaves the choice to the rule: rank
	// 0, the ranks that print the metrics (until one is seen to: the last
	// one too), failing ones.
	Ranks []int
	// Container is the one to read, "" for the one that trains. A rank whose
	// pod does not have it is read where it trains.
	Container string
	// Previous also wants the life before the newest one.
	Previous bool
	// Init also wants, of a rank whose container has not started, the log of
	// the init container that keeps it from that.
	Init bool
	// Whole wants the log from its beginning; otherwise its end is enough.
	// What the store had to drop of a log comes back when its limit is
	// raised before (store.SetLogLimit).
	Whole bool
	// Shown is true for what is on the screen now: it comes first.
	Shown bool
}

// Chosen is a log that shall be followed.
type Chosen struct {
	ID train.StreamID
	// Previous is true for a life of the container that has ended and was
	// followed by another: it is asked for as the previous log.
	Previous bool
	// Whole wants the log from its beginning.
	Whole bool
}

// Plan is what shall be followed.
type Plan struct {
	// Most is the limit it was made for.
	Most int
	// Chosen stand in order of need.
	Chosen []Chosen
	// left says why a rank that was wanted is not followed.
	left map[leftKey]string
	// full are the ranks that are left out because of the limit.
	full map[leftKey]bool
}

type leftKey struct {
	job  train.JobID
	rank int
}

// Why says why a rank that was wanted is not followed (it has no pod yet, the
// limit is reached), "" when it is followed or was not wanted.
func (p *Plan) Why(job train.JobID, rank int) string {
	if p == nil {
		return ""
	}
	return p.left[leftKey{job, rank}]
}

// Full reports whether a rank that was wanted is not followed because of the limit.
func (p *Plan) Full(job train.JobID, rank int) bool { return p != nil && p.full[leftKey{job, rank}] }
