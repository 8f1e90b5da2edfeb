package admission

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// limitForbids returns what of some resources a LimitRange forbids, in the
// words of its admission plugin; "" for nothing (kubernetes 1.36
// plugin/pkg/admission/limitranger: minConstraint, maxConstraint,
// limitRequestRatioConstraint).
func limitForbids(item *corev1.LimitRangeItem, requests, limits corev1.ResourceList) string {
	for _, name := range sortedResources(item.Min) {
		least := item.Min[name]
		request, stated := requests[name]
		limit, limited := limits[name]
		switch {
		case !stated:
			return fmt.Sprintf("minimum %s usage per %s is %s. No request is specified", name, item.Type, least.String())
		case request.Cmp(least) < 0:
			return fmt.Sprintf("minimum %s usage per %s is %s, but request is %s", name, item.Type, least.String(), request.String())
		case limited && limit.Cmp(least) < 0:
			return fmt.Sprintf("minimum %s usage per %s is %s, but limit is %s", name, item.Type, least.String(), limit.String())
		}
	}
	for _, name := range sortedResources(item.Max) {
		most := item.Max[name]
		request, stated := requests[name]
		limit, limited := limits[name]
		switch {
		case !limited:
			return fmt.Sprintf("maximum %s usage per %s is %s. No limit is specified", name, item.Type, most.String())
		case limit.Cmp(most) > 0:
			return fmt.Sprintf("maximum %s usage per %s is %s, but limit is %s", name, item.Type, most.String(), limit.String())
		case stated && request.Cmp(most) > 0:
			return fmt.Sprintf("maximum %s usage per %s is %s, but request is %s", name, item.Type, most.String(), request.String())
		}
	}
	return overRatio(item, requests, limits)
}

func overRatio(item *corev1.LimitRangeItem, requests, limits corev1.ResourceList) string {
	for _, name := range sortedResources(item.MaxLimitRequestRatio) {
		most, request, limit := item.MaxLimitRequestRatio[name], requests[name], limits[name]
		if request.IsZero() || limit.IsZero() {
			return fmt.Sprintf("%s max limit to request ratio per %s is %s, but no request is specified or request is 0", name, item.Type, most.String())
		}
		if ratio := limit.AsApproximateFloat64() / request.AsApproximateFloat64(); ratio > most.AsApproximateFloat64()*(1+roundOff) {
			return fmt.Sprintf("%s max limit to request ratio per %s is %s, but provided ratio is %f", name, item.Type, most.String(), ratio)
		}
	}
	return ""
}

// roundOff is the tolerance for floating point errors.
const roundOff = 1e-9

// forbiddenBy returns why a LimitRange forbids a pod of a template.
func forbiddenBy(r *corev1.LimitRange, spec *corev1.PodSpec) string {
	for i := range r.Spec.Limits {
		item := &r.Spec.Limits[i]
		switch item.Type {
		case corev1.LimitTypePod:
			if why := limitForbids(item, podAmounts(spec, false), podAmounts(spec, true)); why != "" {
				return why
			}
		case corev1.LimitTypeContainer:
			for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
				for c := range containers {
					if why := limitForbids(item, containers[c].Resources.Requests, containers[c].Resources.Limits); why != "" {
						return why
					}
				}
			}
		}
	}
	return ""
}

// limitFindings returns findings of LimitRanges that forbid the missing pods.
func limitFindings(s *rule.JobContext) []train.Finding {
	templates := s.Templates()
	if len(templates) == 0 {
		s.CheckSkipped("no pod is missing")
		return nil
	}
	if why := s.WhyUnseen(rule.LimitRangeKind); why != "" {
		s.CheckUnknown(why)
		return nil
	}
	var found []train.Finding
	for _, r := range s.LimitRanges() {
		for i := range templates {
			why := forbiddenBy(r, &templates[i].Spec)
			if why == "" {
				continue
			}
			f := s.NewFinding(s.MissingSeverity(), s.Job.Created)
			f.Evidence = []train.Evidence{
				rule.FieldEvidence(rule.CoreRef("LimitRange", r.Namespace, r.Name), "spec.limits", why, time.Time{}, -1),
				rule.FieldEvidence(templates[i].Ref, templates[i].Path, why, s.Job.Created, -1),
			}
			explainLimitRange(s, &f, why)
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		s.CheckPassed("no LimitRange of the namespace forbids a pod of the job")
	}
	return found
}
