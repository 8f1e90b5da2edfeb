package diagnose

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Unclaimed returns what looks like training and is in no job that is read, of a
// namespace or ("") of all: objects of other kinds whose status reports that they
// failed, and pods with accelerators whose job is not in the cluster.
func Unclaimed(s *store.Snapshot, namespace string) []Missing {
	return append(UnreadKinds(s, namespace), orphanedPods(s, namespace)...)
}

// UnreadKinds returns the objects of a namespace, or ("") of all, that may be jobs of
// kinds that are not read: those whose status reports that they failed, and those that
// were jobs where they were recorded.
func UnreadKinds(s *store.Snapshot, namespace string) []Missing {
	var all []Missing
	for _, kind := range store.KindsOf(s) {
		if !kinds.MayBeUnread(kind) {
			continue
		}
		if m, is := recordedKind(s, kind, namespace); is {
			all = append(all, m)
		} else if m, is := unreadKind(s, kind, namespace); is {
			all = append(all, m)
		}
	}
	return all
}

// recordedKind names the objects of a kind that a cluster was asked for and that is not
// read: whoever recorded them has the kind in the configuration.
func recordedKind(s *store.Snapshot, kind schema.GroupKind, namespace string) (m Missing, is bool) {
	if !slices.ContainsFunc(s.Health(), func(h train.Health) bool {
		return strings.HasPrefix(h.Source, "kube/") && h.Group == kind.Group && h.Resource == kinds.Plural(kind)
	}) {
		return m, false
	}
	var names []string
	s.Objects(kind, namespace, func(o kinds.Object) bool {
		_, custom := o.(*unstructured.Unstructured)
		if custom {
			names = append(names, strings.TrimPrefix(o.GetNamespace()+"/"+o.GetName(), "/"))
		}
		return custom
	})
	if len(names) == 0 {
		return m, false
	}
	m.What = "jobs of kind " + rule.Plain(kind.String())
	m.Why = fmt.Sprintf("%s of kind %s %s recorded as %s and %s not read as %s here (%s): the kind is in the configuration of whoever recorded it, and not in this one", termtext.Count(len(names), "object"), rule.Plain(kind.String()),
		termtext.Agree(len(names), "was", "were"), termtext.Agree(len(names), "a job", "jobs"), termtext.Agree(len(names), "is", "are"), termtext.Agree(len(names), "one", "jobs"), rule.Plain(rule.Names(names)))
	m.Help = "add the kind to kinds in the configuration, as it was where the recording was made (docs/configuration.md)"
	return m, true
}

// unreadKind names the objects of a kind that is not read and that failed.
func unreadKind(s *store.Snapshot, kind schema.GroupKind, namespace string) (m Missing, is bool) {
	var names []string
	said := ""
	s.Objects(kind, namespace, func(o kinds.Object) bool {
		says, failed := kinds.FailedAsUnread(kind, o)
		if !failed {
			return true
		}
		if said == "" {
			said = says
		}
		names = append(names, strings.TrimPrefix(o.GetNamespace()+"/"+o.GetName(), "/"))
		return true
	})
	if len(names) == 0 {
		return m, false
	}
	m.What = "jobs of kind " + rule.Plain(kind.String())
	m.Why = fmt.Sprintf("%s of kind %s %s not read as %s (%s), since the kind is none of those that are known; its status says: %s", termtext.Count(len(names), "object"), rule.Plain(kind.String()),
		termtext.Agree(len(names), "was", "were"), termtext.Agree(len(names), "a job", "jobs"), rule.Plain(rule.Names(names)), rule.Plain(said))
	m.Help = "docs/kinds.md lists the kinds that are read, and how to have others read where that is possible; its pods and logs can be given as files"
	return m, true
}

// orphanedPods names the pods with accelerators that nobody deletes although their job
// is known not to exist, by owner.
func orphanedPods(s *store.Snapshot, namespace string) []Missing {
	pods := map[string][]string{}
	s.Objects(kinds.PodKind, namespace, func(o kinds.Object) bool {
		pod, is := o.(*corev1.Pod)
		if !is || pod.DeletionTimestamp != nil || kinds.AskedGPUs(pod) == 0 || s.JobOf(kinds.PodKind, pod.Namespace, pod.Name) != nil {
			return true
		}
		if owner := absentJob(s, pod); owner != "" {
			pods[owner] = append(pods[owner], pod.Name)
		}
		return true
	})
	owners := make([]string, 0, len(pods))
	for owner := range pods {
		owners = append(owners, owner)
	}
	slices.Sort(owners)
	var all []Missing
	for _, owner := range owners {
		n := len(pods[owner])
		all = append(all, Missing{
			What: "the job of " + termtext.Count(n, "pod"),
			Why: fmt.Sprintf("%s with accelerators %s to %s, which is not in the cluster: %s; nothing restarts or ends %s", termtext.Count(n, "pod"), termtext.Agree(n, "belongs", "belong"), rule.Plain(owner),
				rule.Plain(rule.Names(pods[owner])), termtext.Agree(n, "it", "them")),
			Help: "the screen :pods and kubectl logs show them; kubectl delete pod ends them and frees what they hold",
		})
	}
	return all
}

// absentJob returns the owner of a pod if it is a job that is known not to exist, ""
// for any other.
func absentJob(s *store.Snapshot, pod *corev1.Pod) string {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return ""
	}
	version, err := schema.ParseGroupVersion(owner.APIVersion)
	kind := version.WithKind(owner.Kind).GroupKind()
	if err != nil || !kinds.IsJob(kind) {
		return ""
	}
	if _, presence := s.Object(kind, pod.Namespace, owner.Name); presence != train.Absent {
		return ""
	}
	return train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: pod.Namespace, Name: owner.Name}.Title()
}
