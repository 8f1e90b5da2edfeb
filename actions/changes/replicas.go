package changes

import (
	"fmt"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// mostReplicas bounds what a person may type by mistake.
const mostReplicas = 100_000

// replicas plans a new size of an object through its subresource scale.
func (p *planner) replicas(ref train.Ref) Target {
	o := p.read[ref]
	now := number(o, -1, "spec", "replicas")
	known := now >= 0
	if !p.offers.Number {
		p.offers.Number, p.offers.Least, p.offers.Most, p.offers.Now, p.offers.Unit = true, 0, mostReplicas, max(0, now), "replicas"
	}
	n := p.choice.Number
	switch {
	case known && n == now:
		return refused(ref, "it has %s already", termtext.Count(now, "replica"))
	case n < 0 || n > mostReplicas:
		return refused(ref, "it may have 0 to %s", termtext.Count(mostReplicas, "replica"))
	}
	from := ""
	if known {
		from = fmt.Sprintf(" from %d", now)
	}
	t := Target{
		Ref: ref,
		Requests: []actions.Request{{
			Verb: actions.Patch, Ref: ref, Subresource: "scale", PatchType: mergePatch,
			Body: encoded(map[string]any{"spec": map[string]any{"replicas": n}}),
		}},
		Consequences: []string{fmt.Sprintf("sets %s%s to %s", named(ref), from, termtext.Count(n, "replica"))},
	}
	if owner := ownerOf(o); owner != "" {
		p.warn("%s owns %s and may set it back", owner, named(ref))
	}
	if job := p.JobOf(kindOf(ref), ref.Namespace, ref.Name); job != nil && n < now {
		p.losesSteps(job)
	}
	return t
}

// ownerOf names the controller of an object that was read, "" for none.
func ownerOf(o map[string]any) string {
	owners, _ := field(o, "metadata", "ownerReferences").([]any)
	for _, one := range owners {
		owner, _ := one.(map[string]any)
		if controls, _ := owner["controller"].(bool); controls {
			return safe(text(owner, "kind") + " " + text(owner, "name"))
		}
	}
	return ""
}
