package receivers

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/traintop/traintop/alerts"
)

// queued is a notice that waits.
type queued struct {
	notice alerts.Notice
	// since is when it was queued, for its age.
	since time.Time
	tries int
	// after is when it may be tried again, backoff the pauses of its tries.
	after   time.Time
	backoff wait.Backoff
	// sending is true while it is being sent, when it cannot be dropped.
	sending bool
}

// queue holds notices in the order in which they came. A notice waits for the
// earlier ones of its incident; those of other incidents go on, so that one that
// is always refused for a while does not hold up the rest.
type queue struct {
	waiting []*queued
	// until is when the receiver may be tried again; backoff grows with each
	// failure in a row.
	until   time.Time
	backoff wait.Backoff
}

func (q *queue) len() int { return len(q.waiting) }

// replace puts a notice in the place of one of the same ID that still waits: what
// keeps an incident open is sent each minute, and after an hour without a
// receiver once is enough.
func (q *queue) replace(n alerts.Notice) bool {
	for _, one := range q.waiting {
		if one.notice.ID == n.ID && !one.sending {
			one.notice = n
			return true
		}
	}
	return false
}

func (q *queue) add(n alerts.Notice, now time.Time) {
	q.waiting = append(q.waiting, &queued{notice: n, since: now, backoff: newBackoff()})
}

// takeOldest takes out the oldest notice that is not being sent.
func (q *queue) takeOldest() (oldest alerts.Notice, found bool) {
	at := slices.IndexFunc(q.waiting, func(one *queued) bool { return !one.sending })
	if at < 0 {
		return alerts.Notice{}, false
	}
	oldest = q.waiting[at].notice
	q.waiting = slices.Delete(q.waiting, at, at+1)
	return oldest, true
}

// remove takes a notice out that was sent, or given up.
func (q *queue) remove(done *queued) {
	if at := slices.Index(q.waiting, done); at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
}

// next takes the notice with the fewest tries that may be sent now. Without one,
// pause is how long until there is one, 0 for an empty queue.
func (q *queue) next(now time.Time) (best *queued, pause time.Duration) {
	var soonest time.Time
	held := map[alerts.IncidentID]bool{}
	for _, one := range q.waiting {
		if held[one.notice.Incident.ID] {
			continue
		}
		held[one.notice.Incident.ID] = true
		at := one.after
		if at.Before(q.until) {
			at = q.until
		}
		switch {
		case at.After(now):
			if soonest.IsZero() || at.Before(soonest) {
				soonest = at
			}
		case best == nil || one.tries < best.tries:
			best = one
		}
	}
	switch {
	case best != nil:
		best.sending = true
	case !soonest.IsZero():
		pause = soonest.Sub(now)
	}
	return best, pause
}

// answered notes that the receiver works.
func (q *queue) answered() {
	q.until, q.backoff = time.Time{}, newBackoff()
}

// failed notes a failure that may pass. after is how long the receiver asked to
// wait, 0 where it named no time.
func (q *queue) failed(one *queued, now time.Time, after time.Duration) {
	if q.backoff.Duration == 0 {
		q.backoff = newBackoff()
	}
	one.tries++
	one.sending = false
	one.after = now.Add(one.backoff.Step())
	q.until = now.Add(max(after, q.backoff.Step()))
}

// takeOlder takes out the notices that have waited for an age.
func (q *queue) takeOlder(now time.Time, age time.Duration) (old []*queued) {
	q.waiting = slices.DeleteFunc(q.waiting, func(one *queued) bool {
		if now.Sub(one.since) < age {
			return false
		}
		old = append(old, one)
		return true
	})
	return old
}

// notices are those that wait.
func (q *queue) notices() []alerts.Notice {
	var all []alerts.Notice
	for _, one := range q.waiting {
		all = append(all, one.notice)
	}
	return all
}
