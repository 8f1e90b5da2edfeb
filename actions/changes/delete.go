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

// delete plans the deletion of an object: a job with everything below it, a pod with its
// controller's reaction, any other object alone.
func (p *planner) delete(ref train.Ref) Target {
	if job := p.row(ref); job != nil {
		return p.deleteJob(job)
	}
	_, presence := p.Object(kindOf(ref), ref.Namespace, ref.Name)
	switch presence {
	case train.Absent:
		return refused(ref, "%s is gone", named(ref))
	case train.Unknown: // of a kind, or in a namespace, that is not read here
		return p.deleteObject(ref)
	}
	switch kindOf(ref) {
	case kinds.PodKind:
		return p.deletePodTarget(ref)
	case kinds.NodeKind:
		return p.deleteNode(ref)
	}
	return p.deleteObject(ref)
}

func (p *planner) deleteJob(job *train.Job) Target {
	pods := p.podsOf(job)
	p.offers.Force = p.offers.Force || len(pods) > 0
	if job.LogsOnly {
		return refused(job.Ref, "it is known from log files only")
	}
	if kindOf(job.Ref) == kinds.PodGroupRow {
		return p.deleteGang(job, pods)
	}
	if job.Gone {
		return refused(job.Ref, "%s cannot be read: it is gone, or the right to get it is missing", named(job.Ref))
	}
	p.offers.Propagation = true
	p.warnBeforeDelete(job)
	t := Target{Ref: job.Ref, Requests: []actions.Request{{Verb: actions.Delete, Ref: job.Ref, Propagation: p.propagation()}}}
	t.Consequences = append(t.Consequences, p.deletes(job, pods))
	t.Consequences = append(t.Consequences, p.leaves(job)...)
	if p.propagation() == actions.Orphan {
		t.Done = gone(job.Ref)
		return t
	}
	t.force(p, pods)
	t.Done = all(gone(job.Ref), podsGone(pods, false))
	return t
}

// force adds the deletion of each pod without its grace period.
func (t *Target) force(p *planner, pods []*corev1.Pod) {
	if !p.choice.Force {
		return
	}
	for _, pod := range pods {
		t.Requests = append(t.Requests, p.deletePod(pod))
	}
	p.warn("without a grace period pods vanish from the API at once; on a node that does not answer their processes may go on")
}

// deletes describes what is deleted, and in which order.
func (p *planner) deletes(job *train.Job, pods []*corev1.Pod) string {
	below := p.children(job)
	if len(pods) > 0 {
		below = append([]string{tallyPods(pods)}, below...)
	}
	list := safe(strings.Join(below, ", "))
	switch {
	case p.propagation() == actions.Orphan && list == "":
		return "deletes " + named(job.Ref) + " alone"
	case p.propagation() == actions.Orphan:
		return fmt.Sprintf("deletes %s alone; %s stay, and nobody looks after them any more", named(job.Ref), list)
	case list == "":
		return "deletes " + named(job.Ref) + ", which has no pods, and what else it owns"
	case p.propagation() == actions.Foreground:
		return fmt.Sprintf("deletes first %s and what else it owns, then %s", list, named(job.Ref))
	}
	return fmt.Sprintf("deletes %s, and after it %s and what else it owns (services, config maps)", named(job.Ref), list)
}

// children counts the objects other than pods that a job owns, by kind, nearest first.
func (p *planner) children(job *train.Job) []string {
	var order []string
	counts := map[string]int{}
	for _, o := range p.Below(job) {
		kind := o.GetObjectKind().GroupVersionKind().Kind
		if counts[kind]++; counts[kind] == 1 {
			order = append(order, kind)
		}
	}
	for i, kind := range order {
		order[i] = termtext.Count(counts[kind], kind)
	}
	return order
}

// leaves describes what a deleted job releases, and what stays.
func (p *planner) leaves(job *train.Job) []string {
	var lines []string
	if q := job.Queue; q != nil {
		what := fmt.Sprintf("%s: it leaves queue %s", q.System, q.Name)
		if q.Admitted && job.GPUs > 0 && job.Ready > 0 {
			what += fmt.Sprintf(", and those who wait there may take its %s", termtext.GPUs(job.GPUs, job.Slices))
		}
		lines = append(lines, safe(what))
	}
	if o := p.object(job.Ref); o != nil && job.Ref.Kind == "RayJob" {
		if cluster := text(o.Object, "status", "rayClusterName"); cluster != "" && len(table(o.Object, "spec", "clusterSelector")) > 0 {
			lines = append(lines, safe("RayCluster "+cluster+" stays: the job only used it"))
		}
	}
	return lines
}

// table returns a map inside an object.
func table(o map[string]any, path ...string) map[string]any {
	m, _ := field(o, path...).(map[string]any)
	return m
}

func (p *planner) warnBeforeDelete(job *train.Job) {
	if p.propagation() != actions.Orphan { // orphans continue training
		p.losesSteps(job)
	}
	if job.Owner.Name != "" {
		p.warn("%s owns %s and may make it again", named(job.Owner), named(job.Ref))
	}
}

// deleteGang deletes pods without a job above them.
func (p *planner) deleteGang(job *train.Job, pods []*corev1.Pod) Target {
	if len(pods) == 0 {
		return refused(job.Ref, "it has no pods any more")
	}
	p.losesSteps(job)
	t := Target{Ref: job.Ref, Consequences: []string{fmt.Sprintf("deletes %s; no job is above them, so nobody makes them again", tallyPods(pods))}}
	for _, pod := range pods {
		t.Requests = append(t.Requests, p.deletePod(pod))
	}
	t.Done = podsGone(pods, false)
	return t
}

func (p *planner) deletePodTarget(ref train.Ref) Target {
	pod := p.Pod(ref.Namespace, ref.Name)
	if pod == nil || ref.UID != "" && string(pod.UID) != ref.UID {
		return refused(ref, "%s is gone; another one may have its name", named(ref))
	}
	p.offers.Force = true
	t := Target{Ref: kinds.PodRef(pod), Requests: []actions.Request{p.deletePod(pod)}, Done: podsGone([]*corev1.Pod{pod}, false)}
	t.Consequences = append(t.Consequences, fmt.Sprintf("deletes %s (%s)", named(ref), stateOf(pod)))
	t.Consequences = append(t.Consequences, p.replacement(pod).lines...)
	if p.choice.Force {
		p.warn("without a grace period pods vanish from the API at once; on a node that does not answer their processes may go on")
	}
	return t
}

func (p *planner) deleteNode(ref train.Ref) Target {
	pods, jobs := p.podsOn(ref.Name)
	ref = p.withUID(ref)
	p.warn("a node that still runs its kubelet comes back by itself")
	return Target{
		Ref:      ref,
		Requests: []actions.Request{{Verb: actions.Delete, Ref: ref, Propagation: p.propagation()}},
		Consequences: []string{
			fmt.Sprintf("deletes the object of %s, not the machine; %s deleted with it%s", named(ref), countIs(pods, "pod"), ofJobs(jobs)),
		},
		Done: gone(ref),
	}
}

func (p *planner) deleteObject(ref train.Ref) Target {
	ref = p.withUID(ref)
	p.offers.Propagation = true
	t := Target{Ref: ref, Requests: []actions.Request{{Verb: actions.Delete, Ref: ref, Propagation: p.propagation()}}, Done: gone(ref)}
	t.Consequences = []string{fmt.Sprintf("deletes %s%s", named(ref), map[actions.Propagation]string{
		actions.Orphan: "; what it owns stays", actions.Foreground: ", after what it owns", actions.Background: " and what it owns",
	}[p.propagation()])}
	o, presence := p.Object(kindOf(ref), ref.Namespace, ref.Name)
	if presence != train.Present {
		p.warn("%s is not followed here, so what is below it is not known", named(ref))
		t.Done = nil
		return t
	}
	if job := p.JobOf(kindOf(ref), ref.Namespace, ref.Name); job != nil {
		p.losesSteps(job)
	}
	if parent, has := kinds.Parent(kindOf(ref), o); has {
		t.Consequences = append(t.Consequences, safe(named(parent.Ref)+" owns it and makes it again, as it wants it"))
	}
	return t
}

// podsOn counts the pods on a node that have not ended, and names their jobs, in order.
func (p *planner) podsOn(node string) (pods int, jobs []string) {
	p.PodsOn(node, func(pod *corev1.Pod) bool {
		if ended(pod) {
			return true
		}
		pods++
		if job := p.JobOf(kinds.PodKind, pod.Namespace, pod.Name); job != nil {
			if name := named(job.Ref); !slices.Contains(jobs, name) {
				jobs = append(jobs, name)
			}
		}
		return true
	})
	return pods, jobs
}

// ofJobs names a few jobs: " (of PyTorchJob ml/bert and 3 more jobs)".
func ofJobs(jobs []string) string {
	const most = 3
	if len(jobs) == 0 {
		return ""
	}
	return " (of " + strings.Join(jobs[:min(most, len(jobs))], ", ") + termtext.AndMore(len(jobs)-most, "job") + ")"
}
