package runtime

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

var podFailurePolicy = rule.Cause{
	ID: "pod-failure-policy", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The job was ended by its podFailurePolicy",
		Meaning: "A rule of the job's podFailurePolicy with action FailJob matched how a pod ended, and its controller ended the job at once, whatever attempts were left. Why the pod ended so, its log contains.",
		Fix: "See the rules and the end that matched. $ kubectl describe jobs\n" +
			"Find out why the pod ended like this; change the rule only when another attempt would help.",
	},
	Evidence: "Condition Failed or FailureTarget reason PodFailurePolicy, `Container main for pod ml/x failed with exit code 42 matching FailJob rule at index 0`.",
	Hides:    []train.Cause{"backoff-limit-exceeded"},

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase != train.Failed {
			return nil
		}
		u, c := endingCondition(s, func(c rule.Condition) bool { return c.Reason == "PodFailurePolicy" })
		if u == nil {
			return nil
		}
		f := s.NewFinding(train.SeverityError, c.At)
		f.Confidence = train.Likely
		f.Title = fmt.Sprintf("%s was ended by its podFailurePolicy: %s", s.Job.Ref, cmp.Or(strings.TrimSuffix(rule.Plain(c.Message), "."), c.Reason))
		f.Explanation = s.Current.Meaning
		f.Evidence = []train.Evidence{rule.StatusEvidence(kinds.RefOf(rule.ObjectKind(u), u), "status.conditions["+c.Kind+"]", c.Reason+": "+c.Message, c.At, -1)}
		f.Next = append(s.Current.Advice(), rule.Look("See the rules and what is left.", rule.Kubectl("describe", s.Job.Ref)...))
		f.Verify = "The job runs through when started again."
		return []train.Finding{f}
	},
}

// endingCondition returns the first condition by which a controller ended the
// job or an object below it and that is accepts; nil for none.
func endingCondition(s *rule.JobContext, is func(rule.Condition) bool) (*unstructured.Unstructured, rule.Condition) {
	for _, o := range append([]kinds.Object{s.Top}, s.Descendants()...) {
		u, isObject := o.(*unstructured.Unstructured)
		if !isObject || u == nil {
			continue
		}
		for _, c := range rule.ConditionsOf(u) {
			if c.Holds && (c.Kind == "Failed" || c.Kind == "FailureTarget") && is(c) {
				return u, c
			}
		}
	}
	return nil, rule.Condition{}
}
