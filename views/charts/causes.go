package charts

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

// causeOf returns why an attempt had to follow another, as far as Kubernetes
// reports it: of the ranks' attempts that ended between them, the first that
// failed by itself. A log without a cluster shows only that training was
// resumed.
func causeOf(job *train.Job, before, after *curve) string {
	if job == nil || job.LogsOnly || before.key.stream == after.key.stream {
		return "resumed"
	}
	from, to := lastTime(before), firstTimeOf(after)
	at, cause := -1, (*train.Attempt)(nil)
	for i := range job.Ranks {
		for k := range job.Ranks[i].Attempts {
			a := &job.Ranks[i].Attempts[k]
			if ended(a) && between(a.Finished, from, to) && (cause == nil || likelier(a, cause)) {
				at, cause = i, a
			}
		}
	}
	if cause == nil {
		return "restart"
	}
	why := reasonOf(cause)
	if len(job.Ranks) > 1 {
		return fmt.Sprintf("restart: rank %d %s", job.Ranks[at].Index, why)
	}
	return "restart: " + why
}

// apart is how long after the last sample of a rank another rank may have ended
// and still be the cause; collective operations time out after 10 minutes
// (PyTorch's default for NCCL), DeepSpeed's after 30.
const apart = 30 * time.Minute

func between(t, from, to time.Time) bool {
	return (from.IsZero() || t.After(from.Add(-apart))) && (to.IsZero() || t.Before(to))
}

func ended(a *train.Attempt) bool { return !a.Finished.IsZero() || a.ExitCode != nil || a.Reason != "" }

// likelier compares two ends: one that failed by itself comes before one that
// was ended from outside, then the earlier one.
func likelier(a, b *train.Attempt) bool {
	if x, y := weightOf(a), weightOf(b); x != y {
		return x > y
	}
	return a.Finished.Before(b.Finished)
}

// Exit codes of processes that a signal ended: 128 and its number.
const (
	exitKilled     = 137 // SIGKILL, by the kernel's OOM killer or the kubelet
	exitTerminated = 143 // SIGTERM: another process asked it to end
)

func weightOf(a *train.Attempt) int {
	switch {
	case a.Reason != "" && a.Reason != "Error" && a.Reason != "Completed":
		return 3 // OOMKilled, Evicted, NodeLost, Preempted, DeadlineExceeded ...
	case a.ExitCode == nil:
		return 1
	case *a.ExitCode == 0 || *a.ExitCode == exitTerminated:
		return 0
	case *a.ExitCode == exitKilled:
		return 1
	}
	return 2
}

func reasonOf(a *train.Attempt) string {
	switch {
	case a.Reason != "" && a.Reason != "Error":
		return a.Reason
	case a.ExitCode != nil:
		return fmt.Sprintf("exit code %d", *a.ExitCode)
	}
	return "ended"
}

func lastTime(c *curve) time.Time { return timeOf(c, c.len()-1) }

func firstTimeOf(c *curve) time.Time { return timeOf(c, 0) }

func timeOf(c *curve, i int) time.Time {
	if nanos := c.row(i).Time; nanos != 0 {
		return time.Unix(0, nanos).UTC()
	}
	return time.Time{}
}
