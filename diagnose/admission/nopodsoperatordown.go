package admission

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var noPodsOperatorDown = rule.Cause{
	ID: "no-pods-operator-down", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "No controller works on the job",
		Meaning: "The job has no pods, no status and no events, because its operator does not run or does not watch this namespace.",
		Fix:     "Look at the operator's pod and its log.",
	},
	Evidence: "The object exists for minutes without status, events and pods.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Top == nil || s.Job.Phase != train.Pending || len(s.Pods) > 0 || len(s.Earlier) > 0 || !untouched(s) {
			return nil
		}
		if managed := kinds.ManagerOf(s.Top); managed != "" {
			s.CheckSkipped("another controller manages it: " + managed)
			return nil
		}
		operator := OperatorOf(s.Job.Ref)
		pods := findOperator(s, operator)
		for _, kind := range []schema.GroupKind{kinds.PodKind, kinds.EventKind} {
			if !s.Complete(kind, s.Job.Ref.Namespace) && !pods.down() {
				s.CheckUnknown(rule.Lower(kind.Kind) + "s of the namespace were not listed, so that there are none is not known: " + s.WhyUnlisted(kind, s.Job.Ref.Namespace))
				return nil
			}
		}
		severity := train.SeverityWarning
		if s.OlderThan(s.Job.Created, operatorGrace) {
			severity = train.SeverityError
		} else if !s.OlderThan(s.Job.Created, rule.StartGrace) {
			return nil // just created
		}
		f := s.NewFinding(severity, s.Job.Created)
		f.Confidence = train.Likely
		f.Title = "Nobody has worked on the job: it has no pods, no status and no events"
		f.Explanation = fmt.Sprintf("Jobs of this kind are worked on by %s. %s", operator.name, pods.words(s.Job.Ref.Namespace))
		f.Evidence = []train.Evidence{rule.FieldEvidence(s.Job.Ref, "status", "empty since the job was made", s.Job.Created, -1)}
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

// untouched reports whether no controller has left a trace on the job.
func untouched(s *rule.JobContext) bool {
	if len(rule.MapAt(s.Top.Object, "status")) > 0 || len(s.Descendants()) > 0 || len(s.OwnerEvents()) > 0 {
		return false
	}
	_, told := rule.ConditionOf(s.Top, "Created")
	return !told
}
