package store

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Snapshot is the state of the cluster at one instant. It never changes and
// may be read from any goroutine. The result of a method belongs to it:
// callers must not change it.
type Snapshot struct {
	// Now is the time of the snapshot: ages are measured from it. It can go
	// back, when a source pins it.
	Now time.Time
	// Sequence counts the snapshots of one store: the later of two has the
	// larger number.
	Sequence uint64
	// JobsVersion, NodesVersion, EventsVersion and HealthVersion change when
	// what they name changed, so that a reader can cache what it derives.
	// ObjectsVersion changes with any object, LogsVersion with any log,
	// GPUsVersion with any reading of a GPU and with who holds a measured one,
	// UsageVersion with any usage of CPU, memory and network.
	JobsVersion, NodesVersion, EventsVersion, HealthVersion, ObjectsVersion, LogsVersion, GPUsVersion, UsageVersion uint64
	// DroppedEvents counts cluster events that MaxEvents pushed out.
	DroppedEvents int

	tables       map[schema.GroupKind]*table
	children     index
	onNode       index
	holders      uidHolders // as objectState's
	eventsOldest tree[string, key]
	gone         gonePods

	jobs    tree[string, *train.Job] // by jobOrder
	jobByID tree[train.JobID, *train.Job]
	jobList []*train.Job
	// topOf maps an object's path to the job it belongs to.
	topOf tree[string, train.JobID]
	// uses maps the path of an object that was looked up to the jobs that
	// looked it up; usedBy is the inverse.
	uses    index
	usedBy  tree[train.JobID, []string]
	deleted *deletedJobs
	// waiting are stubs held back until every source gave its first response.
	waiting tree[train.JobID, train.Ref]

	// workloads are the Workloads of Kueue that wait, by path.
	workloads tree[string, waitingWorkload]
	// placed are the places that Kueue gave; they hold until placedUntil, when the
	// first answer is too old. counted is true while places of others are computed.
	placed      map[placedQueue]*placedPlaces
	placedUntil time.Time
	counted     bool

	nodes    tree[string, *train.Node]
	nodeList []*train.Node
	totals   train.GPUTotals

	health  []train.Health
	settled bool

	logs logTables

	gpus  gpuTables
	usage usageTables
}

func emptySnapshot() *Snapshot {
	return &Snapshot{
		tables:   map[schema.GroupKind]*table{},
		children: newIndex(), onNode: newIndex(), holders: newUIDHolders(), eventsOldest: newTree[string, key](), gone: newGonePods(),
		jobs: newTree[string, *train.Job](), jobByID: newTree[train.JobID, *train.Job](), topOf: newTree[string, train.JobID](),
		uses: newIndex(), usedBy: newTree[train.JobID, []string](), waiting: newTree[train.JobID, train.Ref](),
		workloads: newTree[string, waitingWorkload](),
		nodes:     newTree[string, *train.Node](),
		logs:      logTables{versions: newTree[train.JobID, logsVersion](), fileJobs: newTree[train.JobID, *train.Job]()},
		gpus:      gpuTables{nodes: newTree[string, *nodeGPUs](), at: newTree[train.GPUID, string](), jobs: newTree[train.JobID, gpuJob]()},
	}
}

// Jobs returns all jobs, in order of namespace, name and kind.
func (s *Snapshot) Jobs() []*train.Job { return s.jobList }

// Job returns the job with this ID, nil when there is none. It also returns what LonePod
// and PodSet name, and what DeletedJobs returns.
func (s *Snapshot) Job(id train.JobID) *train.Job {
	job, found := mapOf(s.jobByID).Get(id)
	if !found {
		job, found = mapOf(s.logs.fileJobs).Get(id)
	}
	switch {
	case !found && IsLonePod(id):
		return lonePod(s, id)
	case !found && IsPodSet(id):
		return podSet(s, id)
	case !found && IsDeletedJob(id):
		return deletedJob(s, id)
	}
	return job
}

// JobOf returns the job that an object belongs to, nil when it belongs to none.
func (s *Snapshot) JobOf(kind schema.GroupKind, namespace, name string) *train.Job {
	id, found := mapOf(s.topOf).Get(path(kind, keyOf(namespace, name)))
	if !found {
		return nil
	}
	return s.Job(id)
}

// Nodes returns all nodes in order of name.
func (s *Snapshot) Nodes() []*train.Node { return s.nodeList }

// Node returns a node by name, nil when there is none.
func (s *Snapshot) Node(name string) *train.Node {
	node, _ := mapOf(s.nodes).Get(name)
	return node
}

// GPUs sums the accelerators of all nodes.
func (s *Snapshot) GPUs() train.GPUTotals { return s.totals }

// PodsOn calls visit with the pods bound to a node, in order of namespace and name.
func (s *Snapshot) PodsOn(node string, visit func(*corev1.Pod) bool) {
	pods := s.tables[kinds.PodKind]
	if pods == nil {
		return
	}
	s.onNode.each(node, func(at string) bool {
		o, _ := mapOf(pods.rows).Get(at)
		pod, isPod := o.(*corev1.Pod)
		return !isPod || visit(pod)
	})
}

// Pod returns a pod, nil when there is none.
func (s *Snapshot) Pod(namespace, name string) *corev1.Pod {
	o, _ := s.Object(kinds.PodKind, namespace, name)
	pod, _ := o.(*corev1.Pod)
	return pod
}

// Object looks up an object. Absent means that it is known not to exist.
func (s *Snapshot) Object(kind schema.GroupKind, namespace, name string) (kinds.Object, train.Presence) {
	t := s.tables[kind]
	if t == nil {
		return nil, train.Unknown
	}
	return t.find(namespace, name)
}

// Objects calls visit with the objects of a kind in a namespace ("" for all),
// in order of namespace and name, until it returns false.
func (s *Snapshot) Objects(kind schema.GroupKind, namespace string, visit func(kinds.Object) bool) {
	if t := s.tables[kind]; t != nil {
		t.in(namespace, visit)
	}
}

// Count returns how many objects of a kind there are.
//
//go:noinline
func (s *Snapshot) Count(kind schema.GroupKind) int {
	if t := s.tables[kind]; t != nil {
		return mapOf(t.rows).Len()
	}
	return 0
}

// Complete reports whether a source has listed a kind completely, in all
// namespaces or in the given one, and no object was left out: only then is a
// missing object known to be absent.
func (s *Snapshot) Complete(kind schema.GroupKind, namespace string) bool {
	t := s.tables[kind]
	return t != nil && t.complete(namespace)
}

// Partial reports whether a source lists a kind in some namespaces and not in
// all: objects elsewhere are not observed. Objects from files are never
// listed.
func (s *Snapshot) Partial(kind schema.GroupKind) bool {
	t := s.tables[kind]
	return t != nil && len(t.listed) > 0 && !t.listed[""]
}

// Events calls visit with all events, the most informative first: those that
// are not Normal from the newest to the oldest, then the Normal ones likewise.
func (s *Snapshot) Events(visit func(*corev1.Event) bool) {
	events := s.tables[kinds.EventKind]
	if events == nil {
		return
	}
	mapOf(s.eventsOldest).Reverse(func(_ string, at key) bool {
		o, _ := mapOf(events.rows).Get(at)
		event, isEvent := o.(*corev1.Event)
		return !isEvent || visit(event)
	})
}

// EventsAbout returns the events about one object, oldest first.
func (s *Snapshot) EventsAbout(r train.Ref) []*corev1.Event {
	return ownership{s}.eventsAbout(pathOfRef(r), r.UID)
}

// EventsOf returns the events about a job: the object itself, what it owns
// and its pods, oldest first.
func (s *Snapshot) EventsOf(job *train.Job) []*corev1.Event {
	m := ownership{s}.collect(job.Ref)
	all := m.events
	for _, pod := range m.pods {
		all = append(all, ownership{s}.eventsAbout(path(kinds.PodKind, keyOf(pod.Namespace, pod.Name)), string(pod.UID))...)
	}
	slices.SortStableFunc(all, byEventTime)
	return all
}

// Below returns the objects that a job owns, nearest first, without its pods.
func (s *Snapshot) Below(job *train.Job) []kinds.Object {
	var below []kinds.Object
	for _, o := range (ownership{s}).collect(job.Ref).below {
		below = append(below, o)
	}
	return below
}

// Health returns the state that the sources report of themselves, in order of
// name.
func (s *Snapshot) Health() []train.Health { return s.health }

// Settled reports whether every source has given its first response,
// successful or not: from then on an object that is not there is missing, not
// late.
func (s *Snapshot) Settled() bool { return s.settled }
