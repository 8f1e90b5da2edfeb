package admission

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// shortQuota is a resource of a quota that has too little left for one pod of
// a template.
type shortQuota struct {
	quota              *corev1.ResourceQuota
	template           *rule.Template
	name               corev1.ResourceName
	asked, used, limit resource.Quantity
}

// shortQuotas compares missing pods with the quotas of the namespace, as the
// API server does when a pod is created (kubernetes 1.36
// pkg/quota/v1/evaluator/core/pods.go): used + asked > hard.
func shortQuotas(s *rule.JobContext, templates []rule.Template) []shortQuota {
	var list []shortQuota
	for _, o := range s.ListObjects(rule.QuotaKind, s.Job.Ref.Namespace) {
		quota, is := o.(*corev1.ResourceQuota)
		if !is || len(quota.Status.Hard) == 0 {
			continue
		}
		for i := range templates {
			t := &templates[i]
			if !quotaIsAbout(quota, &t.Spec) {
				continue
			}
			usage := quotaUsage(&t.Spec)
			for _, name := range sortedResources(quota.Status.Hard) {
				asked, limit, used := usage[name], quota.Status.Hard[name], quota.Status.Used[name]
				sum := used.DeepCopy()
				sum.Add(asked)
				if !asked.IsZero() && sum.Cmp(limit) > 0 {
					list = append(list, shortQuota{quota, t, name, asked, used, limit})
				}
			}
		}
	}
	return list
}

func sortedResources(list corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for name := range list {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// quotaUsage returns what one pod uses of a quota, under each name that a
// quota may use.
func quotaUsage(spec *corev1.PodSpec) corev1.ResourceList {
	one := resource.MustParse("1")
	usage := corev1.ResourceList{"pods": one, "count/pods": one}
	requests, limits := podAmounts(spec, false), podAmounts(spec, true)
	for name, amount := range requests {
		usage["requests."+name] = amount
		if !capacity.IsDevice(string(name)) { // of devices only requests. counts
			usage[name] = amount
		}
	}
	for name, amount := range limits {
		if !capacity.IsDevice(string(name)) {
			usage["limits."+name] = amount
		}
	}
	return usage
}

// podAmounts returns the requests or limits of a whole pod: containers and
// sidecars together or the largest init container.
func podAmounts(spec *corev1.PodSpec, limits bool) corev1.ResourceList {
	of := func(c *corev1.Container) corev1.ResourceList {
		if limits {
			return c.Resources.Limits
		}
		return c.Resources.Requests
	}
	sum, sidecars, greediest := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			addAmounts(sidecars, of(c))
			continue
		}
		with := sidecars.DeepCopy()
		addAmounts(with, of(c))
		raiseAmounts(greediest, with)
	}
	addAmounts(sum, sidecars)
	for i := range spec.Containers {
		addAmounts(sum, of(&spec.Containers[i]))
	}
	raiseAmounts(sum, greediest)
	addAmounts(sum, spec.Overhead)
	return sum
}

func addAmounts(to, list corev1.ResourceList) {
	for name, amount := range list {
		sum := to[name].DeepCopy()
		sum.Add(amount)
		to[name] = sum
	}
}

func raiseAmounts(to, list corev1.ResourceList) {
	for name, amount := range list {
		if was := to[name]; amount.Cmp(was) > 0 {
			to[name] = amount
		}
	}
}

// quotaIsAbout reports whether a quota's scopes include a pod. An unknown
// scope includes none, so that no false finding results.
func quotaIsAbout(quota *corev1.ResourceQuota, spec *corev1.PodSpec) bool {
	for _, scope := range quota.Spec.Scopes {
		if !inScope(corev1.ScopedResourceSelectorRequirement{ScopeName: scope, Operator: corev1.ScopeSelectorOpExists}, spec) {
			return false
		}
	}
	if quota.Spec.ScopeSelector == nil {
		return true
	}
	return !slices.ContainsFunc(quota.Spec.ScopeSelector.MatchExpressions, func(r corev1.ScopedResourceSelectorRequirement) bool { return !inScope(r, spec) })
}

func inScope(r corev1.ScopedResourceSelectorRequirement, spec *corev1.PodSpec) bool {
	bounded := spec.ActiveDeadlineSeconds != nil && *spec.ActiveDeadlineSeconds >= 0
	switch r.ScopeName {
	case corev1.ResourceQuotaScopeTerminating:
		return bounded
	case corev1.ResourceQuotaScopeNotTerminating:
		return !bounded
	case corev1.ResourceQuotaScopeBestEffort:
		return isBestEffort(spec)
	case corev1.ResourceQuotaScopeNotBestEffort:
		return !isBestEffort(spec)
	case corev1.ResourceQuotaScopePriorityClass:
		return inPriority(r, spec.PriorityClassName)
	}
	return false
}

func inPriority(r corev1.ScopedResourceSelectorRequirement, class string) bool {
	switch r.Operator {
	case corev1.ScopeSelectorOpIn:
		return slices.Contains(r.Values, class)
	case corev1.ScopeSelectorOpNotIn:
		return !slices.Contains(r.Values, class)
	case corev1.ScopeSelectorOpExists:
		return class != ""
	case corev1.ScopeSelectorOpDoesNotExist:
		return class == ""
	}
	return false
}

// isBestEffort reports whether a pod requests neither processors nor memory.
func isBestEffort(spec *corev1.PodSpec) bool {
	for _, list := range []corev1.ResourceList{podAmounts(spec, false), podAmounts(spec, true)} {
		if cpu, memory := list[corev1.ResourceCPU], list[corev1.ResourceMemory]; !cpu.IsZero() || !memory.IsZero() {
			return false
		}
	}
	return true
}

// unstated returns what a quota requires every container to state and a
// container of the template does not (kubernetes 1.36, the same file).
func unstated(quota *corev1.ResourceQuota, spec *corev1.PodSpec) []string {
	var list []string
	for _, name := range sortedResources(quota.Status.Hard) {
		kind, what, cut := strings.Cut(string(name), ".")
		if !cut {
			kind, what = "requests", string(name)
		}
		if what != "cpu" && what != "memory" || kind != "requests" && kind != "limits" {
			continue
		}
		for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
			for i := range containers {
				has := containers[i].Resources.Requests
				if kind == "limits" {
					has = containers[i].Resources.Limits
				}
				if _, stated := has[corev1.ResourceName(what)]; !stated && !slices.Contains(list, string(name)) {
					list = append(list, string(name))
				}
			}
		}
	}
	return list
}

// unstatedFindings returns findings of quotas that require what the templates
// omit.
func unstatedFindings(s *rule.JobContext) []train.Finding {
	templates := s.Templates()
	var found []train.Finding
	for _, o := range s.ListObjects(rule.QuotaKind, s.Job.Ref.Namespace) {
		quota, is := o.(*corev1.ResourceQuota)
		if !is {
			continue
		}
		for i := range templates {
			t := &templates[i]
			list := unstated(quota, &t.Spec)
			if len(list) == 0 || !quotaIsAbout(quota, &t.Spec) {
				continue
			}
			f := s.NewFinding(s.MissingSeverity(), s.Job.Created)
			f.Evidence = []train.Evidence{
				rule.FieldEvidence(rule.CoreRef("ResourceQuota", quota.Namespace, quota.Name), "status.hard", quotaState(quota), s.Job.Created, -1),
				rule.FieldEvidence(t.Ref, t.Path, "a container states no "+strings.Join(list, ", "), s.Job.Created, -1),
			}
			explainUnstated(s, &f, quota.Name, strings.Join(list, ", "))
			found = append(found, f)
		}
	}
	return found
}
