package actions

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Entry is one line of the record of what was changed.
type Entry struct {
	At time.Time
	// Context and Server say which cluster; User is who, "" where unknown.
	Context, Server, User string
	// Verb is what was done: "delete", "shell", "copy to".
	Verb   string
	Object train.Ref
	// What says it in one line, secrets masked: "patch spec.suspend=true".
	What string
	// Result is what became of it: Asked before it is tried, Done, Failed.
	Result Result
	// Error says why it failed, "" when it did not.
	Error string
}

// Result is what became of a change.
type Result string

const (
	Asked  Result = "asked"
	Done   Result = "done"
	Failed Result = "failed"
)

// Recorder keeps entries. An error means that the entry is not kept.
type Recorder interface {
	Record(e Entry) error
}
