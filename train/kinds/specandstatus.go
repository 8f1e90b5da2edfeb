package kinds

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// specAndStatus is what a kind's reader finds in an object: what its spec wants and
// what its operator reports, before the pods are considered.
type specAndStatus struct {
	roles []role
	// position returns where a pod belongs; it must work without the spec too,
	// for jobs of which only pods are left.
	position func(pod *corev1.Pod) rankPosition
	// done reports whether a rank has finished although it has no pod any
	// more; nil where the operator keeps no such list.
	done func(role string, index int) bool

	operatorStatus operatorStatus
	// suspended is true when the spec or a condition suspends the job.
	suspended bool
	// untouched is true when the object has no status at all: its operator has
	// not processed it.
	untouched bool
	// unstarted is true when the operator reports that the job itself has not
	// begun, though its pods may run: Ray's, before the job is submitted.
	unstarted bool
	// alive counts the pods that according to the operator exist and have not
	// ended. If it is more than the observed pods, some are not observed.
	alive int
	// unread is the reason why the spec's roles could not be read, "" where they
	// could.
	unread string
	// unknownPhase is the field with a phase that no word means, and its value; "" for none.
	unknownPhase string
	// odd names other fields that could not be read, "" for none.
	odd string

	elastic           *train.Elastic
	slots             int // MPI processes of a worker, 0 where the spec does not set it
	restarts          int // of the job as a whole
	started, finished time.Time
	progress          *train.Progress
	// general is true for kinds that run anything, not only training.
	general bool
	// volcanoQueue is the queue that the spec itself names.
	volcanoQueue string
}

// operatorStatus is the operator's status of the job.
type operatorStatus struct {
	// phase is empty when the status is not conclusive.
	phase           train.Phase
	reason, message string
	at              time.Time
}

// operatorStatusOf returns the operator's status according to a condition.
func operatorStatusOf(phase train.Phase, c condition) operatorStatus {
	return operatorStatus{phase: phase, reason: c.reason, message: c.message, at: c.at}
}

// role is a group of ranks as the spec wants it.
type role struct {
	name   string
	wanted int
	// ready is the operator's own count, used where no pods are observed.
	ready int
	// template is the pod template: metadata and spec.
	template fields
	// container is the usual name of training containers of this role, ""
	// without one.
	container string
	// rank is the node rank of the role's i-th pod; nil continues after the
	// roles before it.
	rank func(index int) int
	// assumed is true when nothing determines the rank.
	assumed bool
	// unranked is true for pods that are counted and run no training process.
	unranked bool
	// prepares is true for pods that run before the ranks and are none, whatever their
	// environment has: a template may be one for all.
	prepares bool
	// dependsOn is the role that has to end, or to be ready, before pods of this one are
	// made, "" where none has to any more.
	dependsOn string
	// aside is true for pods that belong to the job without being one of its
	// ranks (Ray's submitter): they are shown and not counted.
	aside bool
}

// rankPosition is where a pod belongs.
type rankPosition struct {
	role string
	// index counts inside the role; below zero when unknown, and the order of
	// creation is used instead.
	index int
}
