package jobmetrics

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// jobSampler makes the samples of one job.
type jobSampler struct {
	all      []sample
	tracked  *trackedJob
	job      *train.Job
	snapshot *store.Snapshot
	report   *diagnose.Report
}

func (j *jobSampler) samples() []sample {
	j.objects()
	j.gpus()
	if run := j.snapshot.Run(j.job); run != nil {
		j.progress(run)
		j.metrics(run)
	} else {
		j.reported()
	}
	j.findings()
	return j.all
}

// add appends a value, unless it is NaN: that is how unknown numbers are kept.
func (j *jobSampler) add(id id, value float64) {
	if !math.IsNaN(value) {
		j.all = append(j.all, sample{id, value, j.tracked.ofJob})
	}
}

// addPrinted appends a value as a log prints it, NaN too.
func (j *jobSampler) addPrinted(id id, value float64, known bool) {
	if known {
		if math.IsNaN(value) {
			value = math.NaN() // one NaN for all: Prometheus gives others a meaning
		}
		j.all = append(j.all, sample{id, value, j.tracked.ofJob})
	}
}

func (j *jobSampler) addTime(id id, at time.Time) {
	if !at.IsZero() {
		j.add(id, unix(at))
	}
}

func (j *jobSampler) addOfQueue(id id, value float64) {
	j.all = append(j.all, sample{id, value, j.tracked.ofQueue})
}

// objects are the facts from the objects of the job.
func (j *jobSampler) objects() {
	j.all = append(j.all, sample{jobPhase, 1, j.tracked.ofPhase})
	j.add(jobRanksWanted, float64(j.job.Wanted))
	j.add(jobRanksReady, float64(j.job.Ready))
	j.add(jobGPUsWanted, float64(j.job.GPUs))
	j.addTime(jobCreated, j.job.Created)
	j.addTime(jobStarted, j.job.Started)
	j.addTime(jobFinished, j.job.Finished)
	if total := j.tracked.restarts.total; total > 0 || j.podsKnown() {
		j.add(jobRestarts, total)
	}
	queue := j.job.Queue
	if j.job.Phase == train.Queued {
		since := j.job.Created
		if queue != nil && !queue.Since.IsZero() {
			since = queue.Since
		}
		if !since.IsZero() {
			j.addOfQueue(jobQueueWait, max(0, j.snapshot.Now.Sub(since).Seconds()))
		}
	}
	if queue != nil && queue.Place > 0 {
		j.addOfQueue(jobQueuePosition, float64(queue.Place))
	}
}

// podsKnown reports whether the pods of the job were read, in which restarts are counted.
func (j *jobSampler) podsKnown() bool {
	hasPod := func(r train.Rank) bool { return r.Pod != "" }
	return j.snapshot.Complete(kinds.PodKind, j.job.Ref.Namespace) || slices.ContainsFunc(j.job.Ranks, hasPod)
}

func (j *jobSampler) gpus() {
	use := &j.tracked.gpus
	if j.tracked.held.known {
		j.addOfQueue(jobGPUHeld, j.tracked.held.total)
	}
	if use.held.IsZero() {
		return
	}
	j.all = use.samples(j.all, jobGPUSeconds)
	if j.job.Phase.Terminal() {
		return
	}
	for i, gpus := range use.now {
		j.all = append(j.all, sample{jobGPUs, float64(gpus), use.labels[i]})
	}
}

// progress is how far training is, as the job list shows it.
func (j *jobSampler) progress(run *series.Run) {
	p := &run.Progress
	j.add(jobStep, p.Step)
	j.add(jobTotalSteps, p.TotalSteps)
	j.add(jobEpoch, p.Epoch)
	j.add(jobTotalEpochs, p.TotalEpochs)
	switch {
	case p.LossName == "":
	case series.IsLoss(p.LossName):
		j.addPrinted(jobLoss, p.Loss, true)
	default:
		j.all = append(j.all, sample{jobQuality, p.Loss, j.tracked.name.labelsOf(jobQuality, logLabel(p.LossName))})
	}
	if !math.IsNaN(p.Step) {
		j.tracked.lost.observe(p.AllLostSteps)
		j.add(jobLostSteps, j.tracked.lost.total)
	}
	if j.job.Phase != train.Running {
		return
	}
	if age, known := p.Age(j.snapshot.Now); known && !j.snapshot.Silent() {
		j.add(jobProgressAge, age.Seconds())
	}
	if j.makesNoSteps(p) {
		return
	}
	if p.StepTime > 0 {
		j.add(jobStepDuration, p.StepTime.Seconds())
	}
	if p.Remaining > 0 {
		j.add(jobETA, p.Remaining.Seconds())
	}
}

// makesNoSteps reports whether a running job makes no steps now, so that its
// speed and the time left are those of before.
func (j *jobSampler) makesNoSteps(p *series.Progress) bool {
	return j.snapshot.Stalled(p) > 0 || j.report.MakesNoSteps(j.job.ID)
}

// The metrics of training besides the loss; those of speed are absent while a
// job makes no steps.
var (
	printedMetrics = []struct {
		id   id
		name string
	}{
		{jobEvalLoss, train.MetricEvalLoss}, {jobLearningRate, train.MetricLR},
		{jobGradientNorm, train.MetricGradNorm}, {jobAccuracy, train.MetricAccuracy},
	}
	speedMetrics = []struct {
		id   id
		name string
	}{
		{jobTokens, train.MetricTokens}, {jobSamples, train.MetricSamples},
		{jobMFU, train.MetricMFU}, {jobTeraflops, train.MetricTFLOPS},
	}
)

func (j *jobSampler) metrics(run *series.Run) {
	for _, m := range printedMetrics {
		value, known := run.NewestValue(m.name)
		j.addPrinted(m.id, value, known)
	}
	if j.job.Phase != train.Running || j.makesNoSteps(&run.Progress) {
		return
	}
	for _, m := range speedMetrics {
		value, known := run.NewestValue(m.name)
		j.addPrinted(m.id, value, known)
	}
}

// reported is the operator's own report, where no log was read.
func (j *jobSampler) reported() {
	report := j.job.Progress
	if report == nil {
		return
	}
	if loss, err := strconv.ParseFloat(report.Metrics["loss"], 64); err == nil && loss-loss == 0 {
		j.add(jobLoss, loss)
	}
	if j.job.Phase == train.Running && report.Remaining > 0 && !j.report.MakesNoSteps(j.job.ID) {
		j.add(jobETA, report.Remaining.Seconds())
	}
}

// mostFindings bounds the causes and severities of one job; it has a handful.
const mostFindings = 32

// findings counts those of a job that is not over well, and was not stopped by
// a person.
func (j *jobSampler) findings() {
	answer := j.report.Job(j.job.ID)
	if answer == nil || j.job.Phase == train.Succeeded || j.job.Phase == train.Suspended {
		return
	}
	j.countFindings(answer.Findings)
}

// countFindings appends how many there are of each cause and severity.
func (j *jobSampler) countFindings(findings []train.Finding) {
	first := len(j.all)
	for i := range findings {
		f := &findings[i]
		known := false
		for k := first; k < len(j.all) && !known; k++ {
			l := j.all[k].labels
			if known = l.value("cause") == string(f.Cause) && l.value("severity") == string(f.Severity); known {
				j.all[k].value++
			}
		}
		if !known && len(j.all)-first < mostFindings {
			j.all = append(j.all, sample{jobFindings, 1, j.tracked.name.labelsOf(jobFindings, string(f.Cause), string(f.Severity))})
		}
	}
}
