package train

import (
	"strings"
	"time"
)

// Health is what a source says about itself. One source may report several,
// one for each thing it reads ("kube", "kube/pods").
type Health struct {
	// Source names it for people and for the JSON "problems": "kube/pods".
	Source string
	State  SourceState
	// Text says what was tried, what happened and what to do; "" while all is well.
	Text  string
	Since time.Time
	// Retry is when it tries again; zero when it does not or is trying now.
	Retry time.Time

	// Verb, Resource and Namespace (or "" for all) name what was refused, or
	// what the source reads. Group completes Resource.
	Verb, Group, Resource, Namespace string
}

// LeftOut ends the name of a source that says of a list that objects of it
// could not be used: "kube/pods/left-out".
const LeftOut = "/left-out"

// LeavesOut reports whether this says that objects of a list are left out.
func (h *Health) LeavesOut() bool {
	return h.State == SourceFailed && strings.HasSuffix(h.Source, LeftOut)
}

// SourceState is one word for a source.
type SourceState string

const (
	SourceConnecting SourceState = "connecting" // no answer yet
	SourceListing    SourceState = "listing"    // first answer under way
	SourceLive       SourceState = "live"       // complete and following
	SourceRetrying   SourceState = "retrying"   // was or will be live; trying again at Retry
	SourceForbidden  SourceState = "forbidden"  // may not be read: unknown, not absent
	SourceAbsent     SourceState = "absent"     // the cluster does not have it (CRD not installed)
	SourceRead       SourceState = "read"       // files, read to the end
	SourceFailed     SourceState = "failed"     // cannot be read and is not tried again
)

// ClusterSource names in health the question which cluster answers behind the
// address. It is there for a while when that has become another one.
const ClusterSource = "kube/cluster"

// Settled reports whether a first answer, good or bad, has been given.
func (s SourceState) Settled() bool { return s != SourceConnecting && s != SourceListing }

// Trouble reports whether a person should know.
func (s SourceState) Trouble() bool {
	return s == SourceRetrying || s == SourceForbidden || s == SourceFailed
}

// Presence is the answer of a look-up: a thing is there, is not there, or
// nobody could look.
type Presence uint8

const (
	Unknown Presence = iota
	Absent
	Present
)
