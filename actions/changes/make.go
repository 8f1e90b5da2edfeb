package changes

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// verb is one kind of change.
type verb struct {
	name Verb
	// does is the label of the button; the title begins with it.
	does string
	// target plans the change for one object.
	target func(*planner, train.Ref) Target
	// ofJobs replaces a chosen pod by its job, and uses each job once.
	ofJobs bool
}

// verbs returns all of them, in the order of docs and menus.
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

// Make plans a change for the chosen objects. Each gets a target of its own, which may
// be refused while others are not; an object chosen twice gets one.
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

// warn adds a warning once.
func (p *planner) warn(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !slices.Contains(p.warnings, text) {
		p.warnings = append(p.warnings, text)
	}
}

// title names a single object, or the number and kind of several.
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

// named formats an object for sentences: "PyTorchJob ml/bert".
func named(r train.Ref) string {
	if r.Namespace == "" {
		return safe(r.Kind + " " + r.Name)
	}
	return safe(r.Kind + " " + r.Namespace + "/" + r.Name)
}

// countIs is a number with its noun and verb: "1 pod is".
func countIs(n int, noun string) string {
	return termtext.Count(n, noun) + termtext.Agree(n, " is", " are")
}

// refused is a target without requests.
func refused(ref train.Ref, format string, values ...any) Target {
	return Target{Ref: ref, Refused: safe(fmt.Sprintf(format, values...))}
}

// propagation is the chosen one, else Background.
func (p *planner) propagation() actions.Propagation {
	if p.choice.Propagation == "" {
		return actions.Background
	}
	return p.choice.Propagation
}
