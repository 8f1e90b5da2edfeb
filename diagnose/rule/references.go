package rule

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
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
	note := func(name, path string, optional *bool) {
		if name != "" && (optional == nil || !*optional) && !slices.ContainsFunc(list, func(r reference) bool { return r.name == name }) {
			list = append(list, reference{name, path})
		}
	}
	secrets := kind == SecretKind
	for i := range pod.Spec.Volumes {
		volumeReferences(&pod.Spec.Volumes[i], secrets, note)
	}
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			containerReferences(&containers[i], secrets, note)
		}
	}
	return list
}

func volumeReferences(v *corev1.Volume, secrets bool, note func(name, path string, optional *bool)) {
	path := "spec.volumes[" + v.Name + "]"
	switch {
	case !secrets && v.ConfigMap != nil:
		note(v.ConfigMap.Name, path, v.ConfigMap.Optional)
	case secrets && v.Secret != nil:
		note(v.Secret.SecretName, path, v.Secret.Optional)
	case v.Projected != nil:
		for i := range v.Projected.Sources {
			source := &v.Projected.Sources[i]
			if !secrets && source.ConfigMap != nil {
				note(source.ConfigMap.Name, path, source.ConfigMap.Optional)
			}
			if secrets && source.Secret != nil {
				note(source.Secret.Name, path, source.Secret.Optional)
			}
		}
	}
}

func containerReferences(c *corev1.Container, secrets bool, note func(name, path string, optional *bool)) {
	for i := range c.EnvFrom {
		from := &c.EnvFrom[i]
		if !secrets && from.ConfigMapRef != nil {
			note(from.ConfigMapRef.Name, "spec.containers["+c.Name+"].envFrom", from.ConfigMapRef.Optional)
		}
		if secrets && from.SecretRef != nil {
			note(from.SecretRef.Name, "spec.containers["+c.Name+"].envFrom", from.SecretRef.Optional)
		}
	}
	for i := range c.Env {
		from := c.Env[i].ValueFrom
		if from == nil {
			continue
		}
		path := "spec.containers[" + c.Name + "].env[" + c.Env[i].Name + "]"
		if !secrets && from.ConfigMapKeyRef != nil {
			note(from.ConfigMapKeyRef.Name, path, from.ConfigMapKeyRef.Optional)
		}
		if secrets && from.SecretKeyRef != nil {
			note(from.SecretKeyRef.Name, path, from.SecretKeyRef.Optional)
		}
	}
}
