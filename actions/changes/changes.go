package changes

import (
	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Verb names a change; the audit log and command lines use it.
type Verb string

const (
	Delete      Verb = "delete"
	Suspend     Verb = "suspend"
	Resume      Verb = "resume"
	RestartRank Verb = "restart-rank"
	Scale       Verb = "scale"
	Cordon      Verb = "cordon"
	Uncordon    Verb = "uncordon"
)

// Choice is what a person chose in the dialog.
type Choice struct {
	Propagation actions.Propagation // "" is Background
	// Force deletes pods without their grace period.
	Force bool
	// Number is how many ranks Scale asks for.
	Number int
}

// Plan is a change worked out, before anybody was asked.
type Plan struct {
	Verb Verb
	// Title asks the question: "Delete 3 jobs?".
	Title string
	// Does is the label of the button that does it: "Delete".
	Does string
	// Warnings are what a person should know before: a running job loses
	// steps since its last checkpoint, Kueue will admit it again.
	Warnings []string
	// Targets are the chosen objects, in order.
	Targets []Target
	// Offers are the choices that make sense here.
	Offers Offers
}

// Offers says which parts of Choice the dialog asks for.
type Offers struct {
	Propagation, Force bool
	// Number is asked for within Least and Most; Now is what it is.
	Number           bool
	Least, Most, Now int
}

// Target is what the change means for one object.
type Target struct {
	Ref train.Ref
	// Consequences say what exactly will happen, a line each: "deletes
	// PyTorchJob bert, its 4 pods (4 running) and 1 service".
	Consequences []string
	// Requests carry it out, in order; the first failure stops this target.
	Requests []actions.Request
	// Refused says why it cannot be done to this object, "" when it can.
	Refused string
	// Done reports from a later snapshot whether the cluster shows the
	// outcome, and what is still missing ("3 pods are ending"). Both are
	// read again with each new snapshot.
	Done func(*store.Snapshot) (done bool, rest string)
}
