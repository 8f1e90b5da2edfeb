package admission

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var kueueDeactivated = rule.Cause{
	ID: "kueue-deactivated", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "Kueue gave the job up",
		Meaning: "Kueue deactivated the job's Workload after it evicted or refused the job: it was not ready in time too often, an admission check rejected it, or it ran longer than it may. It will not run again by itself.",
		Fix: "Repair what the message names.\n" +
			"Then set spec.active of the Workload to true: Kueue queues the job again. $ kubectl get workloads",
	},
	Evidence: "Workload spec.active false with condition Evicted, reason DeactivatedDueTo... or Deactivated; status.admissionChecks in state Rejected.",
	Hides:    []train.Cause{"suspended", "kueue-not-admitted", "no-pods-operator-down", "gang-not-ready"},

	Find: func(s *rule.JobContext) []train.Finding {
		if q := s.Job.Queue; q == nil || q.System != "Kueue" || s.Job.Phase == train.Succeeded || s.Job.Phase == train.Running {
			return nil
		}
		workload := s.NewestBelow(rule.WorkloadKind)
		evicted, _ := rule.ConditionOf(workload, "Evicted")
		if !evicted.Holds || !deactivated(workload, evicted.Reason) {
			return nil
		}
		return []train.Finding{deactivatedFinding(s, workload, evicted)}
	},
}

// deactivated reports whether Kueue switched a Workload off for a reason of its
// own (Kueue 0.6 to 0.15 apis/kueue/v1beta1/workload_types.go): a person who
// does so leaves the reason Deactivated or InactiveWorkload alone.
func deactivated(workload *unstructured.Unstructured, reason string) bool {
	active, stated, _ := unstructured.NestedBool(workload.Object, "spec", "active")
	return stated && !active && (strings.HasPrefix(reason, "DeactivatedDueTo") || reason == "MaximumExecutionTimeExceeded" || len(rejectedChecks(workload)) > 0)
}

// rejectedChecks returns the admission checks that rejected a Workload, with
// their words.
func rejectedChecks(workload *unstructured.Unstructured) []string {
	var list []string
	for _, check := range rule.MapsIn(workload.Object, "status", "admissionChecks") {
		if rule.TextIn(check, "state") == "Rejected" {
			list = append(list, strings.TrimSuffix(fmt.Sprintf("admission check %s is Rejected: %s", rule.TextIn(check, "name"), rule.TextIn(check, "message")), ": "))
		}
	}
	return list
}

func deactivatedFinding(s *rule.JobContext, workload *unstructured.Unstructured, evicted rule.Condition) train.Finding {
	ref := kinds.RefOf(rule.WorkloadKind, workload)
	f := s.NewFinding(train.SeverityError, evicted.At)
	f.Title = fmt.Sprintf("Kueue gave %s up, and it will not run again by itself: %s", s.Job.Ref, cmp.Or(evicted.Message, evicted.Reason))
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{
		rule.StatusEvidence(ref, "status.conditions[Evicted]", evicted.Reason+": "+evicted.Message, evicted.At, -1),
		rule.FieldEvidence(ref, "spec.active", "false", evicted.At, -1),
	}
	for _, check := range rejectedChecks(workload) {
		f.Title += "; " + check
		f.Evidence = append(f.Evidence, rule.StatusEvidence(ref, "status.admissionChecks", check, evicted.At, -1))
	}
	f.Next = []train.Step{
		rule.Do(cmp.Or(deactivationSteps[strings.TrimPrefix(evicted.Reason, "DeactivatedDueTo")], "Repair what Kueue names.")),
		rule.Look("See what Kueue says.", rule.Kubectl("describe", ref)...),
		rule.Run("Queue it again, once that is repaired.", rule.Kubectl("patch", ref, "--type=merge", "-p", `{"spec":{"active":true}}`)...),
	}
	f.Verify = "The Workload is active, and Kueue admits it."
	return f
}

// deactivationSteps are what to do first, by the reason why Kueue deactivated a
// Workload.
var deactivationSteps = map[string]string{
	"RequeuingLimitExceeded":       "Find out why the pods were not ready each time: too slow an image, nodes without room, a rank that crashed. Or have requeuingStrategy.backoffLimitCount of Kueue's configuration raised.",
	"AdmissionCheck":               "Find out why the admission check rejected it: the machines or the cluster that it asked for cannot be had.",
	"MaximumExecutionTimeExceeded": "Raise the label kueue.x-k8s.io/max-exec-time-seconds of the job, or remove it; the job ran as long as it may.",
}
