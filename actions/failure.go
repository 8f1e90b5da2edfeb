package actions

import "fmt"

// Failure is why something could not be done, in one line that a person can
// act on: what was tried, what happened, the way on.
type Failure struct {
	Kind FailureKind
	Text string
	// Cause is the error behind it, nil for none.
	Cause error
}

// FailureKind tells the sorts of failure apart that are handled differently.
type FailureKind string

const (
	Forbidden  FailureKind = "forbidden"   // the API server refuses; Text names the right that is missing
	Gone       FailureKind = "gone"        // no such object any more, or another one of its name
	NotRunning FailureKind = "not running" // the container has not started or has ended
	NoProgram  FailureKind = "no program"  // the container has no such binary
	Lost       FailureKind = "lost"        // the connection broke in the middle
	TooLate    FailureKind = "too late"    // it did not end within its deadline
	Cancelled  FailureKind = "cancelled"   // a person or the end of the program stopped it
	Conflict   FailureKind = "conflict"    // the object changed meanwhile
	Invalid    FailureKind = "invalid"     // the API server does not accept it
	Other      FailureKind = "other"
)

func (f *Failure) Error() string { return f.Text }

// Unwrap is the error behind it.
func (f *Failure) Unwrap() error { return f.Cause }

// ExitError says that a command ended with an exit code other than 0.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d", e.Code) }
