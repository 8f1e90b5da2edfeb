package changes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// restart deletes the pod of a rank, so that its controller creates another one; it is
// refused if no controller would.
func (p *planner) restart(ref train.Ref) Target {
	if kindOf(ref) != kinds.PodKind {
		return refused(ref, "%s is no pod: choose the ranks to restart", named(ref))
	}
	pod := p.Pod(ref.Namespace, ref.Name)
	switch {
	case pod == nil || ref.UID != "" && string(pod.UID) != ref.UID:
		return refused(ref, "%s is gone; another one may have its name", named(ref))
	case pod.DeletionTimestamp != nil && !p.choice.Force:
		return refused(ref, "%s is ending already", named(ref))
	}
	p.offers.Force = true
	r := p.replacement(pod)
	if r.noReplacement != "" {
		return refused(ref, "%s", r.noReplacement)
	}
	job := p.JobOf(kinds.PodKind, ref.Namespace, ref.Name)
	t := Target{Ref: kinds.PodRef(pod), Requests: []actions.Request{p.deletePod(pod)}, Done: podsGone([]*corev1.Pod{pod}, false)}
	what := fmt.Sprintf("deletes %s (%s)", named(ref), stateOf(pod))
	if job != nil {
		p.losesSteps(job)
		if rank := rankOf(job, pod); rank != nil {
			what = fmt.Sprintf("deletes %s, which is rank %d of %s (%s)", named(ref), rank.Index, named(job.Ref), stateOf(pod))
			t.Done = all(t.Done, anew(job.Ref, pod, rank))
		}
	}
	t.Consequences = slices.Concat([]string{what}, r.lines)
	return t
}
