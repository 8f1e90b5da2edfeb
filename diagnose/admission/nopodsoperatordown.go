package admission

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var noPodsOperatorDown = rule.Cause{
	ID: "no-pods-operator-down", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "No controller works on the job",
		Meaning: "The job, or a job that it made, has no pods, no status and no events, because its operator does not run or does not watch this namespace.",
		Fix:     "Look at the operator's pod and its log.",
	},
	Evidence: "The object exists for minutes without status, events and pods.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Top == nil || s.Job.Phase != train.Pending || len(s.Pods) > 0 || len(s.Earlier) > 0 {
			return nil
		}
		idle := neglected(s)
		if idle == nil {
			return nil
		}
		ref, made := kinds.RefOfSelf(idle), idle.GetCreationTimestamp().Time
		if managed := kinds.ManagerOf(idle); managed != "" {
			s.CheckSkipped("another controller manages it: " + managed)
			return nil
		}
		operator := OperatorOf(ref)
		pods := findOperator(s, operator)
		for _, kind := range []schema.GroupKind{kinds.PodKind, kinds.EventKind} {
			if !s.Complete(kind, s.Job.Ref.Namespace) && !pods.down() {
				s.CheckUnknown(rule.Lower(kind.Kind) + "s of the namespace were not listed, so that there are none is not known: " + s.WhyUnlisted(kind, s.Job.Ref.Namespace))
				return nil
			}
		}
		severity := train.SeverityWarning
		if s.OlderThan(made, operatorGrace) {
			severity = train.SeverityError
		} else if !s.OlderThan(made, rule.StartGrace) {
			return nil // just created
		}
		f := s.NewFinding(severity, made)
		f.Confidence = train.Likely
		f.Title = "Nobody has worked on the job: it has no pods, no status and no events"
		if idle != s.Top {
			f.Title = fmt.Sprintf("Nobody has worked on %s, which the job made: it has no pods, no status and no events", rule.Plain(ref.Short()))
		}
		f.Explanation = fmt.Sprintf("Jobs of this kind are worked on by %s. %s", operator.name, pods.words(s.Job.Ref.Namespace))
		f.Evidence = []train.Evidence{rule.FieldEvidence(ref, "status", "empty since it was made", made, -1)}
		f.Evidence = append(f.Evidence, pods.evidence(operator)...)
		f.Next = []train.Step{
			operator.look(),
			rule.Do("Read the operator's log; restart it, or install it."),
		}
		f.Verify = "The job gets a status and its pods."
		return []train.Finding{f}
	},
}

// operatorGrace is how long an operator may take to act: a busy one needs
// seconds.
const operatorGrace = 2 * time.Minute

// neglected returns the object on which no controller has left a trace: the job, or a job
// that it made; nil without one.
func neglected(s *rule.JobContext) *unstructured.Unstructured {
	if untouched(s) {
		return s.Top
	}
	made := s.Descendants()
	for _, o := range made {
		child, is := o.(*unstructured.Unstructured)
		if !is || !kinds.IsJob(rule.ObjectKind(o)) || len(rule.MapAt(child.Object, "status")) > 0 || len(s.EventsFor(kinds.RefOfSelf(child))) > 0 {
			continue
		}
		if !slices.ContainsFunc(made, func(below kinds.Object) bool { return metav1.IsControlledBy(below, child) }) {
			return child
		}
	}
	return nil
}

// untouched reports whether no controller has left a trace on the job.
func untouched(s *rule.JobContext) bool {
	if len(rule.MapAt(s.Top.Object, "status")) > 0 || len(s.Descendants()) > 0 || len(s.OwnerEvents()) > 0 {
		return false
	}
	_, known := rule.ConditionOf(s.Top, "Created")
	return !known
}
