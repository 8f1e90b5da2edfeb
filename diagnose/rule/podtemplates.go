package rule

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Template is what pods of a job are created from, and how many of them are
// missing.
type Template struct {
	Ref     train.Ref
	Path    string // of the pod's spec in the object
	role    string // "" where the object does not name it
	Spec    corev1.PodSpec
	Labels  map[string]string // of the template; controllers add theirs
	missing int
}

// maxTemplates and deepestTemplate bound the walk through an object of
// unverified structure. Five levels are the deepest known (JobSet).
const (
	maxTemplates    = 64
	deepestTemplate = 12
)

// missingTemplates returns the templates of missing pods: those of the job
// itself or, where it has none (a TrainJob), of the objects below it. None for
// a job that is held back or over: no controller creates its pods.
func (s *JobContext) missingTemplates() []Template {
	switch s.Job.Phase {
	case train.Succeeded, train.Failed, train.Queued, train.Suspended:
		return nil
	}
	if s.MissingPods() == 0 {
		return nil
	}
	var list []Template
	objects := []*unstructured.Unstructured{s.Top}
	for _, o := range s.Descendants() {
		if u, is := o.(*unstructured.Unstructured); is && kinds.IsJob(ObjectKind(u)) {
			objects = append(objects, u)
		}
	}
	for _, o := range objects {
		if list = s.templatesOf(o); len(list) > 0 {
			return list
		}
	}
	return nil
}

// MissingSeverity returns how bad it is that pods cannot be created, by
// objects alone: an error when none exists. Where some do, one may just be
// being replaced, and the messages of controllers are more informative.
func (s *JobContext) MissingSeverity() train.Severity {
	if len(s.Pods) > 0 {
		return train.SeverityWarning
	}
	return s.SeverityAfter(s.Job.Created, StartGrace)
}

func (s *JobContext) templatesOf(o *unstructured.Unstructured) []Template {
	if o == nil {
		return nil
	}
	ref := kinds.RefOf(ObjectKind(o), o)
	var list []Template
	walkTemplates(o.Object["spec"], "spec", "", deepestTemplate, func(path, role string, pod map[string]any) {
		t := Template{Ref: ref, Path: path, role: role}
		t.Labels, _, _ = unstructured.NestedStringMap(pod, "metadata", "labels")
		if len(list) == maxTemplates || runtime.DefaultUnstructuredConverter.FromUnstructured(MapAt(pod, "spec"), &t.Spec) != nil {
			return
		}
		t.missing = s.missingPodsOf(&t)
		defaultRequests(&t.Spec)
		if t.missing > 0 {
			list = append(list, t)
		}
	})
	return list
}

// walkTemplates visits every pod template below a field: a map "spec" with
// containers in a map "template" or one that ends so. Roles are named by the
// key of the map around it, by the name in it, or by the key itself
// (leaderTemplate).
func walkTemplates(at any, path, role string, deep int, visit func(path, role string, pod map[string]any)) {
	if deep == 0 {
		return
	}
	switch at := at.(type) {
	case map[string]any:
		for _, key := range capacity.SortedKeys(at) {
			below, is := at[key].(map[string]any)
			spec := MapAt(below, "spec")
			if _, pods := spec["containers"].([]any); is && pods && strings.HasSuffix(strings.ToLower(key), "template") {
				visit(path+"."+key+".spec", cmp.Or(role, strings.TrimSuffix(key, "Template")), below)
				continue
			}
			named := role
			if strings.HasSuffix(path, "ReplicaSpecs") || key == "headGroupSpec" {
				named = key
			}
			walkTemplates(at[key], path+"."+key, named, deep-1, visit)
		}
	case []any:
		for i, entry := range at {
			fields, _ := entry.(map[string]any)
			name := cmp.Or(TextIn(fields, "groupName"), TextIn(fields, "name"))
			walkTemplates(entry, fmt.Sprintf("%s[%s]", path, cmp.Or(name, fmt.Sprint(i))), cmp.Or(name, role), deep-1, visit)
		}
	}
}

// missingPodsOf counts the ranks without a pod that belong to a template.
// Where roles do not match, a single template is for all.
func (s *JobContext) missingPodsOf(t *Template) int {
	n := 0
	known := slices.ContainsFunc(s.Job.Roles, func(r train.Role) bool { return sameRole(r.Name, t.role) })
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		if r.State == train.RankMissing && (sameRole(r.Role, t.role) || !known && len(s.Job.Roles) == 1) {
			n++
		}
	}
	return n
}

// sameRole compares a displayed role with the key or name it comes from.
func sameRole(role, name string) bool {
	return strings.EqualFold(role, name) || strings.EqualFold(role, "head") && name == "headGroupSpec"
}

// defaultRequests sets the requests of containers that only have limits.
func defaultRequests(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			containers[i].Resources.Requests = maps.Clone(kinds.WithLimits(&containers[i].Resources))
		}
	}
}

// Templates returns those of the missing pods, with the defaults of the
// namespace's LimitRanges; built on first request.
func (s *JobContext) Templates() []Template {
	if !s.templatesMade {
		s.templatesMade = true
		s.missingPodTemplates = s.missingTemplates()
		for _, r := range s.LimitRanges() {
			for i := range s.missingPodTemplates {
				applyDefaults(r, &s.missingPodTemplates[i].Spec)
			}
		}
	}
	return s.missingPodTemplates
}

func (s *JobContext) LimitRanges() []*corev1.LimitRange {
	if len(s.missingPodTemplates) == 0 {
		return nil
	}
	var list []*corev1.LimitRange
	for _, o := range s.ListObjects(LimitRangeKind, s.Job.Ref.Namespace) {
		if r, is := o.(*corev1.LimitRange); is {
			list = append(list, r)
		}
	}
	return list
}

// MissingPods counts the ranks that have no pod.
func (s *JobContext) MissingPods() int {
	n := 0
	for i := range s.Job.Ranks {
		if s.Job.Ranks[i].State == train.RankMissing {
			n++
		}
	}
	return n
}
