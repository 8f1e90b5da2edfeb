package admission

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var resourceQuotaExceeded = rule.Cause{
	ID: "resource-quota-exceeded", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The namespace's quota is used up",
		Meaning: "The pods of the job need more than the namespace's ResourceQuota has left, so they are not created.",
		Fix: "See the quota, what is used and what is asked for. $ kubectl describe resourcequota\n" +
			"Free resources, ask for less, or have the quota raised.",
	},
	Evidence: "Event FailedCreate on the job or what it owns: `exceeded quota: Q, requested: R=a, used: R=b, limited: R=c`; used + asked against the limit of each ResourceQuota of the namespace, by the pod templates of the job.",
	Hides:    []train.Cause{"no-pods-operator-down", "rendezvous-timeout", "gang-not-ready"},
	Needs:    []schema.GroupKind{rule.QuotaKind},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		quota := match.CaptureFrom(0)
		explainQuota(s, f, quota, quotaArithmetic(match.Captures))
		ref := rule.CoreRef("ResourceQuota", s.Job.Ref.Namespace, quota)
		if o, _ := s.LookUp(rule.QuotaKind, ref.Namespace, quota); o != nil {
			if q, is := o.(*corev1.ResourceQuota); is {
				f.Evidence = append(f.Evidence, rule.StatusEvidence(ref, "status", quotaState(q), time.Time{}, -1))
			}
		}
	},
	Find: quotaFindings,
}

// quotaFindings returns one finding for each quota that is too small for the
// missing pods.
func quotaFindings(s *rule.JobContext) []train.Finding {
	templates := s.Templates()
	if len(templates) == 0 {
		s.CheckSkipped("no pod is missing")
		return nil
	}
	if why := s.WhyUnseen(rule.QuotaKind); why != "" {
		s.CheckUnknown(why)
		return nil
	}
	var found []train.Finding
	for _, short := range shortQuotas(s, templates) {
		f := s.NewFinding(s.MissingSeverity(), s.Job.Created)
		ref := rule.CoreRef("ResourceQuota", short.quota.Namespace, short.quota.Name)
		sum := fmt.Sprintf("asked %s + used %s > limit %s of %s", short.asked.String(), short.used.String(), short.limit.String(), short.name)
		f.Evidence = []train.Evidence{
			rule.StatusEvidence(ref, "status", quotaState(short.quota), s.Job.Created, -1),
			rule.FieldEvidence(short.template.Ref, short.template.Path, sum, s.Job.Created, -1),
		}
		explainQuota(s, &f, short.quota.Name, sum)
		if short.asked.Cmp(short.limit) > 0 {
			f.Explanation += " One pod asks for more than the whole quota: waiting does not help."
		}
		found = append(found, f)
	}
	if len(found) == 0 {
		s.CheckPassed("the quotas of the namespace have room for a pod of the job")
	}
	return found
}

// explainQuota adds which quota lacks what, and what can be done.
func explainQuota(s *rule.JobContext, f *train.Finding, quota, arithmetic string) {
	f.Title = fmt.Sprintf("Quota %s of namespace %s is used up: %s", cmp.Or(quota, "?"), s.Job.Ref.Namespace, arithmetic)
	f.Explanation = fmt.Sprintf("%s of %s cannot be created until the quota allows %s.", termtext.Count(s.MissingPods(), "pod"), s.Job.Ref, termtext.Agree(s.MissingPods(), "it", "them"))
	f.Verify = "The missing pods are created once used + asked is within the limit."
	if quota == "" {
		return
	}
	ref := rule.CoreRef("ResourceQuota", s.Job.Ref.Namespace, quota)
	f.Next = []train.Step{
		rule.Look("See what the quota allows and what is used.", rule.Kubectl("describe", ref)...),
		rule.Look("See which pods use it.", "kubectl", "get", "pods", "-n", ref.Namespace),
		rule.Do("Free what is held, ask for a larger quota, or ask for less."),
	}
}

// quotaArithmetic returns "asked 2 + used 4 > limit 4 of
// requests.nvidia.com/gpu", from the API server's own numbers.
func quotaArithmetic(captures []string) string {
	if len(captures) < 4 {
		return "the limit is reached"
	}
	requested, used, limited := quotaAmounts(captures[1]), quotaAmounts(captures[2]), quotaAmounts(captures[3])
	var parts []string
	for _, name := range capacity.SortedKeys(requested) {
		parts = append(parts, fmt.Sprintf("asked %s + used %s > limit %s of %s", requested[name], cmp.Or(used[name], "?"), cmp.Or(limited[name], "?"), name))
	}
	if len(parts) == 0 {
		return "the limit is reached"
	}
	return rule.Plain(strings.Join(parts, "; "))
}

// quotaAmounts parses "requests.cpu=2,requests.memory=4Gi".
func quotaAmounts(text string) map[string]string {
	amounts := map[string]string{}
	for _, pair := range strings.Split(text, ",") {
		if name, value, found := strings.Cut(strings.TrimSpace(pair), "="); found {
			amounts[name] = value
		}
	}
	return amounts
}

// quotaState returns used and limit of each resource of a quota.
func quotaState(q *corev1.ResourceQuota) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(q.Status.Hard)) {
		hard, used := q.Status.Hard[name], q.Status.Used[name]
		parts = append(parts, fmt.Sprintf("%s %s of %s", name, used.String(), hard.String()))
	}
	return strings.Join(parts, ", ")
}
