package train

import (
	"strings"
	"time"
)

// JobID identifies a job for as long as it exists: the UID of the object at
// the top of its ownership chain. A job that is deleted and created again
// under the same name has another ID. Objects written by hand have no UID;
// theirs is "group/kind/namespace/name".
type JobID string

// Ref names a Kubernetes object without holding it.
type Ref struct {
	Group     string // API group, "" for core
	Kind      string
	Namespace string // "" for cluster-scoped objects
	Name      string
	UID       string // "" when unknown
}

// PodRef is the reference to a pod; uid is "" when unknown.
func PodRef(namespace, name, uid string) Ref {
	return Ref{Kind: "Pod", Namespace: namespace, Name: name, UID: uid}
}

// String is "namespace/Kind/name", the form that command lines take.
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.Kind + "/" + r.Name
	}
	return r.Namespace + "/" + r.Kind + "/" + r.Name
}

// JobID is the identity that a job at this reference has.
func (r Ref) JobID() JobID {
	if r.UID != "" {
		return JobID(r.UID)
	}
	return JobID(strings.Join([]string{r.Group, r.Kind, r.Namespace, r.Name}, "/"))
}

// Job is one training job of any kind: the object at the top of an ownership
// chain, with everything below it joined in.
type Job struct {
	ID  JobID
	Ref Ref

	// Version is the API version it was read in, "v1" say.
	Version string
	Labels  map[string]string

	Phase Phase
	// Training is false for an object that shows no sign of being training:
	// no accelerator, no queue, no training kind (a CronJob's backup, say).
	Training bool
	// Reason is one short human sentence for the phase: why it waits, why it
	// failed. Empty when there is nothing to explain.
	Reason string
	// Gone is true when the object itself could not be read, and the job is
	// known only from what it left behind (pods that name it, events about it).
	Gone bool
	// LogsOnly is true when the job is made of log files alone: nothing is
	// known of its phase, pods and GPUs.
	LogsOnly bool
	// Outlined is true when only the room that the job takes was kept: it is
	// read from the incident file of another job, without events, logs and texts.
	Outlined bool

	// Wanted counts the ranks that the spec asks for, launchers and heads
	// included; Ready counts pods that are Ready now.
	Wanted, Ready int
	// ReadyStated: Ready is what its status says, of pods that nobody read.
	ReadyStated bool
	// StatusBehind: its status counts pods that do not exist, where all pods
	// are listed.
	StatusBehind bool
	Roles        []Role
	// Ranks stand in rank order, one per wanted rank, and further ones where
	// more pods exist than the spec wants.
	Ranks []Rank
	// Elastic bounds the number of ranks; nil for a fixed size.
	Elastic *Elastic

	// GPUs counts the accelerators that the whole spec asks for, a MIG slice
	// or a claimed device as one each. GPUResource is the resource name that
	// provides most of them ("nvidia.com/gpu").
	GPUs        int
	GPUResource string

	Queue *Queue // nil without a queue

	// Restarts sums replaced pods, in-place container restarts and restarts
	// of the job as a whole.
	Restarts int

	Created, Started, Finished time.Time // zero when unknown or not yet

	// Owner is a foreign object above the job (an Argo Workflow, a CronJob),
	// zero without one.
	Owner Ref

	// Progress is what the operator itself reports (TrainJob
	// status.trainerStatus), nil when it reports nothing.
	Progress *Progress
}

// Role is a group of ranks that do the same: Master, Worker, Launcher, a
// JobSet's replicated job, a Ray worker group.
type Role struct {
	Name          string
	Wanted, Ready int
	// GPUs is what one rank of the role asks for.
	GPUs int
}

// Elastic says between which numbers of ranks a job may run.
type Elastic struct{ Min, Max int }

// Queue is where a job waits, or was admitted from.
type Queue struct {
	System string // "Kueue", "Volcano" or "KAI"
	// Name is the queue that the job names (a LocalQueue for Kueue); Cluster
	// is the ClusterQueue behind it, "" elsewhere or when unknown.
	Name, Cluster string
	Admitted      bool
	// Place counts from 1 among those that wait in the same queue, in the
	// order the queue tries them; 0 when it does not wait or nobody can tell.
	Place int
	// Priority is what the queue orders by, higher first.
	Priority int
	// Since is when it began to wait.
	Since time.Time
	// Reason is the queue's own sentence about why the job waits.
	Reason string
}

// Progress is an operator's own report. Step counts are zero when unknown.
type Progress struct {
	Percent   float64 // 0..100
	Remaining time.Duration
	Metrics   map[string]string // as reported, "loss": "1.93"
	At        time.Time
}

// Rank is one pod's place in a job: a node of the job, not a process. Its
// newest attempt is the pod that holds the place now.
type Rank struct {
	// Index is the node rank. Assumed is true when nothing told the rank and
	// the order of roles and indices had to stand in for it.
	Index   int
	Assumed bool
	Role    string
	// RoleIndex counts from 0 inside the role.
	RoleIndex int

	// Pod is empty when the pod was never created or is gone.
	Pod       string
	Namespace string
	PodUID    string
	Node      string
	// Container is the one that trains (job-kinds' default container).
	Container string

	State RankState
	// Reason explains a state that is not plain running: the scheduler's
	// sentence, the container's waiting reason, the exit code.
	Reason string
	Ready  bool
	GPUs   int
	// Restarts counts in-place restarts of the current pod plus earlier pods
	// at this place.
	Restarts int
	// Since is when the state began, zero when unknown.
	Since time.Time
	// Attempts are all runs known at this place, oldest first, the current one last.
	Attempts []Attempt
}

// PodRef is the reference to the pod that holds the rank, the zero Ref when none does.
func (r *Rank) PodRef() Ref {
	if r.Pod == "" {
		return Ref{}
	}
	return PodRef(r.Namespace, r.Pod, r.PodUID)
}

// RankState is one word for where a rank stands.
type RankState string

const (
	RankMissing     RankState = "missing"     // wanted, and no pod exists
	RankGated       RankState = "gated"       // scheduling gates hold the pod
	RankPending     RankState = "pending"     // no node yet
	RankStarting    RankState = "starting"    // on a node: pulling, init containers, creating
	RankWaiting     RankState = "waiting"     // on a node, and cannot start (ImagePullBackOff, CreateContainerConfigError)
	RankRunning     RankState = "running"     // the training container runs
	RankCrashing    RankState = "crashing"    // between two in-place restarts (CrashLoopBackOff)
	RankSucceeded   RankState = "succeeded"   // ended with exit code 0
	RankFailed      RankState = "failed"      // ended otherwise
	RankTerminating RankState = "terminating" // being deleted
	RankLost        RankState = "lost"        // its node stopped answering
)

// Attempt is one run at a rank's place: a pod, or one life of its container.
type Attempt struct {
	Pod, PodUID, Node string
	// InPlace is true when the kubelet restarted the container in the same pod.
	InPlace           bool
	Started, Finished time.Time
	// ExitCode is nil while it runs and when nobody knows it.
	ExitCode *int
	Reason   string // "OOMKilled", "Error", "Evicted", ...
}
