// Package targets finds the containers for what a person chose: a job, ranks, pods, a
// node. It is pure.
package targets

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Of lists the containers of objects: of a job all its ranks that have a pod, of a pod its
// training container, of a node the pods on it that hold GPUs. Other objects have none.
// Each container is listed once, ranks in order.
func Of(s *store.Snapshot, refs []train.Ref) []actions.Target {
	var found []actions.Target
	for _, ref := range refs {
		switch {
		case ref.Group == "" && ref.Kind == "Pod":
			if t, ok := pod(s, ref); ok {
				found = append(found, t)
			}
		case ref.Group == "" && ref.Kind == "Node":
			found = append(found, onNode(s, ref.Name)...)
		default:
			if job := s.Job(ref.JobID()); job != nil {
				found = append(found, Ranks(job, nil)...)
			}
		}
	}
	return once(found)
}

// Ranks lists the containers of a job's ranks that have a pod (rank indexes; nil is all).
func Ranks(job *train.Job, ranks []int) []actions.Target {
	var found []actions.Target
	for i := range job.Ranks {
		if ranks == nil || slices.Contains(ranks, i) {
			if t := rank(job, i); t.Pod != "" {
				found = append(found, t)
			}
		}
	}
	return found
}

// Runs reports whether the container of the target is known to run.
func Runs(s *store.Snapshot, t actions.Target) bool {
	p := s.Pod(t.Namespace, t.Pod)
	if p == nil {
		return false
	}
	for i := range p.Status.ContainerStatuses {
		if status := &p.Status.ContainerStatuses[i]; t.Name == "" || status.Name == t.Name {
			return status.State.Running != nil
		}
	}
	return p.Status.Phase == corev1.PodRunning
}

// HasTerminal reports whether the container of the target has a terminal by its spec; the
// first container of its pod if the target names none.
func HasTerminal(s *store.Snapshot, t actions.Target) bool {
	p := s.Pod(t.Namespace, t.Pod)
	if p == nil {
		return false
	}
	for i := range p.Spec.Containers {
		if c := &p.Spec.Containers[i]; t.Name == "" || c.Name == t.Name {
			return c.TTY
		}
	}
	return false
}

// Running returns the targets whose containers run, and counts the others.
func Running(s *store.Snapshot, all []actions.Target) (running []actions.Target, others int) {
	for _, t := range all {
		if Runs(s, t) {
			running = append(running, t)
		}
	}
	return running, len(all) - len(running)
}

func rank(job *train.Job, rankIndex int) actions.Target {
	r := &job.Ranks[rankIndex]
	return actions.Target{
		Container: actions.Container{Namespace: cmp.Or(r.Namespace, job.Ref.Namespace), Pod: r.Pod, PodUID: r.PodUID, Name: r.Container},
		Job:       job.ID, Rank: rankIndex, Index: r.Index, Label: strconv.Itoa(r.Index), Node: r.Node,
	}
}

// pod returns a pod's rank if it has one, else the pod by its name.
func pod(s *store.Snapshot, ref train.Ref) (actions.Target, bool) {
	p := s.Pod(ref.Namespace, ref.Name)
	if p == nil {
		return actions.Target{}, false
	}
	if job := s.JobOf(podKind, ref.Namespace, ref.Name); job != nil {
		for i := range job.Ranks {
			if r := &job.Ranks[i]; r.Pod == ref.Name && (r.Namespace == "" || r.Namespace == ref.Namespace) {
				return rank(job, i), true
			}
		}
	}
	return actions.Target{
		Container: actions.Container{Namespace: ref.Namespace, Pod: ref.Name, PodUID: string(p.UID)},
		Rank:      -1, Index: -1, Label: ref.Name, Node: p.Spec.NodeName,
	}, true
}

// onNode returns the pods of the node that hold GPUs, by name.
func onNode(s *store.Snapshot, node string) []actions.Target {
	var found []actions.Target
	s.PodsOn(node, func(p *corev1.Pod) bool {
		if len(kinds.HeldGPUs(p)) > 0 {
			if t, ok := pod(s, train.PodRef(p.Namespace, p.Name, "")); ok {
				found = append(found, t)
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b actions.Target) int { return cmp.Compare(a.Pod, b.Pod) })
	return found
}

func once(all []actions.Target) []actions.Target {
	seen := map[actions.Container]bool{}
	return slices.DeleteFunc(all, func(t actions.Target) bool {
		was := seen[t.Container]
		seen[t.Container] = true
		return was
	})
}

var podKind = schema.GroupKind{Kind: "Pod"}
