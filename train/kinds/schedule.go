package kinds

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Schedule is a kind whose objects make jobs at the times of spec.schedule, and none
// while spec.suspend is true. It is no row: its jobs are, and it is their owner.
type Schedule struct {
	schema.GroupKind
	Version string
	// Makes is the kind of its jobs, of version JobVersion.
	Makes      schema.GroupKind
	JobVersion string
	// BareSpec is true where spec.jobTemplate is the spec of a job, and not metadata
	// and spec.
	BareSpec bool
	// NameLabel is the label of its jobs with its name, "" without one.
	NameLabel string
	// Missed states what follows for the starts that it missed while it was suspended.
	Missed string
}

// inDeadline is what Kubernetes' CronJob does, and Volcano's, which is a copy of it.
const inDeadline = "a start that it missed within startingDeadlineSeconds is made up for at once"

// schedules are Kubernetes' (1.36), that of Volcano (1.15, volcano-sh/apis batch/v1alpha1
// job.go and pkg/controllers/cronjob), and that of KubeRay (1.7, ray/v1
// raycronjob_types.go), whose controller begins with the start after
// status.lastScheduleTime, however long ago that was (raycronjob_controller.go).
var schedules = []Schedule{
	{GroupKind: schema.GroupKind{Group: "batch", Kind: "CronJob"}, Version: "v1", Makes: batchJobKind, JobVersion: "v1", Missed: inDeadline},
	{GroupKind: schema.GroupKind{Group: "batch.volcano.sh", Kind: "CronJob"}, Version: "v1alpha1", Makes: volcanoJobKind, JobVersion: "v1alpha1", Missed: inDeadline},
	{GroupKind: schema.GroupKind{Group: "ray.io", Kind: "RayCronJob"}, Version: "v1", Makes: rayJobKind, JobVersion: "v1", BareSpec: true,
		NameLabel: "ray.io/cronjob-name", Missed: "starts that it missed are made up for at once, however old they are"},
}

// ScheduleOf returns the schedule of a kind, nil for any other kind.
func ScheduleOf(kind schema.GroupKind) *Schedule {
	at := slices.IndexFunc(schedules, func(s Schedule) bool { return s.GroupKind == kind })
	if at < 0 {
		return nil
	}
	return &schedules[at]
}

// JobFlowKind is Volcano's graph of Jobs, made of JobTemplates one after the other
// (1.15, volcano-sh/apis flow/v1alpha1). It controls its Jobs, which are the rows.
var JobFlowKind = schema.GroupKind{Group: "flow.volcano.sh", Kind: "JobFlow"}

// MadeJobs returns the kind of the jobs that an object of a kind makes, without being a
// row itself; known is false for any other kind.
func MadeJobs(kind schema.GroupKind) (jobs schema.GroupKind, known bool) {
	if s := ScheduleOf(kind); s != nil {
		return s.Makes, true
	}
	return volcanoJobKind, kind == JobFlowKind
}
