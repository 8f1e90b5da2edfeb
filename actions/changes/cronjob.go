package changes

import (
	"maps"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// suspended reports whether an object that was read has spec.suspend.
func suspended(o map[string]any) bool { return flag(o, "spec", "suspend") }

// schedule suspends a CronJob; where all chosen ones are suspended it resumes them.
func (p *planner) schedule(ref train.Ref) Target {
	of := kinds.ScheduleOf(kindOf(ref))
	if of == nil {
		return refused(ref, "%s has no schedule", named(ref))
	}
	o := p.read[ref]
	resume := len(p.read) > 0
	for _, other := range p.read {
		resume = resume && suspended(other)
	}
	switch {
	case o == nil:
		return refused(ref, "%s cannot be read", named(ref))
	case resume:
		p.does = "Resume"
	case suspended(o):
		return refused(ref, "%s is suspended already", named(ref))
	}
	t := Target{Ref: ref, Requests: []actions.Request{setFlag(ref, []string{"spec", "suspend"}, !resume)}}
	at := safe(text(o, "spec", "schedule"))
	if resume {
		t.Consequences = []string{named(ref) + " makes jobs again at " + at, of.Missed}
		return t
	}
	t.Consequences = []string{named(ref) + " makes no more jobs at " + at}
	if active, _ := field(o, "status", "active").([]any); len(active) > 0 {
		t.Consequences = append(t.Consequences, countIs(len(active), "job")+" running and runs on")
	}
	return t
}

// trigger makes a job of a CronJob now, as kubectl create job --from does.
func (p *planner) trigger(ref train.Ref) Target {
	o, of := p.read[ref], kinds.ScheduleOf(kindOf(ref))
	switch {
	case of == nil:
		return refused(ref, "%s is no CronJob", named(ref))
	case o == nil:
		return refused(ref, "%s cannot be read", named(ref))
	}
	template := table(o, "spec", "jobTemplate")
	if template == nil {
		return refused(ref, "%s has no jobTemplate", named(ref))
	}
	job := train.Ref{Group: of.Makes.Group, Kind: of.Makes.Kind, Namespace: ref.Namespace}
	t := Target{
		Ref:          ref,
		Requests:     []actions.Request{{Verb: actions.Create, Ref: job, Body: encoded(jobFrom(of, ref, o, template))}},
		Consequences: []string{"makes a job " + safe(ref.Name) + "-manual-… of " + named(ref) + " now", "its schedule, " + safe(text(o, "spec", "schedule")) + ", stays as it is"},
	}
	if active, _ := field(o, "status", "active").([]any); len(active) > 0 {
		p.warn("%s running already; the new one runs beside it", countIs(len(active), "job of "+named(ref)))
	}
	return t
}

// jobFrom is the job that a CronJob would make, marked as made by hand.
func jobFrom(of *kinds.Schedule, ref train.Ref, o, template map[string]any) map[string]any {
	spec, labels := template["spec"], maps.Clone(table(template, "metadata", "labels"))
	annotations := maps.Clone(table(template, "metadata", "annotations"))
	if of.BareSpec {
		spec, labels, annotations = template, nil, nil
	}
	if of.NameLabel != "" {
		labels = map[string]any{of.NameLabel: ref.Name} // KubeRay writes no other
	}
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations["cronjob.kubernetes.io/instantiate"] = "manual" // kubectl create job --from (kubectl 1.36)
	metadata := map[string]any{
		"generateName": ref.Name + "-manual-", "namespace": ref.Namespace, "annotations": annotations,
		"ownerReferences": []any{map[string]any{
			"apiVersion": schema.GroupVersion{Group: of.Group, Version: of.Version}.String(), "kind": of.Kind, "name": ref.Name, "uid": text(o, "metadata", "uid"),
		}},
	}
	if labels != nil {
		metadata["labels"] = labels
	}
	return map[string]any{"apiVersion": schema.GroupVersion{Group: of.Makes.Group, Version: of.JobVersion}.String(), "kind": of.Makes.Kind, "metadata": metadata, "spec": spec}
}
