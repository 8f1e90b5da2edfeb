package rule

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// deadlineCause is the cause of a job that ran longer than it may.
const deadlineCause = "active-deadline-exceeded"

// deadlineSlack is how much earlier than the controller's report a container
// may end, beside its grace period: clocks differ, and statuses are written
// late.
const deadlineSlack = 10 * time.Second

// namesDeadline reports whether a controller's reason and message state that a
// deadline is over.
func namesDeadline(reason, message string) bool {
	if reason == "DeadlineExceeded" {
		return true
	}
	m := (&Message{Reason: reason, Text: message}).Classify()
	return m != nil && m.Cause == deadlineCause
}

// endedByDeadline returns the report of a deadline that explains a failure: a
// controller ended the pods because their job ran too long, and all that the
// pod shows is the signal.
func (s *JobContext) endedByDeadline(f *Failure) (train.Evidence, bool) {
	if f.Over || !signalOnly(f) {
		return train.Evidence{}, false
	}
	report, at := s.deadlineReport()
	if report.Text == "" {
		return train.Evidence{}, false
	}
	grace := 30 * time.Second
	if f.Pod != nil && f.Pod.Spec.TerminationGracePeriodSeconds != nil {
		grace = time.Duration(*f.Pod.Spec.TerminationGracePeriodSeconds) * time.Second
	}
	if !f.At.IsZero() && !at.IsZero() && f.At.Before(at.Add(-grace-deadlineSlack)) {
		return train.Evidence{}, false
	}
	return report, true
}

// signalOnly reports whether nothing but a signal from outside ended a
// container.
func signalOnly(f *Failure) bool {
	return f.Cause == "sigterm-received" || f.Cause == "sigkill-received" || f.Cause == "application-error" && Killed(f)
}

// deadlineReport returns the earliest report that the job's deadline, or that
// of an object below it, is over.
func (s *JobContext) deadlineReport() (report train.Evidence, first time.Time) {
	note := func(e train.Evidence, at time.Time) {
		if report.Text == "" || at.Before(first) {
			report, first = e, at
		}
	}
	read := func(u *unstructured.Unstructured) {
		for _, c := range ConditionsOf(u) {
			if c.Holds && namesDeadline(c.Reason, c.Message) {
				note(StatusEvidence(kinds.RefOf(ObjectKind(u), u), "status.conditions["+c.Kind+"]", c.Reason+": "+c.Message, c.At, -1), c.At)
			}
		}
	}
	if s.Top != nil {
		read(s.Top)
	}
	for _, o := range s.Descendants() {
		if u, is := o.(*unstructured.Unstructured); is {
			read(u)
		}
	}
	for _, e := range s.OwnerEvents() {
		if e.Type != corev1.EventTypeNormal && namesDeadline(e.Reason, e.Message) {
			note(EventEvidence(e, -1), kinds.EventTime(e))
		}
	}
	return report, first
}
