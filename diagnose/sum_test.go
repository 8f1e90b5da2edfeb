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
	if sum.Worst == nil || sum.Worst.Severity != train.SeverityError || s.Job(sum.Worst.JobID).Phase != train.Failed {
		t.Errorf("the worst is %+v", sum.Worst)
	}
	running := r.Sum(s, func(j *train.Job) bool { return j.Phase == train.Running })
	if running.Worst == nil || running.Worst.Cause == sum.Worst.Cause || running.Looked >= sum.Looked {
		t.Errorf("of those that run: %+v", running)
	}
	if none := (*Report)(nil).Sum(s, nil); none != (Sum{}) {
		t.Errorf("before the first report: %+v", none)
	}
}

// A finding that stopped a job comes before one that slows a job, a failed job
// before one that may run, a new job before an old one.
func TestWorse(t *testing.T) {
	old, new := time.Unix(1, 0), time.Unix(2, 0)
	job := func(phase train.Phase, created time.Time) *train.Job {
		return &train.Job{Phase: phase, Created: created}
	}
	failed := &train.Finding{Severity: train.SeverityError}
	slow := &train.Finding{Severity: train.SeverityWarning}
	for name, got := range map[string]int{
		"severity": worse(job(train.Running, old), failed, job(train.Failed, new), slow),
		"phase":    worse(job(train.Failed, old), failed, job(train.Pending, new), failed),
		"age":      worse(job(train.Pending, new), failed, job(train.Pending, old), failed),
	} {
		if got >= 0 {
			t.Errorf("%s: %d", name, got)
		}
	}
}
