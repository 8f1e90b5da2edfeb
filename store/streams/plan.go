// Package streams decides which logs are followed. It is pure: screens and
// commands pass what they want to read and a snapshot, and get the logs in
// order of need, and the reasons why others are left out.
package streams

import "github.com/traintop/traintop/train"

// DefaultMost is how many logs are followed at once unless configured; MostOfAll
// is the most that can be configured.
const (
	DefaultMost = 64
	MostOfAll   = 1024
)

// Want requests logs of one job.
type Want struct {
	Job train.JobID
	// Ranks are indices in Job.Ranks. nil leaves the choice to the rule: rank
	// 0, the ranks that print the metrics (until one is known: the last one
	// too), failing ones.
	Ranks []int
	// Container is the one to read, "" for the training container. A rank
	// whose pod does not have it is read from its training container.
	Container string
	// Previous also requests the instance before the newest one.
	Previous bool
	// Others also requests the logs of other containers that show why a rank is
	// in trouble: of the init container that keeps it from starting, and of
	// those that ended badly beside the training container.
	Others bool
	// Whole requests the log from its beginning; otherwise its end is enough.
	// Lines that the store dropped are read again when its limit is raised
	// before (store.SetLogLimit).
	Whole bool
	// Shown is true for what is on the screen now: it has priority.
	Shown bool
}

// Chosen is a log to follow.
type Chosen struct {
	ID train.StreamID
	// Previous is true for a container instance that has ended and was
	// followed by another: it is requested as the previous log.
	Previous bool
	// Ended is true for a newest container instance that has ended: its log gets no
	// more lines.
	Ended bool
	// Whole requests the log from its beginning.
	Whole bool
}

// Plan lists the logs to follow.
type Plan struct {
	// Most is the limit of the plan.
	Most int
	// Chosen are the logs in order of need.
	Chosen []Chosen
	// left are the reasons why a wanted rank is not followed.
	left map[leftKey]string
	// full are the ranks that are left out because of the limit.
	full map[leftKey]bool
}

type leftKey struct {
	job  train.JobID
	rank int
}

// Why returns why a wanted rank is not followed (it has no pod yet, the limit
// is reached), "" when it is followed or was not wanted.
func (p *Plan) Why(job train.JobID, rank int) string {
	if p == nil {
		return ""
	}
	return p.left[leftKey{job, rank}]
}

// Full reports whether a wanted rank is not followed because of the limit.
func (p *Plan) Full(job train.JobID, rank int) bool { return p != nil && p.full[leftKey{job, rank}] }
