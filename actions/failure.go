package actions

import "fmt"

// Failure is why an action failed, in one line that helps a person: what was tried,
// what happened, what to do next.
type Failure struct {
	Kind FailureKind
	Text string
	// Cause is the underlying error, nil for none.
	Cause error
}

// FailureKind distinguishes the failures that callers handle differently.
type FailureKind string

const (
	Forbidden  FailureKind = "forbidden"   // the API server refuses; Text names the missing right
	Gone       FailureKind = "gone"        // the object no longer exists, or another one has its name
	NotRunning FailureKind = "not running" // the container has not started or has ended
	NoProgram  FailureKind = "no program"  // the container has no such binary
	Lost       FailureKind = "lost"        // the connection broke during the action
	TooLate    FailureKind = "too late"    // it did not end within its deadline
	Cancelled  FailureKind = "cancelled"   // a person or the end of the program stopped it
	Conflict   FailureKind = "conflict"    // the object changed meanwhile
	Exists     FailureKind = "exists"      // what would be made is there already
	Invalid    FailureKind = "invalid"     // the API server rejects it
	Other      FailureKind = "other"
)

func (f *Failure) Error() string { return f.Text }

// Unwrap is the underlying error.
func (f *Failure) Unwrap() error { return f.Cause }

// ExitError is a command's exit code other than 0.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d", e.Code) }
