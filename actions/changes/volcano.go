package changes

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

// command suspends or resumes a Volcano Job as vcctl does: with a Command that the job
// owns, which Volcano executes and removes (volcano v1.10, pkg/cli/util,
// bus.volcano.sh/v1alpha1).
func (p *planner) command(job *train.Job, o *unstructured.Unstructured, action string) Target {
	owner := map[string]any{
		"apiVersion": o.GetAPIVersion(), "kind": o.GetKind(), "name": o.GetName(), "uid": string(o.GetUID()),
		"controller": true, "blockOwnerDeletion": true,
	}
	body := map[string]any{
		"apiVersion": "bus.volcano.sh/v1alpha1", "kind": "Command",
		"metadata": map[string]any{
			"namespace": o.GetNamespace(), "generateName": o.GetName() + "-" + strings.ToLower(action) + "-",
			"ownerReferences": []any{owner},
		},
		"action": action, "target": owner,
	}
	t := Target{Ref: job.Ref, Requests: []actions.Request{{
		Verb: actions.Create, Body: encoded(body),
		Ref: train.Ref{Group: "bus.volcano.sh", Kind: "Command", Namespace: o.GetNamespace()},
	}}}
	said := fmt.Sprintf("gives Volcano the command %s for %s (the kind has no field to suspend it)", action, named(job.Ref))
	if action == "ResumeJob" {
		t.Consequences = []string{said, fmt.Sprintf("%s made; they wait until the whole gang finds room%s", countIs(job.Wanted, "pod"), asking(job))}
		t.Done = inPhase(job.Ref, train.Running, train.Pending, train.Queued, train.Restarting)
		return t
	}
	p.suspendsWhat(job)
	t.Consequences = []string{said, p.stops(job)}
	t.Done = all(inPhase(job.Ref, train.Suspended), podsGone(p.podsOf(job), true))
	return t
}
