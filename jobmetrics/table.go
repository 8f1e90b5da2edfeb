package jobmetrics

import "slices"

// Type is how a metric behaves over time.
type Type string

// The types, in Prometheus' words.
const (
	Gauge   Type = "gauge"
	Counter Type = "counter"
)

// Metric is one row of the table: a metric that is served.
type Metric struct {
	Name string
	Type Type
	// Labels are the names of its labels. Whoever makes a sample gives labelsOf as many
	// values, in this order.
	Labels []string
	// Unit is that of its values: "seconds", "steps"; "1" for a fact that is 1
	// where it holds.
	Unit string
	Help string

	// grows is true for a time that goes on between two snapshots: a scrape
	// adds what has passed since.
	grows bool
}

// Table returns all metrics, in the order of docs/metrics.md.
func Table() []Metric { return slices.Clone(table[:]) }

// id is the number of a metric in the table.
type id uint8

const (
	jobPhase id = iota
	jobRanksWanted
	jobRanksReady
	jobGPUsWanted
	jobGPUs
	jobCreated
	jobStarted
	jobFinished
	jobQueueWait
	jobQueuePosition
	jobRestarts

	jobStep
	jobTotalSteps
	jobEpoch
	jobTotalEpochs
	jobLoss
	jobQuality
	jobEvalLoss
	jobLearningRate
	jobGradientNorm
	jobAccuracy
	jobTokens
	jobSamples
	jobMFU
	jobTeraflops
	jobStepDuration
	jobETA
	jobProgressAge
	jobLostSteps

	jobFindings

	jobGPUHeld
	jobGPUSeconds
	namespaceGPUSeconds
	queueGPUSeconds

	clusterGPUs
	clusterJobs
	jobsInNeed
	jobsNotShown

	sourceUp
	sourceLastSuccess
	sourceParts
	snapshotTime
	ready
	buildInfo

	metricCount
)

// The name of a job is in job_name: Prometheus sets the label "job" itself, and
// renames one of that name which arrives (kube-state-metrics does the same).
var (
	jobLabels   = []string{"namespace", "kind", "job_name"}
	queueLabels = []string{"namespace", "kind", "job_name", "queue"}
)

// The names of states of GPUs, in the order of use.
var useNames = [uses]string{"busy", "idle", "unmeasured"}

var table = [metricCount]Metric{
	jobPhase:         {Name: "traintop_job_phase", Type: Gauge, Labels: withNames(queueLabels, "phase"), Unit: "1", Help: "The phase of the job: Pending, Queued, Suspended, Running, Restarting, Succeeded or Failed. The series of the present phase is 1, the others are absent."},
	jobRanksWanted:   {Name: "traintop_job_ranks_wanted", Type: Gauge, Labels: jobLabels, Unit: "ranks", Help: "Ranks that the job asks for, launchers and heads included."},
	jobRanksReady:    {Name: "traintop_job_ranks_ready", Type: Gauge, Labels: jobLabels, Unit: "ranks", Help: "Ranks whose pods are ready now."},
	jobGPUsWanted:    {Name: "traintop_job_gpus_wanted", Type: Gauge, Labels: jobLabels, Unit: "GPUs", Help: "GPUs that the whole job asks for; a MIG slice counts as one."},
	jobGPUs:          {Name: "traintop_job_gpus", Type: Gauge, Labels: withNames(queueLabels, "state"), Unit: "GPUs", Help: "GPUs that the job's pods hold now: busy, idle (below the limit idleUse of docs/signals.md) or unmeasured (without a fresh reading)."},
	jobCreated:       {Name: "traintop_job_created_timestamp_seconds", Type: Gauge, Labels: jobLabels, Unit: "seconds since 1970", Help: "When the job was created."},
	jobStarted:       {Name: "traintop_job_started_timestamp_seconds", Type: Gauge, Labels: jobLabels, Unit: "seconds since 1970", Help: "When the job started."},
	jobFinished:      {Name: "traintop_job_finished_timestamp_seconds", Type: Gauge, Labels: jobLabels, Unit: "seconds since 1970", Help: "When the job ended."},
	jobQueueWait:     {Name: "traintop_job_queue_wait_seconds", Type: Gauge, Labels: queueLabels, Unit: "seconds", Help: "How long a job that is Queued has waited.", grows: true},
	jobQueuePosition: {Name: "traintop_job_queue_position", Type: Gauge, Labels: queueLabels, Unit: "jobs", Help: "The place of a waiting job in its queue, from 1."},
	jobRestarts:      {Name: "traintop_job_restarts_total", Type: Counter, Labels: jobLabels, Unit: "restarts", Help: "Replaced pods, container restarts and restarts of the job as a whole. Absent where none is known and pods cannot be read."},

	jobStep:         {Name: "traintop_job_step", Type: Gauge, Labels: jobLabels, Unit: "steps", Help: "The newest step in the job's logs."},
	jobTotalSteps:   {Name: "traintop_job_total_steps", Type: Gauge, Labels: jobLabels, Unit: "steps", Help: "How many steps there will be, as printed or estimated."},
	jobEpoch:        {Name: "traintop_job_epoch", Type: Gauge, Labels: jobLabels, Unit: "epochs", Help: "The newest epoch in the job's logs."},
	jobTotalEpochs:  {Name: "traintop_job_total_epochs", Type: Gauge, Labels: jobLabels, Unit: "epochs", Help: "How many epochs there will be, as printed."},
	jobLoss:         {Name: "traintop_job_loss", Type: Gauge, Labels: jobLabels, Unit: "as printed", Help: "The newest training loss; NaN and Inf as printed."},
	jobQuality:      {Name: "traintop_job_quality", Type: Gauge, Labels: withNames(jobLabels, "metric"), Unit: "as printed", Help: "Where a job prints no training loss: the metric that shows how training goes, by its name in the log (a reward, a score)."},
	jobEvalLoss:     {Name: "traintop_job_eval_loss", Type: Gauge, Labels: jobLabels, Unit: "as printed", Help: "The newest loss of validation."},
	jobLearningRate: {Name: "traintop_job_learning_rate", Type: Gauge, Labels: jobLabels, Unit: "as printed", Help: "The newest learning rate."},
	jobGradientNorm: {Name: "traintop_job_gradient_norm", Type: Gauge, Labels: jobLabels, Unit: "as printed", Help: "The newest norm of all gradients together."},
	jobAccuracy:     {Name: "traintop_job_accuracy", Type: Gauge, Labels: jobLabels, Unit: "as printed: a ratio or percent", Help: "The newest accuracy."},
	jobTokens:       {Name: "traintop_job_tokens_per_second", Type: Gauge, Labels: jobLabels, Unit: "tokens per second", Help: "The newest speed that the first rank prints: of the job, the node or the device, as the program counts. Absent while the job makes no steps."},
	jobSamples:      {Name: "traintop_job_samples_per_second", Type: Gauge, Labels: jobLabels, Unit: "samples per second", Help: "Likewise in samples."},
	jobMFU:          {Name: "traintop_job_mfu", Type: Gauge, Labels: jobLabels, Unit: "as printed: a ratio or percent", Help: "The newest model FLOPs utilization. Absent while the job makes no steps."},
	jobTeraflops:    {Name: "traintop_job_teraflops", Type: Gauge, Labels: jobLabels, Unit: "TFLOP/s, as printed", Help: "The newest speed in floating point operations. Absent while the job makes no steps."},
	jobStepDuration: {Name: "traintop_job_step_duration_seconds", Type: Gauge, Labels: jobLabels, Unit: "seconds", Help: "How long a step takes: the median of the last minutes. Absent while the job makes no steps."},
	jobETA:          {Name: "traintop_job_eta_seconds", Type: Gauge, Labels: jobLabels, Unit: "seconds", Help: "The time until the job ends, estimated from its pace or as printed. Absent while the job makes no steps."},
	jobProgressAge:  {Name: "traintop_job_progress_age_seconds", Type: Gauge, Labels: jobLabels, Unit: "seconds", Help: "How long ago a running job printed its newest step or metric. Absent while its logs are not followed and while the cluster does not answer.", grows: true},
	jobLostSteps:    {Name: "traintop_job_lost_steps_total", Type: Counter, Labels: jobLabels, Unit: "steps", Help: "Steps that were made again after restarts, as far as the logs show."},

	jobFindings: {Name: "traintop_job_findings", Type: Gauge, Labels: withNames(jobLabels, "cause", "severity"), Unit: "findings", Help: "Open findings of the diagnosis by cause (docs/causes.md) and severity: error, warning, info."},

	jobGPUHeld:          {Name: "traintop_job_gpu_held_seconds_total", Type: Counter, Labels: queueLabels, Unit: "GPU-seconds", Help: "GPUs times the time for which the job's ranks held them, from the job's start; 3600 are a GPU-hour."},
	jobGPUSeconds:       {Name: "traintop_job_gpu_seconds_total", Type: Counter, Labels: withNames(queueLabels, "state"), Unit: "GPU-seconds", Help: "GPU time since this program saw the job, by what the GPUs did: busy, idle or unmeasured."},
	namespaceGPUSeconds: {Name: "traintop_namespace_gpu_seconds_total", Type: Counter, Labels: []string{"namespace", "state"}, Unit: "GPU-seconds", Help: "The same of all pods of a namespace, those of no job included."},
	queueGPUSeconds:     {Name: "traintop_queue_gpu_seconds_total", Type: Counter, Labels: []string{"queue", "state"}, Unit: "GPU-seconds", Help: "The same of all jobs of a queue."},

	clusterGPUs:  {Name: "traintop_gpus", Type: Gauge, Labels: []string{"state"}, Unit: "GPUs", Help: "GPUs of the cluster: busy, idle, unmeasured (held, without a reading), free, dead (free and in error), lost (free on a node that is not ready), cordoned (free on a node that takes no pods)."},
	clusterJobs:  {Name: "traintop_jobs", Type: Gauge, Labels: []string{"phase"}, Unit: "jobs", Help: "Training jobs by phase; all of them, also those that are not shown. While a list that may hold jobs cannot be read, a phase without a known job is absent."},
	jobsInNeed:   {Name: "traintop_jobs_needing_attention", Type: Gauge, Labels: []string{"severity"}, Unit: "jobs", Help: "Jobs that need a person, by how severe their trouble is: the count in the header of the screen. While a list that may hold jobs cannot be read, none is absent and not 0."},
	jobsNotShown: {Name: "traintop_jobs_not_shown", Type: Gauge, Labels: []string{"reason"}, Unit: "jobs", Help: "Jobs without series of their own, by reason: limit (there are more than are shown), ended (more than an hour ago), not_training, same_name (as a job that is shown)."},

	sourceUp:          {Name: "traintop_source_up", Type: Gauge, Labels: []string{"source"}, Unit: "1", Help: "1 while a source is read, 0 while it is not. A source that may not be read, or that the cluster does not have, is absent; traintop_sources counts it."},
	sourceLastSuccess: {Name: "traintop_source_last_success_timestamp_seconds", Type: Gauge, Labels: []string{"source"}, Unit: "seconds since 1970", Help: "The time of the newest snapshot in which the source was read."},
	sourceParts:       {Name: "traintop_sources", Type: Gauge, Labels: []string{"source", "state"}, Unit: "parts", Help: "Parts of a source by state: connecting, listing, live, read, retrying, failed, forbidden, absent. Exporters of nodes are parts of one source, which is up while some of them answer."},
	snapshotTime:      {Name: "traintop_snapshot_timestamp_seconds", Type: Gauge, Unit: "seconds since 1970", Help: "The time of the newest snapshot, from which all values are."},
	ready:             {Name: "traintop_ready", Type: Gauge, Unit: "1", Help: "1 once all sources have given their first answer. Metrics of jobs are absent before."},
	buildInfo:         {Name: "traintop_build_info", Type: Gauge, Labels: []string{"version", "commit", "goversion"}, Unit: "1", Help: "The program that serves this page."},
}

// withNames returns names of labels with more behind them.
func withNames(labels []string, more ...string) []string { return slices.Concat(labels, more) }
