package runtime

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// deadline is an instant at which a job will be ended, and the field that sets
// it.
type deadline struct {
	at    time.Time
	of    train.Ref
	field string
	after time.Duration
}

// deadlinePaths are the fields of kinds with the seconds that a job may run:
// batch Job and RayJob (KubeRay 1.2), the training-operator's kinds and MPIJob
// v2 in their run policy, Kueue's Workload (0.8).
var deadlinePaths = [...][]string{
	{"spec", "activeDeadlineSeconds"},
	{"spec", "runPolicy", "activeDeadlineSeconds"},
	{"spec", "maximumExecutionTimeSeconds"},
}

// deadlineAhead finds a running job that needs more time than it has left.
func deadlineAhead(s *rule.JobContext) []train.Finding {
	if s.Job.Phase != train.Running || s.JobLogsVersion(s.Job.ID) == 0 {
		return nil
	}
	d, has := activeDeadline(s)
	if !has {
		s.CheckPassed("the job has no deadline")
		return nil
	}
	run := s.Run(s.Job)
	if run == nil || run.Remaining <= 0 {
		s.CheckUnknown("no log tells when the job will be done")
		return nil
	}
	from := Later(run.Newest, s.Job.Started)
	done := from.Add(run.Remaining)
	if !done.Add(-run.Spread).After(d.at) || !d.at.After(s.Now) {
		s.CheckPassed("the job will be done before its deadline")
		return nil
	}
	return []train.Finding{tooLate(s, d, done.Sub(d.at))}
}

// activeDeadline returns the first that the job, or its Workload, has.
func activeDeadline(s *rule.JobContext) (first deadline, has bool) {
	if s.Top != nil {
		first, has = deadlineOf(s.Top, s.Job)
	}
	for _, o := range s.Descendants() {
		u, is := o.(*unstructured.Unstructured)
		if !is {
			continue
		}
		if d, one := deadlineOf(u, s.Job); one && (!has || d.at.Before(first.at)) {
			first, has = d, true
		}
	}
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		p := s.Pod(r.Namespace, r.Pod)
		if p == nil || p.Spec.ActiveDeadlineSeconds == nil || p.Status.StartTime == nil {
			continue
		}
		after := time.Duration(*p.Spec.ActiveDeadlineSeconds) * time.Second
		if at := p.Status.StartTime.Add(after); !has || at.Before(first.at) {
			first, has = deadline{at: at, of: kinds.PodRef(p), field: "spec.activeDeadlineSeconds", after: after}, true
		}
	}
	return first, has
}

// deadlineOf reads the deadline of one object. It counts from status.startTime
// where a controller wrote one, else from the job's start.
func deadlineOf(u *unstructured.Unstructured, job *train.Job) (deadline, bool) {
	for _, path := range deadlinePaths {
		seconds, found, err := unstructured.NestedInt64(u.Object, path...)
		if !found || err != nil || seconds <= 0 || seconds > int64(10*365*24*time.Hour/time.Second) {
			continue
		}
		began, err := time.Parse(time.RFC3339, rule.SpecText(u, "status", "startTime"))
		if err != nil {
			began = job.Started
		}
		if began.IsZero() {
			return deadline{}, false
		}
		after := time.Duration(seconds) * time.Second
		return deadline{at: began.Add(after), of: kinds.RefOf(rule.ObjectKind(u), u), field: strings.Join(path, "."), after: after}, true
	}
	return deadline{}, false
}

func tooLate(s *rule.JobContext, d deadline, late time.Duration) train.Finding {
	f := s.NewFinding(train.SeverityWarning, time.Time{})
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("The job will be ended by its deadline at %s (UTC), about %s before it is done", d.at.UTC().Format("Jan 2 15:04"), roughly(late))
	f.Explanation = "At the pace of its steps the job needs longer than it may run."
	f.Evidence = []train.Evidence{rule.FieldEvidence(d.of, d.field, fmt.Sprintf("%d seconds", int64(d.after.Seconds())), d.at, -1)}
	f.Next = []train.Step{
		rule.Do(fmt.Sprintf("Raise %s of %s, where the kind lets it be changed while it runs; otherwise see that a checkpoint is saved before, and start again from it.", d.field, rule.ResourceName(d.of))),
		rule.Look("See the object.", rule.Kubectl("get", d.of, "-o", "yaml")...),
	}
	f.Verify = "The end that the job's steps tell is before its deadline."
	return f
}

// roughly rounds so that an estimate does not change with every line.
func roughly(d time.Duration) string {
	switch {
	case d < 10*time.Minute:
		return "a few minutes"
	case d < time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Round(10*time.Minute).Minutes()))
	case d < 36*time.Hour:
		return fmt.Sprintf("%d h", int(d.Round(time.Hour).Hours()))
	}
	return termtext.Count(int(d.Hours())/24, "day")
}
