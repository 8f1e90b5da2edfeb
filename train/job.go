package train

import (
	"strconv"
	"strings"
	"time"
)

// JobID identifies a job for as long as it exists: the UID of the object at
// the top of its ownership chain. A job that is deleted and created again
// under the same name has another ID. Objects written by hand have no UID;
// theirs is "group/kind/namespace/name".
type JobID string

// Ref identifies a Kubernetes object without containing it.
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

// String is "namespace/Kind/name", the form that command lines take, with the
// kind as KindName has it.
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.KindName() + "/" + r.Name
	}
	return r.Namespace + "/" + r.KindName() + "/" + r.Name
}

// Short is "Kind/name", for where the namespace is known.
func (r Ref) Short() string { return r.KindName() + "/" + r.Name }

// Title is the reference as titles have it: "PyTorchJob ml/bert".
func (r Ref) Title() string {
	if r.Namespace == "" {
		return r.KindName() + " " + r.Name
	}
	return r.KindName() + " " + r.Namespace + "/" + r.Name
}

// LogKind is the kind of a job that is formed from log files alone.
const LogKind = "Log"

// JobID returns the identity of a job at this reference.
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

	// Version is the API version in which it was read, for example "v1".
	Version string
	Labels  map[string]string

	Phase Phase
	// Training is false for an object without any sign of training: no
	// accelerator, no queue, no training kind (a CronJob's backup, for
	// example).
	Training bool
	// Reason is one short sentence for the phase: why it waits, why it failed.
	// Empty when there is nothing to explain.
	Reason string
	// Gone is true when the object itself could not be read, and the job is
	// known only from its pods or events.
	Gone bool
	// LogsOnly is true when the job is formed from log files alone: its phase,
	// pods and GPUs are unknown.
	LogsOnly bool
	// Outlined is true when only the resources of the job were kept: it is
	// read from the excerpt file of another job, without events, logs and
	// texts.
	Outlined bool

	// Wanted counts the ranks that the spec requests, launchers and heads
	// included; Ready counts pods that are Ready now.
	Wanted, Ready int
	// ReadyStated is true when Ready is the count in the job's status, because
	// its pods were not read.
	ReadyStated bool
	// Unread is true when none of its pods was read and others may exist: not all
	// pods are listed, and nothing shows that they were never created.
	Unread bool
	// StatusBehind is true when the status counts pods that do not exist,
	// where all pods are listed.
	StatusBehind bool
	Roles        []Role
	// Ranks are in rank order, one per wanted rank, and further ones where
	// more pods exist than the spec wants.
	Ranks []Rank
	// Unlisted counts the wanted ranks that Ranks has no room for: those from
	// len(Ranks) on.
	Unlisted int
	// Elastic bounds the number of ranks; nil for a fixed size.
	Elastic *Elastic
	// Slots is how many MPI processes a worker may run, 0 where the spec does not set it.
	Slots int

	// GPUs counts the accelerators that the whole spec requests, a MIG slice
	// or a claimed device as one each. GPUResource is the resource name that
	// provides most of them ("nvidia.com/gpu").
	GPUs        int
	GPUResource string
	// Slices are the MIG slices among GPUs.
	Slices int

	Queue *Queue // nil without a queue

	// CountsCut names which counts of the object are greater than what is counted,
	// or are none and not counted, so that the numbers above are too small, and
	// which other fields could not be read; "" for none.
	CountsCut string

	// UnknownStatus is the words of the object's status that have no meaning
	// here and may be trouble: a phase, or a condition; "" for nothing.
	UnknownStatus string

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

// Done counts the ranks of a role that ended well or are ready: how much of a job that
// succeeded is known to be done.
func (j *Job) Done(role string) (n int) {
	for i := range j.Roles {
		if j.Roles[i].Name != role {
			continue
		}
		for k := range j.Ranks {
			if r := &j.Ranks[k]; r.Role == role && r.RoleIndex < j.Roles[i].Wanted && (r.Ready || r.State == RankSucceeded) {
				n++
			}
		}
	}
	return n
}

// Role is a group of equal ranks: Master, Worker, Launcher, a JobSet's
// replicated job, a Ray worker group.
type Role struct {
	Name          string
	Wanted, Ready int
	// GPUs is what one rank of the role requests, and Slices are the MIG slices among them.
	GPUs, Slices int
}

// Elastic bounds the number of ranks with which a job may run.
type Elastic struct{ Min, Max int }

// Queue is where a job waits, or was admitted from.
type Queue struct {
	System string // "Kueue", "Volcano" or "KAI"
	// Name is the queue that the job names (a LocalQueue for Kueue), ClusterQueue
	// the one of Kueue behind it, "" elsewhere or when unknown.
	Name, ClusterQueue string
	// Workload is the Kueue Workload that waits for the job, in its namespace;
	// "" elsewhere and while there is none.
	Workload string
	Admitted bool
	// Place counts from 1 among the jobs that wait in the same queue, in the
	// order in which the queue tries them; 0 when it does not wait or when
	// unknown.
	Place int
	// Priority is the priority by which the queue orders, higher first.
	Priority int
	// Since is when it began to wait.
	Since time.Time
	// Reason is the queue's own message why the job waits.
	Reason string
}

// Progress is an operator's own report. Step counts are zero when unknown.
type Progress struct {
	Percent   float64 // 0..100
	Remaining time.Duration
	Metrics   map[string]string // as reported, "loss": "1.93"
	At        time.Time
}

// Rank is one pod's position in a job: a node of the job, not a process. Its
// newest attempt is the current pod.
type Rank struct {
	// Index is the node rank. Assumed is true when no source contains the rank
	// and the order of roles and indices was used instead.
	Index   int
	Assumed bool
	// Unranked is true for a pod among the ranks that runs no training process: an
	// MPI launcher, an initializer of data. Index then only names it.
	Unranked bool
	// DuplicateOf is set for a pod that lives beside a newer one of the same role and
	// index: both run one rank. It names the newest, and Index only names the older.
	DuplicateOf string
	Role        string
	// RoleIndex counts from 0 inside the role.
	RoleIndex int

	// DependsOn is set while the pod is not made yet because the job lets another role
	// run before: it names that role.
	DependsOn string

	// Pod is empty when the pod was never created or is gone.
	Pod       string
	Namespace string
	PodUID    string
	Node      string
	// Container is the training container (job-kinds' default container).
	Container string

	State RankState
	// Reason explains a state that is not plain running: the scheduler's
	// message, the container's waiting reason, the exit code.
	Reason string
	Ready  bool
	// BrokenSidecar is true where a container beside the training one ended with an error
	// and does not run.
	BrokenSidecar bool
	// GPUs is what it requests, and Slices are the MIG slices among them.
	GPUs, Slices int
	// Restarts counts in-place restarts of the current pod plus earlier pods
	// of this rank.
	Restarts int
	// Since is when the state began, zero when unknown.
	Since time.Time
	// Attempts are all known runs of this rank, oldest first, the current one
	// last.
	Attempts []Attempt
}

// ShortName is the rank as people name it, "worker-0".
func (r *Rank) ShortName() string {
	return strings.ToLower(r.Role) + "-" + strconv.Itoa(r.RoleIndex)
}

// RoleName is the role with the place in it, "Worker 0"; "" without a role.
func (r *Rank) RoleName() string {
	if r.Role == "" {
		return ""
	}
	return r.Role + " " + strconv.Itoa(r.RoleIndex)
}

// PodRef is the reference to the pod that holds the rank, the zero Ref when none does.
func (r *Rank) PodRef() Ref {
	if r.Pod == "" {
		return Ref{}
	}
	return PodRef(r.Namespace, r.Pod, r.PodUID)
}

// HasLivePod reports whether a pod of the rank exists and has not ended.
func (r *Rank) HasLivePod() bool {
	switch r.State {
	case RankMissing, RankSucceeded, RankFailed, RankLost:
		return false
	}
	return r.Pod != ""
}

// LivePods counts the ranks of a job whose pods exist and have not ended, those of them
// that are being deleted, and the accelerators that those with a node hold, with the MIG
// slices among them.
func (j *Job) LivePods() (pods, ending, gpus, slices int) {
	for i := range j.Ranks {
		r := &j.Ranks[i]
		if !r.HasLivePod() {
			continue
		}
		pods++
		if r.State == RankTerminating {
			ending++
		}
		if r.Node != "" {
			gpus, slices = gpus+r.GPUs, slices+r.Slices
		}
	}
	return pods, ending, gpus, slices
}

// RankState is one word for the state of a rank.
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

// Attempt is one run of a rank: a pod, or one instance of its container.
type Attempt struct {
	Pod, PodUID, Node string
	// Bound is when the pod got its node, whose devices it holds from then on; zero
	// when unknown, and in attempts of one pod after the first.
	Bound time.Time
	// InPlace is true when the kubelet restarted the container in the same pod.
	InPlace           bool
	Started, Finished time.Time
	// ExitCode is nil while it runs and when unknown.
	ExitCode *int
	Reason   string // "OOMKilled", "Error", "Evicted", ...
}
