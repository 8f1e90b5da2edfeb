package changes

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// doneCheck reports whether a snapshot shows the result of a change.
type doneCheck = func(*store.Snapshot) (done bool, rest string)

// gone waits until an object no longer exists.
func gone(ref train.Ref) doneCheck {
	return func(s *store.Snapshot) (bool, string) {
		o, presence := s.Object(kindOf(ref), ref.Namespace, ref.Name)
		switch {
		case presence == train.Unknown:
			return false, "whether " + named(ref) + " is gone cannot be read"
		case presence == train.Absent, replaced(o, ref):
			return true, ""
		case o.GetDeletionTimestamp() == nil:
			return false, named(ref) + " is still there"
		case len(o.GetFinalizers()) > 0:
			return false, safe(named(ref) + " is ending; it waits for " + strings.Join(o.GetFinalizers(), ", "))
		}
		return false, named(ref) + " is ending"
	}
}

// podsGone waits until none of these pods exists or, with orEnded, until none runs.
func podsGone(pods []*corev1.Pod, orEnded bool) doneCheck {
	refs := make([]train.Ref, len(pods))
	for i, pod := range pods {
		refs[i] = kinds.PodRef(pod)
	}
	return func(s *store.Snapshot) (bool, string) {
		left := 0
		for _, ref := range refs {
			pod := s.Pod(ref.Namespace, ref.Name)
			if pod != nil && (ref.UID == "" || string(pod.UID) == ref.UID) && !(orEnded && ended(pod)) {
				left++
			}
		}
		if left == 0 {
			return true, ""
		}
		return false, countIs(left, "pod") + " ending"
	}
}

// all waits for each check in turn and returns what the first one misses.
func all(checks ...doneCheck) doneCheck {
	checks = slices.DeleteFunc(checks, func(o doneCheck) bool { return o == nil })
	return func(s *store.Snapshot) (bool, string) {
		for _, o := range checks {
			if done, rest := o(s); !done {
				return false, rest
			}
		}
		return true, ""
	}
}

// inPhase waits until a job is in one of the phases, or has ended.
func inPhase(ref train.Ref, phases ...train.Phase) doneCheck {
	return func(s *store.Snapshot) (bool, string) {
		job := s.Job(ref.JobID())
		switch {
		case job == nil:
			return true, ""
		case slices.Contains(phases, job.Phase), job.Phase.Terminal():
			return true, ""
		case job.Reason != "":
			return false, safe(fmt.Sprintf("the job is %s: %s", job.Phase, job.Reason))
		}
		return false, fmt.Sprintf("the job is %s", job.Phase)
	}
}

// anew waits until a new pod of the rank runs in place of the deleted one.
func anew(job train.Ref, old *corev1.Pod, rank *train.Rank) doneCheck {
	index, role, roleIndex := rank.Index, rank.Role, rank.RoleIndex
	return func(s *store.Snapshot) (bool, string) {
		now := s.Job(job.JobID())
		if now == nil || now.Phase.Terminal() {
			return true, ""
		}
		for i := range now.Ranks {
			r := &now.Ranks[i]
			if r.Index != index || r.Role != role || r.RoleIndex != roleIndex {
				continue
			}
			switch {
			case r.Pod == "" || r.PodUID == string(old.UID):
				return false, fmt.Sprintf("rank %d has no new pod yet", index)
			case r.State != train.RankRunning && r.State != train.RankSucceeded:
				return false, safe(fmt.Sprintf("rank %d is %s in its new pod %s", index, strings.TrimSpace(string(r.State)+" "+r.Reason), r.Pod))
			}
			return true, ""
		}
		return false, fmt.Sprintf("the job has no rank %d any more", index)
	}
}

// marked waits until a node is cordoned, or uncordoned.
func marked(name string, cordoned bool) doneCheck {
	return func(s *store.Snapshot) (bool, string) {
		switch node := s.Node(name); {
		case node == nil && s.Complete(kinds.NodeKind, ""):
			return true, ""
		case node == nil:
			return false, "the node cannot be read"
		case node.Cordoned != cordoned:
			return false, "the node does not show it yet"
		}
		return true, ""
	}
}
