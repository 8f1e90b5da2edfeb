package store

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Event is one thing that a source says. The set is closed: what cannot be
// said with these cannot be recorded or replayed either.
type Event interface{ event() }

// Set says that an object exists and how it looks now. The store keeps the
// object; nobody may change it afterwards.
type Set struct {
	Kind   schema.GroupKind
	Object kinds.Object
}

// Deleted says that an object is gone. UID may be "" when the source does not
// know it; a UID that differs from the stored object's is ignored, since that
// object is a later one of the same name.
type Deleted struct {
	Kind            schema.GroupKind
	Namespace, Name string
	UID             string
}

// Listed says that these are all objects of a kind, in one namespace or (with
// Namespace "") in all. Objects of that kind and place which are not in it
// are gone, so a source that was cut off leaves no phantoms behind when it
// lists again. From then on an object that is not there is known to be absent.
type Listed struct {
	Kind      schema.GroupKind
	Namespace string
	Objects   []kinds.Object
}

// Unwatched says that a kind is no longer read (its CRD was removed, the
// rights to it were lost, another namespace is watched now): its objects
// leave the store, and whether one exists is unknown again.
type Unwatched struct {
	Kind      schema.GroupKind
	Namespace string
}

// HealthChanged says how a source is doing. The newest word for each
// Health.Source stands; an empty State takes the source out of the list.
type HealthChanged struct{ Health train.Health }

// Clock pins the time of every later snapshot to an instant. Files use it:
// the ages in a dump of last week are as of last week. The zero time unpins.
type Clock struct{ Now time.Time }

// Logged says what a log printed: lines in order, and what they mean. A line
// with the number of the newest one known replaces it (a progress bar).
type Logged struct {
	Stream train.StreamID
	Lines  []train.LogLine
	// Open is true when the last of Lines is not complete: more of it will come.
	Open    bool
	Samples []train.Sample
	Marks   []train.Mark
	// Hints is nil when nothing new is known of the run's length.
	Hints *train.ProgressHints
	// Hits are what lines say about causes of failure.
	Hits []train.LogHit
}

// StreamChanged says how a log is doing. An empty State takes the log, with
// all that is kept of it, out of the store.
type StreamChanged struct {
	Stream train.StreamID
	Status train.StreamStatus
	// Restart drops what is kept of the log: it is read again from the
	// beginning (its file was truncated, more of it was asked for).
	Restart bool
	// Rank and Job belong to a log file that is no known pod's: the rank
	// that its name or a person told (-1 when nobody did), and what files of
	// one run have in common ("" for a run of its own). They make a job of
	// log files alone.
	Rank int
	Job  string
}

func (Set) event()           {}
func (Logged) event()        {}
func (StreamChanged) event() {}
func (Deleted) event()       {}
func (Listed) event()        {}
func (Unwatched) event()     {}
func (HealthChanged) event() {}
func (Clock) event()         {}
