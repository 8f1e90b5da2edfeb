package changes

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// drain plans to cordon a node and to evict its pods, as kubectl drain does: each pod is
// a target of its own, so that one that may not be evicted now keeps no other back.
func (p *planner) drain(ref train.Ref) []Target {
	node, why := p.node(ref)
	if why != "" {
		return []Target{refused(ref, "%s", why)}
	}
	cordon := Target{Ref: p.withUID(ref), First: true, Consequences: []string{named(ref) + " is cordoned already"}}
	if !node.Cordoned {
		cordon = p.setUnschedulable(ref, true)
		cordon.First = true
		cordon.Consequences = []string{"no new pods come to " + named(ref) + ", except those of daemon sets"}
	}
	var evicted []Target
	p.PodsOn(ref.Name, func(pod *corev1.Pod) bool {
		if why := p.staysOn(pod); why != "" {
			cordon.Consequences = append(cordon.Consequences, "stays: "+safe(pod.Namespace+"/"+pod.Name)+", "+why)
			return true
		}
		evicted = append(evicted, p.evict(pod))
		return true
	})
	if len(evicted) == 0 {
		cordon.Consequences = append(cordon.Consequences, "no pod has to go")
		if node.Cordoned {
			return []Target{refused(ref, "%s is cordoned already, and no pod has to go", named(ref))}
		}
	}
	return append([]Target{cordon}, evicted...)
}

// Marks of pods that a drain leaves.
const (
	mirrorAnnotation = "kubernetes.io/config.mirror" // core/v1 MirrorPodAnnotationKey: a static pod of the kubelet
	daemonSet        = "DaemonSet"
)

// staysOn reports why a pod stays on a drained node, "" for one that is evicted.
func (p *planner) staysOn(pod *corev1.Pod) string {
	controller := ""
	for _, owner := range pod.OwnerReferences {
		if owner.Controller != nil && *owner.Controller {
			controller = owner.Kind
		}
	}
	_, mirror := pod.Annotations[mirrorAnnotation]
	switch {
	case mirror:
		return "a static pod, which only its kubelet ends"
	case controller == daemonSet:
		return "its daemon set would make it again here at once"
	case ended(pod):
		return "it has ended"
	case pod.DeletionTimestamp != nil:
		return "it is ending already"
	case controller == "":
		p.offers.Unmanaged = true
		if !p.choice.Unmanaged {
			return "no controller would make it again; the choice below evicts it all the same"
		}
	}
	return ""
}

// evict plans the eviction of one pod, which a PodDisruptionBudget may refuse.
func (p *planner) evict(pod *corev1.Pod) Target {
	ref := kinds.PodRef(pod)
	what := "evicts " + named(ref)
	if job := p.JobOf(kinds.PodKind, pod.Namespace, pod.Name); job != nil {
		what += " of " + named(job.Ref)
		p.losesSteps(job)
	}
	var lost []string
	for i := range pod.Spec.Volumes {
		if pod.Spec.Volumes[i].EmptyDir != nil {
			lost = append(lost, pod.Spec.Volumes[i].Name)
		}
	}
	if len(lost) > 0 {
		what += "; what is in its emptyDir " + strings.Join(lost, ", ") + " is lost"
	}
	if p.choice.Unmanaged && len(pod.OwnerReferences) == 0 {
		p.warn("%s is gone for good: no controller makes it again", named(ref))
	}
	body := encoded(map[string]any{
		"apiVersion": "policy/v1", "kind": "Eviction",
		"metadata": map[string]any{"name": pod.Name, "namespace": pod.Namespace},
	})
	return Target{
		Ref:          ref,
		Requests:     []actions.Request{{Verb: actions.Create, Ref: ref, Subresource: "eviction", Body: body}},
		Consequences: []string{safe(what)},
		Done:         podsGone([]*corev1.Pod{pod}, false),
	}
}

// drainTitle names the nodes and counts the pods that go.
func drainTitle(targets []Target) string {
	nodes, pods := 0, 0
	first := train.Ref{}
	for _, t := range targets {
		if kindOf(t.Ref) == kinds.PodKind {
			pods++
			continue
		}
		if nodes++; nodes == 1 {
			first = t.Ref
		}
	}
	what := named(first)
	if nodes > 1 {
		what = fmt.Sprintf("%d nodes", nodes)
	}
	return fmt.Sprintf("Drain %s: %s evicted?", what, countIs(pods, "pod"))
}
