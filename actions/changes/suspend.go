package changes

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const mergePatch, jsonPatch = "application/merge-patch+json", "application/json-patch+json"

// suspend stops a job so that it can be resumed, in the way of its kind; if Kueue
// manages it, by deactivating its Workload.
func (p *planner) suspend(ref train.Ref) Target {
	job, why := p.jobToChange(ref)
	switch {
	case why != "":
		return refused(ref, "%s", why)
	case job.Phase.Terminal():
		return refused(ref, "%s is over (%s)", named(ref), job.Phase)
	case job.Phase == train.Suspended:
		return refused(ref, "%s is suspended already", named(ref))
	}
	o := p.object(job.Ref)
	path, why := suspendField(o, job)
	if managed := p.kueue(job, o); managed.is {
		return p.deactivate(job, managed)
	}
	if kinds.VolcanoJob(o) {
		return p.command(job, o, "AbortJob")
	}
	if why != "" {
		return refused(ref, "%s", why)
	}
	t := Target{Ref: job.Ref, Requests: []actions.Request{setFlag(job.Ref, path, true)}}
	t.Consequences = []string{fmt.Sprintf("sets %s of %s; %s", dotted(path), named(job.Ref), p.stops(job))}
	p.suspendsWhat(job)
	t.Done = all(inPhase(job.Ref, train.Suspended, train.Queued), podsGone(p.podsOf(job), true))
	return t
}

// suspendField is the field that suspends a job; a job without an object has none.
func suspendField(o *unstructured.Unstructured, job *train.Job) ([]string, string) {
	if o == nil {
		if kindOf(job.Ref) == kinds.PodGroupRow {
			return nil, "these pods have no job above them: nobody would make them again"
		}
		return nil, named(job.Ref) + " cannot be read"
	}
	return kinds.SuspendField(o)
}

// suspendsWhat warns about the costs of a suspension.
func (p *planner) suspendsWhat(job *train.Job) {
	p.losesSteps(job)
	if job.Ref.Kind == "RayJob" {
		p.warn("a RayJob that is resumed begins again on a new RayCluster")
	}
	if job.Owner.Name != "" {
		p.warn("%s owns %s and may resume it", named(job.Owner), named(job.Ref))
	}
}

// stops describes what happens to the pods of a suspended job.
func (p *planner) stops(job *train.Job) string {
	pods := p.podsOf(job)
	switch {
	case len(pods) == 0:
		return "it has no pods"
	case job.Ref.Kind == "RayJob":
		return fmt.Sprintf("its RayCluster goes, with %s", tallyPods(pods))
	case job.Ref.Group == "kubeflow.org":
		return fmt.Sprintf("the job stays, and %s and their services go", tallyPods(pods))
	}
	return fmt.Sprintf("the job stays, and %s go", tallyPods(pods))
}

// resume continues a suspended job.
func (p *planner) resume(ref train.Ref) Target {
	job, why := p.jobToChange(ref)
	switch {
	case why != "":
		return refused(ref, "%s", why)
	case job.Phase.Terminal():
		return refused(ref, "%s is over (%s)", named(ref), job.Phase)
	}
	o := p.object(job.Ref)
	if managed := p.kueue(job, o); managed.is {
		return p.activate(job, managed)
	}
	if job.Phase != train.Suspended {
		return refused(ref, "%s is not suspended (%s)", named(ref), job.Phase)
	}
	if kinds.VolcanoJob(o) {
		return p.command(job, o, "ResumeJob")
	}
	path, why := suspendField(o, job)
	if path == nil {
		return refused(ref, "%s", why)
	}
	return Target{
		Ref:      job.Ref,
		Requests: []actions.Request{setFlag(job.Ref, path, false)},
		Consequences: []string{fmt.Sprintf("takes back %s of %s; %s made and must find room again%s",
			dotted(path), named(job.Ref), countIs(job.Wanted, "pod"), asking(job))},
		Done: inPhase(job.Ref, train.Running, train.Pending, train.Queued, train.Restarting),
	}
}

func asking(job *train.Job) string {
	if job.GPUs == 0 {
		return ""
	}
	return " (" + termtext.GPUs(job.GPUs, job.Slices) + ")"
}

// setFlag is a merge patch that sets one boolean.
func setFlag(ref train.Ref, path []string, value bool) actions.Request {
	var body any = value
	for i := len(path) - 1; i >= 0; i-- {
		body = map[string]any{path[i]: body}
	}
	return actions.Request{Verb: actions.Patch, Ref: ref, PatchType: mergePatch, Body: encoded(body)}
}

// encoded marshals values of this package, which always have a JSON form.
func encoded(body any) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		panic("changes: " + err.Error())
	}
	return text
}

func dotted(path []string) string {
	text := ""
	for i, name := range path {
		if i > 0 {
			text += "."
		}
		text += name
	}
	return text
}
