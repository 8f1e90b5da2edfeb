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
		{Replicas, "Scale", (*planner).replicas, false},
		{Schedule, "Suspend", (*planner).schedule, false},
		{Trigger, "Trigger", (*planner).trigger, false},
	}
}

// Make plans a change for the chosen objects. Each gets a target of its own, which may
// be refused while others are not; an object chosen twice gets one.
func Make(s *store.Snapshot, name Verb, refs []train.Ref, choice Choice) Plan {
	return MakeOf(s, name, refs, choice, nil)
}

// ReadsObjects reports whether a change is planned from the objects themselves, which
// MakeOf gets: snapshots do not hold their kinds.
func ReadsObjects(name Verb) bool { return name == Replicas || name == Schedule || name == Trigger }

// MakeOf is Make with objects that were read for the plan, as decoded JSON without masks.
func MakeOf(s *store.Snapshot, name Verb, refs []train.Ref, choice Choice, read map[train.Ref]map[string]any) Plan {
	p := &planner{Snapshot: s, choice: choice, read: read}
	plan := Plan{Verb: name}
	if name == Drain {
		return p.drainPlan(refs)
	}
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
	if p.does != "" {
		plan.Does = p.does
	}
	plan.Title = title(plan)
	return plan
}

// drainPlan has several targets for each node.
func (p *planner) drainPlan(refs []train.Ref) Plan {
	plan := Plan{Verb: Drain, Does: "Drain"}
	for _, ref := range slices.Compact(slices.Clone(refs)) {
		plan.Targets = append(plan.Targets, p.drain(ref)...)
	}
	plan.Warnings, plan.Offers, plan.Title = p.warnings, p.offers, drainTitle(plan.Targets)
	return plan
}

// planner works out one plan.
type planner struct {
	*store.Snapshot
	choice   Choice
	warnings []string
	offers   Offers
	// read are objects that were read for the plan, beside the snapshot's.
	read map[train.Ref]map[string]any
	// does replaces the label of the button, "" keeps it.
	does string
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
	return safe(r.Title())
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
