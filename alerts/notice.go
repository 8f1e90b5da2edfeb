package alerts

import (
	"context"
	"time"
)

// Change is what happened to an incident.
type Change string

// The changes. Each is one notice.
const (
	Opened   Change = "opened"
	Updated  Change = "updated"
	Repeated Change = "repeated" // it is still open after the rule's repeat interval
	Resolved Change = "resolved"
	// Test is no change: a person asked for a message that shows that a receiver
	// works.
	Test Change = "test"
)

// Notice is one message about an incident.
type Notice struct {
	// ID is the same when a notice is sent again after a failure, so that a
	// receiver can drop the second: incident, change and count of changes.
	ID      string    `json:"id"`
	Change  Change    `json:"change"`
	At      time.Time `json:"at"`
	Cluster string    `json:"cluster"` // the kubeconfig context or a configured name
	// Reach are the flags with which traintop reaches the cluster or the files, as
	// part of a command line.
	Reach    string   `json:"reach,omitempty"`
	Incident Incident `json:"incident"`
}

// StandardOutput is the name of standard output among receivers: it is not sent to,
// and gets the notices of each rule.
const StandardOutput = "-"

// Receiver is where notices are sent.
type Receiver interface {
	// Name is the configured name, for messages.
	Name() string
	// Send sends one notice once. It returns when the receiver took or refused
	// it, or ctx ended. The error names no secret: no URL path, no token. A
	// *RetryError reports that and when it is worth another try; any other error
	// is final.
	Send(ctx context.Context, n Notice) error
}

// RetryError is a failure to send that may pass: no connection, HTTP 429 or
// 5xx, a receiver's own rate limit.
type RetryError struct {
	Err error
	// After is how long the receiver asked to wait, 0 when it named no time.
	After time.Duration
}

// Error implements error.
func (e *RetryError) Error() string { return e.Err.Error() }

// Unwrap implements errors.
func (e *RetryError) Unwrap() error { return e.Err }
