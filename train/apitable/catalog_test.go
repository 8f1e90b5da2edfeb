package apitable

import (
	"slices"
	"testing"
)

func catalog() *Catalog {
	every := []string{"get", "list", "watch", "delete"}
	return &Catalog{Resources: []Resource{
		{Version: "v1", Plural: "pods", Singular: "pod", ShortNames: []string{"po"}, Kind: "Pod", Namespaced: true, Verbs: every, Preferred: true},
		{Version: "v1", Plural: "events", Singular: "event", ShortNames: []string{"ev"}, Kind: "Event", Namespaced: true, Verbs: every, Preferred: true},
		{Version: "v1", Plural: "nodes", Singular: "node", ShortNames: []string{"no"}, Kind: "Node", Verbs: every, Preferred: true},
		{Version: "v1", Plural: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}, Preferred: true},
		{Version: "v1", Plural: "persistentvolumeclaims", Singular: "persistentvolumeclaim", ShortNames: []string{"pvc"}, Kind: "PersistentVolumeClaim", Namespaced: true, Verbs: every, Preferred: true},
		{Group: "apps", Version: "v1", Plural: "deployments", Singular: "deployment", ShortNames: []string{"deploy"}, Kind: "Deployment", Namespaced: true, Verbs: every, Scalable: true, Preferred: true},
		{Group: "batch", Version: "v1", Plural: "jobs", Singular: "job", Kind: "Job", Namespaced: true, Verbs: every, Preferred: true},
		{Group: "batch.volcano.sh", Version: "v1alpha1", Plural: "jobs", Singular: "job", ShortNames: []string{"vcjob"}, Kind: "Job", Namespaced: true, Verbs: every, Preferred: true},
		{Group: "events.k8s.io", Version: "v1", Plural: "events", Singular: "event", ShortNames: []string{"ev"}, Kind: "Event", Namespaced: true, Verbs: every, Preferred: true},
		{Group: "example.com", Version: "v2", Plural: "widgets", Singular: "widget", Kind: "Widget", Verbs: every, Preferred: true},
		{Group: "example.com", Version: "v1", Plural: "widgets", Singular: "widget", Kind: "Widget", Verbs: every},
	}}
}

func TestFindKnowsEveryNameOfAResource(t *testing.T) {
	for name, want := range map[string]string{
		"pods": "pods v1", "pod": "pods v1", "po": "pods v1", "Pod": "pods v1", "PVC": "persistentvolumeclaims v1",
		"deploy": "deployments.apps v1", "deployment": "deployments.apps v1",
		"jobs": "jobs.batch v1", "vcjob": "jobs.batch.volcano.sh v1alpha1",
		"jobs.batch": "jobs.batch v1", "jobs.batch.volcano.sh": "jobs.batch.volcano.sh v1alpha1",
		"jobs.v1alpha1.batch.volcano.sh": "jobs.batch.volcano.sh v1alpha1",
		"batch/v1/jobs":                  "jobs.batch v1", "batch/jobs": "jobs.batch v1",
		"nodes.v1": "nodes v1", "core/nodes": "nodes v1", "core/v1/nodes": "nodes v1", "v1/nodes": "nodes v1",
		"events": "events v1", "events.events.k8s.io": "events.events.k8s.io v1",
		"widgets": "widgets.example.com v2", "widgets.v1.example.com": "widgets.example.com v1", "widgets.example": "widgets.example.com v2",
		"bindings": "", "gadgets": "", "pods.apps": "", "": "",
	} {
		found, ok := catalog().Find(name)
		have := found.FullName() + " " + found.Version
		if !ok {
			have = ""
		}
		if have != want {
			t.Errorf("%q is %q, want %q", name, have, want)
		}
	}
}

func TestNearNamesAreOffered(t *testing.T) {
	for wrong, want := range map[string]string{"pdos": "pods", "deploiments": "deployments", "pvcs": "persistentvolumeclaims", "persistentvolume": "persistentvolumeclaims"} {
		if near := catalog().Near(wrong, 3); len(near) == 0 || near[0] != want {
			t.Errorf("near %q are %q, want %s first", wrong, near, want)
		}
	}
	if near := catalog().Near("quarterly", 3); near != nil {
		t.Errorf("%q are said to be near to a word that is like none", near)
	}
}

func TestNamesOfSeveralGroupsHaveTheirGroup(t *testing.T) {
	names := catalog().Names()
	for _, want := range []string{"pods", "jobs.batch", "jobs.batch.volcano.sh", "widgets"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in %q", want, names)
		}
	}
	if slices.Contains(names, "bindings") {
		t.Error("bindings cannot be listed and have a name all the same")
	}
}
