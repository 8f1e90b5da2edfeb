package train

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

// StreamID identifies one log: the output of one container instance, or one
// log file. It is comparable, so it can be the key of a map.
type StreamID struct {
	Namespace, Pod, UID, Container string
	// Restart distinguishes the instances of a container, by the kubelet's
	// restart count: 0 is the first.
	Restart int
	// File is the path of a file that the log was read from, "" for a log of a
	// live cluster. A file that is known to be a pod's log has both.
	File string
}

// String returns the name of the log for users: "pod/container",
// "pod/container#2", or a path.
func (s StreamID) String() string {
	if s.Pod == "" {
		return s.File
	}
	text := s.Pod + "/" + s.Container
	if s.Restart > 0 {
		text += fmt.Sprintf("#%d", s.Restart)
	}
	return text
}

// Base returns the last element of the file's path, "" without a file.
func (s StreamID) Base() string {
	if s.File == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(s.File, `\`, "/"))
}

// previousFile is the name of a file with the log of the container instance before, as
// people keep what `kubectl logs --previous` gives: rank2-previous.log, bert.log.prev.
var previousFile = regexp.MustCompile(`(?i)(?:^|[-_./\\])(?:previous|prev)(?:[-_.]insecure)?(?:\.[a-z0-9]{1,8}){0,3}$`)

// Previous reports whether the file's name states that the log is of the container
// instance before the newest.
func (s StreamID) Previous() bool { return s.File != "" && previousFile.MatchString(s.File) }

// CompareStreams orders by namespace, pod, UID, container, container instance,
// file.
func CompareStreams(a, b StreamID) int {
	// one after the other, not cmp.Or: trees of logs compare all the time
	if order := strings.Compare(a.Namespace, b.Namespace); order != 0 {
		return order
	}
	if order := strings.Compare(a.Pod, b.Pod); order != 0 {
		return order
	}
	if order := strings.Compare(a.UID, b.UID); order != 0 {
		return order
	}
	if order := strings.Compare(a.Container, b.Container); order != 0 {
		return order
	}
	if order := cmp.Compare(a.Restart, b.Restart); order != 0 {
		return order
	}
	return strings.Compare(a.File, b.File)
}

// LogLine is one line of a log, as far as it has been printed.
type LogLine struct {
	// Number counts \n from 1 at the beginning of what was read of the log.
	// Where reading began in the middle (StreamStatus.Partial) it counts from
	// there.
	Number int64
	// Time is the container runtime's, or one found in front of the line in a
	// file; zero when unknown.
	Time time.Time
	// Text is safe for a terminal: valid UTF-8 without control bytes or escape
	// sequences other than colours (SGR); a tab is kept. Of a line that is
	// redrawn with carriage returns it is the newest state.
	Text string
	// Cut counts bytes that were dropped at the end of a line too long.
	Cut int
}

// StreamState is the state of a log.
type StreamState string

const (
	StreamWaiting   StreamState = "waiting"   // the container has not started
	StreamOpening   StreamState = "opening"   // requested, no data yet
	StreamLive      StreamState = "live"      // followed
	StreamRetrying  StreamState = "retrying"  // disconnected; requested again at Retry
	StreamEnded     StreamState = "ended"     // read to its end: the container ended, the file is read
	StreamForbidden StreamState = "forbidden" // may not be read
	StreamGone      StreamState = "gone"      // the pod, its node or the file no longer exists; what was read stays
	StreamFailed    StreamState = "failed"    // cannot be read for another reason
	StreamStopped   StreamState = "stopped"   // no longer requested; what was read stays
)

// BrokenLine is a line on which a parser broke, by a bug.
type BrokenLine struct {
	// Number is that of the line, from 1 on.
	Number int64
	// Why is what broke, one short line without control characters.
	Why string
	// Before counts such lines between the one before and this one, of which no more
	// is kept.
	Before int64
}

// StreamStatus is the status of one log, as its source reports it.
type StreamStatus struct {
	State StreamState
	// Text describes what was tried, what happened and what to do; "" while
	// all is well.
	Text string
	// Since is when the state began; of a followed log that still catches up with
	// what was printed before, when it last brought such lines.
	Since time.Time
	// Retry is when it is retried; zero when it is not.
	Retry time.Time
	// Partial is true when reading began after the beginning of the log.
	Partial bool
	// LacksAt is the number of the newest line at which the log itself says that lines
	// are missing there, as Text quotes; 0 for none.
	LacksAt int64
	// Behind is by how much the clock that its times are of is behind that of the
	// source, as lines show which arrive as they are printed: below 0 ahead, 0 for
	// clocks that agree within seconds and where none arrived yet.
	Behind time.Duration
	// ClocksDiffer is by how much the clocks of this machine and of the API server
	// differ, while Behind is not known: which of them that of the log agrees with.
	ClocksDiffer time.Duration
}

// Printed returns when a line was printed by the clock of the source, of whose time at is
// one: zero stays zero.
func (s *StreamStatus) Printed(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(s.Behind)
}

// StreamSettles is how long older lines may still arrive after a log was
// opened, or after the last of them: until then its newest line may be an old one, and the absence of a
// newer one means nothing.
const StreamSettles = 10 * time.Second

// Settled reports whether silence of the log means anything.
func (s *StreamStatus) Settled(now time.Time) bool {
	return s.Since.IsZero() || now.Sub(s.Since).Abs() >= StreamSettles
}
