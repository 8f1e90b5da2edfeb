package comparison

import (
	"math"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Run is one run of a comparison. Unknown numbers are NaN, unknown times zero.
type Run struct {
	Job *train.Job
	// Step is the newest step, TotalSteps how many there will be.
	Step, TotalSteps float64
	// StepTime is the time of a step: the median of the last minutes.
	StepTime time.Duration
	// Duration is for how long the run has been going, or took.
	Duration time.Duration
	// GPUHours is what all ranks held, in all attempts.
	GPUHours float64
	// Attempts counts the resumptions that the logs show and the pods of the
	// rank that had most; 0 when unknown.
	Attempts int
	// LostSteps were repeated after the newest resumption.
	LostSteps float64
	// Stats are what the run has of each metric.
	Stats map[string]Stat

	run *series.Run
	// settings are those of the specification by name, nil when unknown.
	settings map[string]string
}

func runOf(s *store.Snapshot, job *train.Job) Run {
	r := Run{Job: job, Step: math.NaN(), TotalSteps: math.NaN(), GPUHours: gpuHours(job, s.Now), run: s.Run(job)}
	r.settings = settingsOf(s, job)
	if r.run != nil {
		p := &r.run.Progress
		r.Step, r.TotalSteps, r.StepTime, r.LostSteps = p.Step, p.TotalSteps, p.StepTime, p.LostSteps
	}
	r.Duration, r.Attempts = duration(job, r.run, s.Now), attempts(job, r.run)
	return r
}

// metrics are the names of the run's metrics.
func (r *Run) metrics() []string {
	if r.run == nil {
		return nil
	}
	return r.run.Metrics
}

// reached is the last position of the run's loss or, without one, of its first
// metric.
func (r *Run) reached() (unit series.Unit, last float64, known bool) {
	if r.run == nil {
		return 0, 0, false
	}
	for _, metric := range append([]string{r.run.LossName}, r.run.Metrics...) {
		if line := leadLine(r.run, metric); len(line) > 0 {
			newest := line[len(line)-1].track
			return newest.Unit, newest.X(newest.Len() - 1), true
		}
	}
	return 0, 0, false
}

// gpuHours are the GPU-hours that the ranks held, NaN where it is not known when
// any of them ran.
func gpuHours(job *train.Job, now time.Time) float64 {
	seconds, known := job.GPUSeconds(now)
	if !known {
		return math.NaN()
	}
	return seconds / time.Hour.Seconds()
}

// duration is for how long a job has been running; of a log alone, from its
// first sample to its newest.
func duration(job *train.Job, run *series.Run, now time.Time) time.Duration {
	switch {
	case !job.Started.IsZero() && !job.Finished.IsZero():
		return job.Finished.Sub(job.Started)
	case !job.Started.IsZero() && !job.Phase.Terminal():
		return now.Sub(job.Started)
	case run == nil || run.Newest.IsZero():
		return 0
	}
	for _, metric := range run.Metrics {
		if line := leadLine(run, metric); len(line) > 0 {
			if first := line[0].track; first.Rows[first.Row[0]].Time != 0 {
				return run.Newest.Sub(time.Unix(0, first.Rows[first.Row[0]].Time))
			}
		}
	}
	return 0
}

// attempts is the larger of what pods and logs show.
func attempts(job *train.Job, run *series.Run) int {
	most := 0
	for i := range job.Ranks {
		most = max(most, len(job.Ranks[i].Attempts))
	}
	if run != nil {
		most = max(most, len(leadLine(run, run.LossName)))
	}
	return most
}

// listed joins names, the first few of many.
func listed(names []string) string {
	const few = 6
	if len(names) > few {
		return strings.Join(names[:few], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
