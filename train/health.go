package train

import (
	"strconv"
	"strings"
	"time"
)

// Health is the state that a source reports of itself. One source may report
// several, one for each thing it reads ("kube", "kube/pods").
type Health struct {
	// Source is its name for users and for the JSON "problems": "kube/pods".
	Source string
	State  SourceState
	// Text describes what was tried, what happened and what to do; "" while
	// all is well.
	Text  string
	Since time.Time
	// Retry is when it retries; zero when it does not or is trying now.
	Retry time.Time

	// Verb, Resource and Namespace (or "" for all) name what was refused, or
	// what the source reads. Group completes Resource.
	Verb, Group, Resource, Namespace string
}

// LeftOut ends the name of a source which reports that objects of a list could
// not be used: "kube/pods/left-out".
const LeftOut = "/left-out"

// LeavesOut reports whether this is a report that objects of a list are left
// out.
func (h *Health) LeavesOut() bool {
	return h.State == SourceFailed && strings.HasSuffix(h.Source, LeftOut)
}

// SkippedIn is the source, in health, of the n-th note about what a source
// skipped on purpose: "file dump (skipped 1)". Its state is SourceRead.
func SkippedIn(source string, n int) string { return source + skipped + strconv.Itoa(n) + ")" }

const skipped = " (skipped "

// Skips reports whether this notes what a source skipped on purpose, and the
// name of that source.
func (h *Health) Skips() (source string, is bool) {
	at := strings.LastIndex(h.Source, skipped)
	if at < 0 || h.State != SourceRead || !strings.HasSuffix(h.Source, ")") {
		return "", false
	}
	return h.Source[:at], true
}

// Resources of the note in which a recording names the parts of logs that it was
// told to skip.
const (
	WholeLogs  = "logs"
	LinesAlone = "lines of logs"
)

// SkipsLines reports whether this notes that the lines of logs were not recorded, and
// whether nothing else of logs was.
func (h *Health) SkipsLines() (lines, all bool) {
	if _, is := h.Skips(); !is {
		return false, false
	}
	return h.Resource == LinesAlone || h.Resource == WholeLogs, h.Resource == WholeLogs
}

// SourceState is the state of a source.
type SourceState string

const (
	SourceConnecting SourceState = "connecting" // no response yet
	SourceListing    SourceState = "listing"    // first response under way
	SourceLive       SourceState = "live"       // complete and following
	SourceRetrying   SourceState = "retrying"   // was or will be live; retries at Retry
	SourceForbidden  SourceState = "forbidden"  // may not be read: unknown, not absent
	SourceAbsent     SourceState = "absent"     // the cluster does not have it (CRD not installed)
	SourceRead       SourceState = "read"       // files, read to the end
	SourceFailed     SourceState = "failed"     // cannot be read and is not retried
)

// ClusterSource is the source in health that reports which cluster answers at
// the address. It is present for a while after that has become another
// cluster.
const ClusterSource = "kube/cluster"

// ClockSource is the source in health that reports by how much this machine's clock
// differs from that of the API server.
const ClockSource = "kube/clock"

// GPUPastSource is the source in health that reports how reading the last hour of
// GPUs from a Prometheus goes. It is absent once that hour was read.
const GPUPastSource = "prometheus/last-hour"

// Settled reports whether a first response, good or bad, has arrived.
func (s SourceState) Settled() bool { return s != SourceConnecting && s != SourceListing }

// Trouble reports whether users should know.
func (s SourceState) Trouble() bool {
	return s == SourceRetrying || s == SourceForbidden || s == SourceFailed
}

// Presence is the result of a lookup: present, absent, or unknown.
type Presence uint8

const (
	Unknown Presence = iota
	Absent
	Present
)
