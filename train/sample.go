package train

import "time"

// Canonical names of metrics. Whatever else a log prints keeps its own name.
const (
	MetricLoss      = "loss"               // of training
	MetricEvalLoss  = "eval_loss"          // of validation
	MetricLR        = "lr"                 // learning rate
	MetricGradNorm  = "grad_norm"          // of all gradients together
	MetricAccuracy  = "accuracy"           // as printed: a fraction or percent
	MetricTokens    = "tokens_per_second"  // per job, node or device: as the program counts
	MetricSamples   = "samples_per_second" // likewise
	MetricStepTime  = "step_time_s"        // seconds
	MetricMFU       = "mfu"                // as printed: percent or a fraction
	MetricTFLOPS    = "tflops"
	MetricItsSecond = "it_per_second" // steps each second, as a progress bar prints them
)

// Sample is what one line of a log contains about training at one step.
type Sample struct {
	// Line is the LogLine.Number it was read from.
	Line int64
	// Time is when the line was printed, zero when unknown.
	Time time.Time
	// Rank is the rank that a prefix of the line names (srun, mpirun,
	// torchrun), -1 without one.
	Rank int

	Step    float64 // as printed, or the count of records of a log that prints none; meaningless unless HasStep
	HasStep bool
	Scope   StepScope
	Epoch   float64 // as printed, whole or a fraction; meaningless unless HasEpoch
	// HasEpoch is false when the line does not contain its epoch.
	HasEpoch bool
	// LeftOut counts values of the line that are not among Metrics, since the line or the log has
	// too many.
	LeftOut int32
	// Metrics in the order of the line, each name once. Values may be NaN or
	// infinite; they are as printed (percent stays percent).
	Metrics []Metric
}

// Value returns the value of a metric by name.
func (s *Sample) Value(name string) (value float64, found bool) {
	for i := range s.Metrics {
		if s.Metrics[i].Name == name {
			return s.Metrics[i].Value, true
		}
	}
	return 0, false
}

// Metric is a named number.
type Metric struct {
	Name  string
	Value float64
}

// StepScope is what a step counts from.
type StepScope uint8

const (
	ScopeRun     StepScope = iota // the beginning of the run, or unknown
	ScopeEpoch                    // the beginning of the epoch
	ScopeSamples                  // the beginning of the epoch, in samples instead of steps
	ScopeRecords                  // the first record, where the log printed no position so far: records were counted
)

// ProgressHints is what a log prints about how long the run will be. Zero is
// unknown.
type ProgressHints struct {
	TotalSteps, StepsPerEpoch, TotalEpochs float64
	// Remaining is the time left as the program itself printed it, at Line.
	Remaining time.Duration
	Line      int64
}

// Mark is something that happened to the run according to a log.
type Mark struct {
	Kind MarkKind
	Line int64
	Time time.Time
	// Step is the newest known step when it happened, or the one it names.
	Step    float64
	HasStep bool
}

// MarkKind is the kind of a mark.
type MarkKind string

const (
	MarkCheckpoint MarkKind = "checkpoint" // a checkpoint was written
	MarkResumed    MarkKind = "resumed"    // training continues from a checkpoint
	MarkFinished   MarkKind = "finished"   // the program printed that training is over
)
