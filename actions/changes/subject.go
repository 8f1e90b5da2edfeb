package changes

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// jobInstead returns the job of a pod, and any other object itself.
func (p *planner) jobInstead(ref train.Ref) train.Ref {
	if kindOf(ref) != kinds.PodKind {
		return ref
	}
	if job := p.JobOf(kinds.PodKind, ref.Namespace, ref.Name); job != nil {
		return job.Ref
	}
	return ref
}

// row returns the job whose top object is ref, nil for any other object.
func (p *planner) row(ref train.Ref) *train.Job {
	for _, job := range []*train.Job{p.Job(ref.JobID()), p.JobOf(kindOf(ref), ref.Namespace, ref.Name)} {
		if job != nil && kindOf(job.Ref) == kindOf(ref) && job.Ref.Namespace == ref.Namespace && job.Ref.Name == ref.Name {
			if ref.UID == "" || job.Ref.UID == "" || ref.UID == job.Ref.UID {
				return job
			}
		}
	}
	return nil
}

// jobToChange returns the job at ref, or why its spec cannot be changed there: a
// controller would undo a change of an object that it made.
func (p *planner) jobToChange(ref train.Ref) (*train.Job, string) {
	if job := p.row(ref); job != nil {
		switch {
		case job.LogsOnly:
			return nil, "it is known from log files only"
		case job.Gone:
			return nil, named(ref) + " cannot be read: it is gone, or the right to get it is missing"
		}
		return job, ""
	}
	if owner := p.JobOf(kindOf(ref), ref.Namespace, ref.Name); owner != nil {
		return nil, fmt.Sprintf("%s made this %s and would change it back: choose %s", named(owner.Ref), ref.Kind, named(owner.Ref))
	}
	if _, presence := p.Object(kindOf(ref), ref.Namespace, ref.Name); presence == train.Absent {
		return nil, named(ref) + " is gone"
	}
	return nil, named(ref) + " is no training job"
}

// withUID adds the UID of the current object to a reference, so that requests do not
// affect another object that gets the name later.
func (p *planner) withUID(ref train.Ref) train.Ref {
	if ref.UID == "" {
		if o, presence := p.Object(kindOf(ref), ref.Namespace, ref.Name); presence == train.Present {
			ref.UID = string(o.GetUID())
		}
	}
	return ref
}

// podsOf returns the existing pods of a job, in order of rank.
func (p *planner) podsOf(job *train.Job) []*corev1.Pod {
	var pods []*corev1.Pod
	for i := range job.Ranks {
		r := &job.Ranks[i]
		pod := p.Pod(r.Namespace, r.Pod)
		if r.Pod != "" && pod != nil && (r.PodUID == "" || string(pod.UID) == r.PodUID) && !slices.Contains(pods, pod) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// tallyPods counts pods and their states: "its 4 pods (3 running, 1 pending)".
func tallyPods(pods []*corev1.Pod) string {
	order := []string{"running", "pending", "starting", "ending", "ended"}
	found := map[string]int{}
	for _, pod := range pods {
		found[stateOf(pod)]++
	}
	var parts []string
	for _, state := range order {
		if n := found[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	switch {
	case len(pods) == 0:
		return "no pods"
	case len(parts) == 1 && len(pods) == 1:
		return "its pod (" + parts[0][len("1 "):] + ")"
	case len(parts) == 1:
		return "its " + termtext.Count(len(pods), "pod") + " (all " + strings.TrimLeft(parts[0], "0123456789 ") + ")"
	}
	return "its " + termtext.Count(len(pods), "pod") + " (" + strings.Join(parts, ", ") + ")"
}

func stateOf(pod *corev1.Pod) string {
	switch {
	case ended(pod):
		return "ended"
	case pod.DeletionTimestamp != nil:
		return "ending"
	case pod.Status.Phase == corev1.PodRunning:
		return "running"
	case pod.Spec.NodeName != "":
		return "starting"
	}
	return "pending"
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// deletePod asks for a pod's end, without its grace period when forced.
func (p *planner) deletePod(pod *corev1.Pod) actions.Request {
	r := actions.Request{Verb: actions.Delete, Ref: kinds.PodRef(pod), Propagation: actions.Background}
	if p.choice.Force {
		r.Grace = new(int64)
	}
	return r
}

// rankOf returns the rank of a pod, nil for none.
func rankOf(job *train.Job, pod *corev1.Pod) *train.Rank {
	for i := range job.Ranks {
		if job.Ranks[i].Pod == pod.Name && job.Ranks[i].Namespace == pod.Namespace {
			return &job.Ranks[i]
		}
	}
	return nil
}

// losesSteps warns about a job that is training.
func (p *planner) losesSteps(job *train.Job) {
	if job.Phase != train.Running && job.Phase != train.Restarting {
		return
	}
	at := ""
	if run := p.Run(job); run != nil && run.Progress.Step > 0 {
		at = fmt.Sprintf(" (it is at step %.0f)", run.Progress.Step)
	}
	p.warn("%s runs: what it did since its last checkpoint is lost%s", named(job.Ref), at)
}
