package train

// Phase is the phase of a job of any kind. Operators use some forty names for
// phases; train/kinds translates them.
type Phase string

const (
	// Pending: accepted and not suspended, but not enough ranks run yet.
	Pending Phase = "Pending"
	// Queued: held back by a queue (Kueue Workload not admitted, gang not admitted).
	Queued Phase = "Queued"
	// Suspended: a person stopped it (spec.suspend without a queue behind it).
	Suspended Phase = "Suspended"
	// Running: every rank runs or has run; an elastic job has its minimum.
	Running Phase = "Running"
	// Restarting: the operator is replacing failed pods or child jobs.
	Restarting Phase = "Restarting"
	// Succeeded and Failed are terminal.
	Succeeded Phase = "Succeeded"
	Failed    Phase = "Failed"
)

// Phases lists every phase, the most urgent first.
var Phases = []Phase{Failed, Restarting, Pending, Queued, Suspended, Running, Succeeded}

// Terminal reports whether a job in this phase will never run again.
func (p Phase) Terminal() bool { return p == Succeeded || p == Failed }

// Urgency orders phases by how much they need a person: 0 is the most urgent.
// An unknown phase counts as urgent, because the job may be unhealthy.
func (p Phase) Urgency() int {
	for i, known := range Phases {
		if p == known {
			return i
		}
	}
	return 0
}
