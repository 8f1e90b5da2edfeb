package rule

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// reference is a ConfigMap or Secret that a pod cannot start without.
type reference struct{ name, path string }

// MissingReferences returns findings about objects that pods need and that are
// known not to exist, before the kubelet has tried.
func (s *JobContext) MissingReferences(kind schema.GroupKind) []train.Finding {
	if s.Job.Phase.Terminal() {
		return nil
	}
	var found []train.Finding
	asked := map[string]train.Presence{}
	unseen := ""
	for _, p := range s.Pods {
		switch p.Rank.State {
		case train.RankPending, train.RankGated, train.RankStarting, train.RankWaiting:
		default:
			continue
		}
		for _, r := range referencesOf(p.Pod, kind) {
			if _, known := asked[r.name]; !known {
				_, asked[r.name] = s.LookUp(kind, p.Namespace, r.name)
			}
			if asked[r.name] == train.Unknown {
				unseen = r.name
			}
			if asked[r.name] != train.Absent {
				continue
			}
			f := s.NewFinding(s.SeverityAfter(p.CreationTimestamp.Time, StartGrace), p.CreationTimestamp.Time, p)
			f.Evidence = []train.Evidence{
				FieldEvidence(s.Ref(p), r.path, r.name, p.CreationTimestamp.Time, RankOf(p)),
				FieldEvidence(train.Ref{Kind: kind.Kind, Namespace: p.Namespace, Name: r.name}, "", "does not exist in namespace "+p.Namespace, time.Time{}, -1),
			}
			f.Title = fmt.Sprintf("%s %s, which %s needs, does not exist in namespace %s", kind.Kind, r.name, RankName(p.Rank), p.Namespace)
			f.Explanation = s.Current.Meaning
			f.Next = s.MissingSteps(Lower(kind.Kind), r.name)
			f.Verify = fmt.Sprintf("%s %s is listed in namespace %s, and the pod leaves ContainerCreating within two minutes.", kind.Kind, r.name, p.Namespace)
			found = append(found, f)
		}
	}
	switch {
	case len(found) > 0:
	case unseen != "":
		s.CheckUnknown(fmt.Sprintf("%s %s cannot be looked up in %s: %s", kind.Kind, unseen, partsOf(kind), s.WhyUnlisted(kind, s.Job.Ref.Namespace)))
	case len(asked) > 0:
		s.CheckPassed(fmt.Sprintf("%s that pods name exist", termtext.Count(len(asked), kind.Kind)))
	default:
		s.CheckPassed("no pod that waits names a " + kind.Kind)
	}
	return found
}

// referencesOf returns the ConfigMaps or Secrets that a pod names and that are
// not optional.
func referencesOf(pod *corev1.Pod, kind schema.GroupKind) []reference {
	var list []reference
	for _, r := range kinds.PodReferences(pod) {
		if r.Kind == kind && !r.Optional && !slices.ContainsFunc(list, func(known reference) bool { return known.name == r.Name }) {
			list = append(list, reference{r.Name, r.Path})
		}
	}
	return list
}
