package jobmetrics

import (
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// tracker holds what is counted from one snapshot to the next, and makes the
// samples of each.
type tracker struct {
	maxJobs int
	keep    time.Duration

	// sequence and at are those of the newest snapshot.
	sequence uint64
	at       time.Time
	jobs     map[train.JobID]*trackedJob
	// namespaces and queues have the GPU time of everything in them.
	namespaces, queues groups
	unmeasured         unmeasuredGPUs
	// lastSuccess is when a source was last read.
	lastSuccess map[string]time.Time
}

func newTracker(o Options) tracker {
	return tracker{
		maxJobs: o.MaxJobs, keep: o.Keep, jobs: map[train.JobID]*trackedJob{},
		namespaces: groups{id: namespaceGPUSeconds}, queues: groups{id: queueGPUSeconds}, lastSuccess: map[string]time.Time{},
	}
}

// trackedJob is what is counted of one training job.
type trackedJob struct {
	job  *train.Job
	name jobName
	// ofJob and ofQueue are the labels of most metrics; queue and phase are those
	// that ofQueue and ofPhase are made of.
	ofJob, ofQueue, ofPhase labels
	queue                   string
	phase                   train.Phase
	gpus                    gpuUse
	restarts, lost          counter
	held                    counter
	// ended is when it was first seen to have ended, zero before.
	ended time.Time
	// shown is true while it has series.
	shown bool
}

// jobName is what distinguishes jobs in Prometheus.
type jobName struct{ namespace, kind, name string }

// labelsOf returns the labels of a metric of the job, with more values behind those
// of the job.
func (n jobName) labelsOf(of id, more ...string) labels {
	return labelsOf(of, append([]string{n.namespace, n.kind, n.name}, more...)...)
}

// sharing returns the labels with those pairs that others have too taken from
// there: a pair takes a hundred bytes, and a job has two dozen.
func (l labels) sharing(others ...labels) labels {
	for i, pair := range l {
		for _, other := range others {
			if at := slices.IndexFunc(other, func(p *dto.LabelPair) bool {
				return p.GetName() == pair.GetName() && p.GetValue() == pair.GetValue()
			}); at >= 0 {
				l[i] = other[at]
				break
			}
		}
	}
	return l
}

// counter is a number that only grows, made of one that may fall back: a pod
// that is deleted takes its restarts along.
type counter struct {
	total, last float64
	known       bool
}

func (c *counter) observe(value float64) {
	if value > c.last {
		c.total += value - c.last
	}
	c.last, c.known = value, true
}

// observe counts what happened since the last snapshot, and appends the samples
// of this one.
func (t *tracker) observe(all []sample, s *store.Snapshot, r *diagnose.Report, settled bool) []sample {
	passed := t.pass(s.Now)
	t.sequence, t.at = s.Sequence, s.Now
	all = append(all, sample{id: snapshotTime, value: unix(s.Now)})
	all = t.sourceSamples(all, s)
	if !settled {
		return all
	}
	t.follow(s)
	t.countGPUs(s, r, passed)
	chosen, left := t.choose(s.Now)
	left.notTraining = len(s.Jobs()) - len(t.jobs)
	all = left.samples(all)
	for _, tracked := range chosen {
		j := jobSampler{all: all, tracked: tracked, job: tracked.job, snapshot: s, report: r}
		all = j.samples()
	}
	all = t.namespaces.samples(all)
	all = t.queues.samples(all)
	return clusterSamples(all, s, r)
}

// longestPass bounds how much time is counted between two snapshots. After a
// longer one the program was stopped or the clock was set, and what GPUs did in
// between is unknown.
const longestPass = 5 * time.Minute

// pass returns the time since the last snapshot.
func (t *tracker) pass(now time.Time) time.Duration {
	if t.at.IsZero() {
		return 0
	}
	return min(max(0, now.Sub(t.at)), longestPass)
}

// follow takes over the training jobs of a snapshot, and drops those that are
// gone.
func (t *tracker) follow(s *store.Snapshot) {
	for _, known := range t.jobs {
		known.job = nil
	}
	for _, job := range s.Jobs() {
		if !job.Training {
			continue
		}
		known := t.jobs[job.ID]
		if known == nil {
			known = newTrackedJob(jobName{label(job.Ref.Namespace), kindOf(job.Ref), label(job.Ref.Name)})
			t.jobs[job.ID] = known
		}
		known.observe(job, s.Now)
	}
	for id, known := range t.jobs {
		if known.job == nil {
			delete(t.jobs, id)
		}
	}
}

func newTrackedJob(name jobName) *trackedJob {
	return &trackedJob{name: name, ofJob: name.labelsOf(jobStep)}
}

func (k *trackedJob) observe(job *train.Job, now time.Time) {
	k.job = job
	if queue := queueOf(job); k.ofQueue == nil || k.queue != queue || k.phase != job.Phase {
		if k.ofQueue == nil || k.queue != queue {
			k.ofQueue = k.name.labelsOf(jobQueueWait, queue).sharing(k.ofJob)
			k.gpus.label(func(use string) labels { return k.name.labelsOf(jobGPUs, queue, use).sharing(k.ofQueue) })
		}
		k.queue, k.phase = queue, job.Phase
		k.ofPhase = k.name.labelsOf(jobPhase, queue, label(string(job.Phase))).sharing(k.ofQueue)
	}
	k.restarts.observe(float64(job.Restarts))
	if seconds, known := job.GPUSeconds(now); known {
		k.held.observe(seconds)
	}
	switch {
	case !job.Phase.Terminal():
		k.ended = time.Time{}
	case !job.Finished.IsZero():
		k.ended = job.Finished
	case k.ended.IsZero():
		k.ended = now
	}
}

// unix returns a time in seconds since 1970.
func unix(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }
