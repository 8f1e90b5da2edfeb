package jobmetrics

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/traintop/traintop/diagnose"
)

// The memory kept for 2,000 pods whose GPUs nobody measures is the labels and
// samples of their 200 jobs, no state for each GPU.
func TestMemoryOfJobsThatNobodyMeasures(t *testing.T) {
	const jobs, ranks, mostForOneJob = 200, 10, 4 << 10
	l := newLab(t, Options{})
	for i := range jobs {
		l.start(job("ml", fmt.Sprintf("job-%03d", i), ranks), ranks)
	}
	s := l.Snapshot()
	l.report = diagnose.Run(s, diagnose.Options{}, nil)
	before := heapInUse()
	l.exporter.Observe(s, l.report)
	l.exporter.Observe(l.Snapshot(), l.report)
	grown := heapInUse() - before
	t.Logf("%d bytes for each job", grown/jobs)
	if grown > jobs*mostForOneJob {
		t.Errorf("%d bytes are kept for each job, at most %d are allowed", grown/jobs, mostForOneJob)
	}
	l.want(`traintop_job_gpus{job_name="job-199",kind="PyTorchJob",namespace="ml",queue="",state="unmeasured"`, ranks*8)
	runtime.KeepAlive(l)
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
