package train

import "time"

// Cause is the id of a reason why a job is stuck, failed or slow:
// "insufficient-gpu". docs/causes.md lists them.
type Cause string

// Severity is how much a finding matters.
type Severity string

const (
	SeverityError   Severity = "error"   // stops the job, or stopped it
	SeverityWarning Severity = "warning" // slows it down, or threatens it
	SeverityInfo    Severity = "info"    // a notice
)

// Order sorts severities: 0 is the worst.
func (s Severity) Order() int {
	switch s {
	case SeverityError:
		return 0
	case SeverityWarning:
		return 1
	}
	return 2
}

// Stage is a stage that every job passes, in the order of Stages.
type Stage string

const (
	StageAdmission  Stage = "admission"  // accepted, admitted by its queue, pods created
	StageSchedule   Stage = "schedule"   // pods have nodes
	StageVolumes    Stage = "volumes"    // claims bound, volumes mounted
	StageImage      Stage = "image"      // images pulled
	StageStart      Stage = "start"      // containers start
	StageRendezvous Stage = "rendezvous" // ranks find each other
	StageProgress   Stage = "progress"   // training makes steps
	StageSpeed      Stage = "speed"      // as fast as they could be
)

// Stages are all stages, in order.
var Stages = []Stage{
	StageAdmission, StageSchedule, StageVolumes, StageImage,
	StageStart, StageRendezvous, StageProgress, StageSpeed,
}

// Finding is one reason why a job is stuck, failed or slow.
type Finding struct {
	Cause    Cause
	Severity Severity
	Stage    Stage
	// Title is one plain sentence: the problem, with the numbers.
	Title string
	// JobID and Job identify its job; both are zero for text that belongs to
	// no job.
	JobID JobID
	Job   Ref
	// Ranks are the affected ranks, by Rank.Index, ascending; nil is the whole
	// job.
	Ranks []int
	// RootRank is the rank that failed first, -1 when ranks do not differ or
	// it is unknown.
	RootRank int
	// Since is when it began, zero when unknown.
	Since time.Time
	// Evidence is the list of facts that the finding rests on, the strongest
	// first.
	Evidence []Evidence
	// Explanation contains a few sentences why this is the cause.
	Explanation string
	Confidence  Confidence
	// Next are the next steps, the best first.
	Next []Step
	// Verify describes how to check that it worked.
	Verify string
	// Hides are the symptoms that this finding explains; they are not
	// reported on their own.
	Hides []Cause
}

// Confidence is how sure a finding is.
type Confidence string

const (
	Certain  Confidence = "certain"  // the evidence has no other meaning
	Likely   Confidence = "likely"   // it fits best, others are not excluded
	Possible Confidence = "possible" // a hint to follow up
)

// EvidenceKind is the source of a piece of evidence.
type EvidenceKind string

const (
	EvidenceEvent  EvidenceKind = "event"  // a Kubernetes event
	EvidenceObject EvidenceKind = "object" // a field of an object
	EvidenceStatus EvidenceKind = "status" // a status or condition
	EvidenceLog    EvidenceKind = "log"    // a line of a log
	EvidenceSeries EvidenceKind = "series" // a metric over time
	EvidenceText   EvidenceKind = "text"   // pasted text
	EvidenceProbe  EvidenceKind = "probe"  // the result of a check that was run
)

// Evidence is one fact that a finding rests on, and where to look at it.
type Evidence struct {
	Kind EvidenceKind
	// Object is what it is about or was read from; Field is the path of the
	// field in it ("status.phase"), "" for the whole.
	Object Ref
	Field  string
	// Text is the literal line or value, safe to print on one line.
	Text string
	Time time.Time
	// Rank is the rank it belongs to, by Rank.Index, -1 for none.
	Rank int
	// Stream and Line locate a line of a log.
	Stream StreamID
	Line   int64
	// GPU and Metric locate a series.
	GPU    GPUID
	Metric string
}

// Step is one thing to do about a finding.
type Step struct {
	// Text is an imperative sentence.
	Text string
	// Command is a command line with the real names filled in, quoted for a
	// POSIX shell, "" for none. Arguments is the same as a list.
	Command   string
	Arguments []string
	// Harmless is true when the command only reads.
	Harmless bool
	// Edit is a change of a manifest as a unified diff, "" for none.
	Edit string
	// Probe names a check that can be run inside a rank, "" for none.
	Probe string
}

// CheckResult is the result of looking for a cause: one of three, or that it
// does not apply.
type CheckResult string

const (
	CheckPass    CheckResult = "pass"    // ruled out
	CheckFail    CheckResult = "fail"    // found
	CheckUnknown CheckResult = "unknown" // could not be checked
	CheckSkipped CheckResult = "skipped" // does not apply
)

// Check is the result of looking for one cause in one job.
type Check struct {
	Cause  Cause
	Stage  Stage
	Result CheckResult
	// Why names what was checked, or which right or source is missing.
	Why string
}
