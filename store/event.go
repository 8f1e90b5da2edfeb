package store

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Event is one message of a source. The set is closed: whatever these types
// cannot express cannot be recorded or replayed either.
type Event interface{ event() }

// Set adds or replaces an object. The store keeps the object; the caller must
// not change it afterwards.
type Set struct {
	Kind   schema.GroupKind
	Object kinds.Object
}

// Deleted removes an object. UID may be "" when the source does not know it; a
// UID that differs from the stored object's is ignored, since the stored
// object is then a later one of the same name.
type Deleted struct {
	Kind            schema.GroupKind
	Namespace, Name string
	UID             string
}

// Listed contains the keys of all objects of a kind, in one namespace or (with
// Namespace "") in all. The store drops other objects of that kind and
// namespace, so a source that reconnects and lists again leaves no stale
// objects. From then on an object that is not stored is known to be absent.
type Listed struct {
	Kind      schema.GroupKind
	Namespace string
	Objects   []kinds.Object
}

// Unwatched reports that a kind is no longer read (its CRD was removed, the
// rights to it were lost, another namespace is watched now): the store drops
// its objects, and whether one exists is unknown again.
type Unwatched struct {
	Kind      schema.GroupKind
	Namespace string
}

// HealthChanged reports the state of a source. The store keeps the newest for
// each Health.Source; an empty State removes the source from the list.
type HealthChanged struct{ Health train.Health }

// Clock pins the time of every later snapshot to an instant. Files use it:
// the ages in a dump of last week are as of last week. The zero time unpins.
type Clock struct{ Now time.Time }

// Logged contains lines that a log printed, in order, and what they mean. A
// line with the number of the newest known line replaces it (a progress bar).
type Logged struct {
	Stream train.StreamID
	Lines  []train.LogLine
	// Open is true when the last of Lines is incomplete: the rest will come.
	Open    bool
	Samples []train.Sample
	Marks   []train.Mark
	// Hints is nil when nothing new is known of the run's length.
	Hints *train.ProgressHints
	// Hits are the lines that matched signatures of causes.
	Hits []train.LogHit
	// Broken are the lines on which a parser broke, by a bug.
	Broken []train.BrokenLine
}

// StreamChanged reports the state of a log. An empty State removes the log,
// with all that is kept of it, from the store.
type StreamChanged struct {
	Stream train.StreamID
	Status train.StreamStatus
	// Restart drops what is kept of the log: the source reads it again from
	// the beginning (its file was truncated, or more of it was requested).
	Restart bool
	// Rotated is set, in place of Restart, where the file was emptied or replaced and what
	// is kept of the log stays, as in a recording.
	Rotated bool
	// Rank and Job are set for a log file that belongs to no known pod: the
	// rank from its name or from the user (-1 when unknown), and an identifier
	// shared by the files of one run ("" for a run of its own). Where Job is
	// the ID of a job that has the rank, the log is that rank's; other files
	// form a job without cluster objects.
	Rank int
	Job  string
}

// Placed contains the places of the Workloads that wait in one queue, as its
// system counts them. It replaces what was known of that queue, and holds for a
// few rounds of Every; with Every 0 nothing is known any more.
type Placed struct {
	// Namespace and Queue name a LocalQueue of Kueue, or with Namespace "" a
	// ClusterQueue.
	Namespace, Queue string
	At               time.Time
	Every            time.Duration
	Waiting          []WaitingPlace
}

// WaitingPlace is the place of one Workload.
type WaitingPlace struct {
	// Namespace and Workload name the Workload, Owner is the UID of the object
	// that it represents, "" where several own it.
	Namespace, Workload, Owner string
	// Place counts from 1 among all that wait in the ClusterQueue.
	Place int
}

func (Set) event()           {}
func (Placed) event()        {}
func (Logged) event()        {}
func (StreamChanged) event() {}
func (Deleted) event()       {}
func (Listed) event()        {}
func (Unwatched) event()     {}
func (HealthChanged) event() {}
func (Clock) event()         {}
