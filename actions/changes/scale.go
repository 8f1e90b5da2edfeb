package changes

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// scale changes the size of a job's role, within what the job allows. For a pod it is
// the pod's role, for a job its only role that can change.
func (p *planner) scale(ref train.Ref) Target {
	at := p.jobInstead(ref)
	job, why := p.jobToChange(at)
	if why == "" && job.Phase.Terminal() {
		why = fmt.Sprintf("%s is over (%s)", named(at), job.Phase)
	}
	if why != "" {
		return refused(at, "%s", why)
	}
	o, why := p.sized(job)
	if why != "" {
		return refused(at, "%s", why)
	}
	scales, why := kinds.Scales(o)
	if why != "" {
		return refused(at, "%s", why)
	}
	role := ""
	if pod := p.Pod(ref.Namespace, ref.Name); pod != nil && ref != at {
		if rank := rankOf(job, pod); rank != nil {
			role = rank.Role
		}
	}
	chosen, found := kinds.ScaleOf(scales, role)
	switch {
	case !found && role == "":
		return refused(at, "it has %s that can be scaled (%s): choose a rank of the one that is meant", termtext.Count(len(scales), "role"), roles(scales))
	case !found:
		return refused(at, "the role %s cannot be scaled (%s can)", role, roles(scales))
	}
	return p.resize(job, o, chosen)
}

// sized is the object whose spec has the sizes: for a RayJob the RayCluster that it
// made, since KubeRay does not pass changes on (kuberay #4190).
func (p *planner) sized(job *train.Job) (*unstructured.Unstructured, string) {
	o := p.object(job.Ref)
	if o == nil {
		if kindOf(job.Ref) == kinds.PodGroupRow {
			return nil, "these pods have no job above them: nobody would make more"
		}
		return nil, named(job.Ref) + " cannot be read"
	}
	if job.Ref.Kind != "RayJob" {
		return o, ""
	}
	for _, below := range p.Below(job) {
		if cluster, is := below.(*unstructured.Unstructured); is && cluster.GetKind() == "RayCluster" {
			return cluster, ""
		}
	}
	return nil, "the RayJob has no RayCluster of its own yet"
}

func roles(scales []kinds.Scale) string {
	text := ""
	for i, scale := range scales {
		if i > 0 {
			text += ", "
		}
		text += scale.Role
	}
	return safe(text)
}

// resize offers the bounds, and plans the request for the chosen number. Without a
// chosen number (0 where 0 is below the bounds) the plan only contains the current one.
func (p *planner) resize(job *train.Job, o *unstructured.Unstructured, scale kinds.Scale) Target {
	p.offerNumber(scale)
	t := Target{Ref: job.Ref}
	switch n := p.choice.Number; {
	case n == scale.Now:
		t.Refused = fmt.Sprintf("it has %s already", termtext.Count(n, scale.Unit))
		return t
	case n < scale.Least || n > scale.Most:
		t.Refused = fmt.Sprintf("it may have %d to %s", scale.Least, termtext.Count(scale.Most, scale.Unit))
		return t
	}
	ref := train.Ref{
		Group: o.GroupVersionKind().Group, Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID()),
	}
	t.Requests = []actions.Request{{Verb: actions.Patch, Ref: ref, PatchType: jsonPatch, Body: encoded(sizePatch(scale, p.choice.Number))}}
	t.Consequences = append(t.Consequences, sizeText(ref, scale, p.choice.Number))
	if scale.Note != "" {
		t.Consequences = append(t.Consequences, scale.Note)
	}
	if p.kueue(job, o).is && o.GetAnnotations()[kueueElastic] != "true" {
		p.warn("Kueue admitted %s with its old size: it stops the job and queues it again", named(job.Ref))
	}
	if p.choice.Number < scale.Now {
		p.losesSteps(job)
	}
	t.Done = sizedTo(job.Ref, (p.choice.Number-scale.Now)*scale.Pods+job.Wanted)
	return t
}

// offerNumber offers the numbers that all targets allow.
func (p *planner) offerNumber(scale kinds.Scale) {
	if !p.offers.Number {
		p.offers.Number, p.offers.Least, p.offers.Most, p.offers.Now = true, scale.Least, scale.Most, scale.Now
		return
	}
	p.offers.Least, p.offers.Most = max(p.offers.Least, scale.Least), min(p.offers.Most, scale.Most)
}

func sizePatch(scale kinds.Scale, n int) []any {
	var patch []any
	if scale.Named != "" && scale.Name != "" {
		patch = append(patch, map[string]any{"op": "test", "path": scale.Named, "value": scale.Name})
	}
	for _, path := range scale.Paths {
		patch = append(patch, map[string]any{"op": "add", "path": path, "value": n})
	}
	return patch
}

func sizeText(ref train.Ref, scale kinds.Scale, n int) string {
	role := ""
	if scale.Role != "" {
		role = "role " + scale.Role + " of "
	}
	pods := (n - scale.Now) * scale.Pods
	what := countIs(pods, "pod") + " made"
	if pods < 0 {
		what = countIs(-pods, "pod") + " deleted, as a rule of the highest index"
	}
	return safe(fmt.Sprintf("sets %s%s from %d to %s: %s", role, named(ref), scale.Now, termtext.Count(n, scale.Unit), what))
}

// sizedTo waits until a job wants so many pods and has no others.
func sizedTo(ref train.Ref, wanted int) doneCheck {
	return func(s *store.Snapshot) (bool, string) {
		job := s.Job(ref.JobID())
		switch {
		case job == nil || job.Phase.Terminal():
			return true, ""
		case job.Wanted != wanted:
			return false, "the job does not show its new size yet"
		case job.Ready < min(wanted, job.Wanted):
			return false, fmt.Sprintf("%d of %d ranks are ready", job.Ready, wanted)
		}
		extra := 0
		for i := range job.Ranks {
			if job.Ranks[i].Pod != "" {
				extra++
			}
		}
		if extra > wanted {
			return false, countIs(extra-wanted, "pod") + " ending"
		}
		return true, ""
	}
}
