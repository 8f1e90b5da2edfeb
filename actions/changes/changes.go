package changes

import (
	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Verb names a change in the audit log and on command lines.
type Verb string

const (
	Delete      Verb = "delete"
	Suspend     Verb = "suspend"
	Resume      Verb = "resume"
	RestartRank Verb = "restart-rank"
	Scale       Verb = "scale"
	Cordon      Verb = "cordon"
	Uncordon    Verb = "uncordon"
	Drain       Verb = "drain"
	// Replicas sets the size of any object with the subresource scale, Schedule
	// suspends a CronJob or resumes it, Trigger makes a job of one now.
	Replicas Verb = "scale-replicas"
	Schedule Verb = "suspend-schedule"
	Trigger  Verb = "trigger"
)

// Word is the change as a notice names it; the audit has the Verb.
func (v Verb) Word() string {
	switch v {
	case Replicas:
		return "scale"
	case RestartRank:
		return "restart"
	case Schedule:
		return "schedule"
	}
	return string(v)
}

// Choice is what a person chose in the dialog.
type Choice struct {
	Propagation actions.Propagation // "" is Background
	// Force deletes pods without their grace period.
	Force bool
	// Number is the number of ranks for Scale, of replicas for Replicas.
	Number int
	// Unmanaged evicts pods too that no controller makes again.
	Unmanaged bool
}

// Plan is a planned change that still has to be confirmed.
type Plan struct {
	Verb Verb
	// Title is the question: "Delete 3 jobs?".
	Title string
	// Does is the label of the confirming button: "Delete".
	Does string
	// Warnings are the costs of the change: a running job loses steps since its
	// last checkpoint, Kueue will admit it again.
	Warnings []string
	// Targets are the chosen objects, in order.
	Targets []Target
	// Offers are the choices that apply here.
	Offers Offers
}

// Offers are the parts of Choice for which the dialog asks.
type Offers struct {
	Propagation, Force bool
	// Number is between Least and Most; Now is its current value.
	Number           bool
	Least, Most, Now int
	// Unit is what Number counts, "" for ranks.
	Unit string
	// Unmanaged is the choice to evict pods that no controller makes again.
	Unmanaged bool
}

// Target is the effect of the change on one object.
type Target struct {
	Ref train.Ref
	// Consequences describe exactly what will happen, one per line: "deletes
	// PyTorchJob bert, its 4 pods (4 running) and 1 service".
	Consequences []string
	// Requests make the change, in order; the first failure stops this target.
	Requests []actions.Request
	// Refused is the reason why the object cannot be changed, "" if it can.
	Refused string
	// First is changed before all targets without it, which are left where it
	// fails.
	First bool
	// Done reports whether a later snapshot shows the result, and what is still
	// missing ("3 pods are ending"). It is called again for each new snapshot.
	Done func(*store.Snapshot) (done bool, rest string)
}
