package kinds

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// groupOfEvent returns the API group of the object that an event is about. Some
// writers leave apiVersion out: the kind names the group then, and where several
// groups have a kind of that name, the component that wrote the event does.
func groupOfEvent(e *corev1.Event) string {
	about := e.InvolvedObject
	if about.APIVersion != "" {
		return schema.FromAPIVersionAndKind(about.APIVersion, about.Kind).Group
	}
	groups := groupsWith(about.Kind)
	if len(groups) == 0 {
		return ""
	}
	writer := strings.ToLower(e.Source.Component + " " + e.ReportingController)
	for _, group := range groups {
		for word := range strings.FieldsFuncSeq(group, func(r rune) bool { return r == '.' }) {
			if len(word) >= len("kueue") && word != "batch" && strings.Contains(writer, word) {
				return group
			}
		}
	}
	return groups[0]
}

// groupsWith returns the groups that have a kind of a name and are read, that of
// jobs first.
func groupsWith(kind string) []string {
	var groups []string
	for _, list := range [][]Kind{Jobs(), relatedKinds} {
		for i := range list {
			if list[i].GroupKind.Kind == kind {
				groups = append(groups, list[i].Group)
			}
		}
	}
	return groups
}
