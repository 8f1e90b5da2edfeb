package changes

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// verb is one thing that can be done to objects.
type verb struct {
	name Verb
	// does labels the button; the title begins with it.
	does string
	// target works out what it means for one object.
	target func(*planner, train.Ref) Target
	// ofJobs takes the job of a pod that was chosen, and each job once.
	ofJobs bool
}

// verbs are all of them, in the order of docs and menus.
func verbs() []verb {
	return []verb{
		{Delete, "Delete", (*planner).delete, false},
		{Suspend, "Suspend", (*planner).suspend, true},
		{Resume, "Resume", (*planner).resume, true},
		{RestartRank, "Restart", (*planner).restart, false},
		{Scale, "Scale", (*planner).scale, false},
		{Cordon, "Cordon", (*planner).cordon, false},
		{Uncordon, "Uncordon", (*planner).uncordon, false},
	}
}

// Make works a change out for the objects chosen. Each gets a target of its
// own, which may be refused while the others go on; an object chosen twice
// gets one.
func Make(s *store.Snapshot, name Verb, refs []train.Ref, choice Choice) Plan {
	p := &planner{Snapshot: s, choice: choice}
	plan := Plan{Verb: name}
	for _, v := range verbs() {
		if v.name != name {
			continue
		}
		plan.Does = v.does
		seen := map[train.Ref]bool{}
		for _, ref := range refs {
			if v.ofJobs {
				ref = p.jobInstead(ref)
			}
			if !seen[ref] {
				seen[ref] = true
				plan.Targets = append(plan.Targets, v.target(p, ref))
			}
		}
	}
	plan.Warnings, plan.Offers = p.warnings, p.offers
	plan.Title = title(plan)
	return plan
}

// planner works out one plan.
type planner struct {
	*store.Snapshot
	choice   Choice
	warnings []string
	offers   Offers
}

// warn adds what a person should know, once.
func (p *planner) warn(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !slices.Contains(p.warnings, text) {
		p.warnings = append(p.warnings, text)
	}
}

// title asks about one object by its name, about more by their number and kind.
func title(plan Plan) string {
	if len(plan.Targets) == 0 {
		return plan.Does + " nothing?"
	}
	first := plan.Targets[0].Ref
	if len(plan.Targets) == 1 {
		return fmt.Sprintf("%s %s?", plan.Does, named(first))
	}
	noun := first.Kind
	for _, target := range plan.Targets {
		if target.Ref.Kind != noun {
			noun = "object"
		}
	}
	return fmt.Sprintf("%s %s?", plan.Does, termtext.Count(len(plan.Targets), noun))
}

// named is an object as sentences name it: "PyTorchJob ml/bert".
func named(r train.Ref) string {
	if r.Namespace == "" {
		return safe(r.Kind + " " + r.Name)
	}
	return safe(r.Kind + " " + r.Namespace + "/" + r.Name)
}

// are is a number with its noun and the verb that agrees: "1 pod is".
func are(n int, noun string) string {
	return termtext.Count(n, noun) + termtext.Agree(n, " is", " are")
}

// refused is a target that nothing is done to.
func refused(ref train.Ref, format string, values ...any) Target {
	return Target{Ref: ref, Refused: safe(fmt.Sprintf(format, values...))}
}

// propagation is what was chosen, Background without a choice.
func (p *planner) propagation() actions.Propagation {
	if p.choice.Propagation == "" {
		return actions.Background
	}
	return p.choice.Propagation
}
