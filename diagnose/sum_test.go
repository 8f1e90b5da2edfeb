package diagnose

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func TestSumOfACluster(t *testing.T) {
	s := readDump(t, "../testdata/demo")
	r := Run(s, Options{}, nil)
	sum := r.Sum(s, nil)
	if sum.Looked != len(s.Jobs()) || sum.Errors < 5 || sum.Warnings == 0 || sum.Errors+sum.Warnings > sum.Looked {
		t.Errorf("%+v", sum)
	}
	if sum.First == nil || sum.First.Phase != train.Failed {
		t.Errorf("the first is %+v", sum.First)
	}
	running := r.Sum(s, func(j *train.Job) bool { return j.Phase == train.Running })
	if running.First == nil || running.First == sum.First || running.Looked >= sum.Looked {
		t.Errorf("of those that run: %+v", running)
	}
	if none := (*Report)(nil).Sum(s, nil); none != (Sum{}) {
		t.Errorf("before the first report: %+v", none)
	}
}

// A job that needs a person comes before one that does not, whatever its phase; an error
// before a warning, a failed job before one that may run, the queue's own order, and a
// new job before an old one.
func TestCompareNeed(t *testing.T) {
	old, new := time.Unix(1, 0), time.Unix(2, 0)
	job := func(phase train.Phase, created time.Time) *train.Job {
		return &train.Job{Phase: phase, Created: created}
	}
	queued := func(place int) *train.Job {
		return &train.Job{Phase: train.Queued, Queue: &train.Queue{Place: place}}
	}
	const calm, warning, fault = "", train.SeverityWarning, train.SeverityError
	for name, got := range map[string]int{
		"need":          CompareNeed(job(train.Running, old), warning, job(train.Suspended, new), calm),
		"severity":      CompareNeed(job(train.Running, old), fault, job(train.Pending, new), warning),
		"phase":         CompareNeed(job(train.Failed, old), fault, job(train.Pending, new), fault),
		"place":         CompareNeed(queued(1), warning, queued(2), warning),
		"age":           CompareNeed(job(train.Pending, new), fault, job(train.Pending, old), fault),
		"unknown phase": CompareNeed(job("Exploded", old), calm, job(train.Running, new), warning),
		"logs":          CompareNeed(job(train.Running, old), warning, &train.Job{LogsOnly: true, Created: new}, calm),
	} {
		if got >= 0 {
			t.Errorf("%s: %d", name, got)
		}
	}
}
