package actions

import (
	"context"

	"github.com/traintop/traintop/train"
)

// Editor changes an object by its YAML: Fetch, let a person edit the text, DryRun, show
// the difference, Apply. Its errors are *Failure: of kind Invalid if the text is wrong,
// and of kind Conflict if somebody else changed the object: fetch again then, and keep
// the person's text.
type Editor interface {
	// Fetch reads an object for editing. Secrets are refused.
	Fetch(ctx context.Context, ref train.Ref) (Draft, error)
	// DryRun asks the server for the result of an edited text on the current
	// object. It changes nothing.
	DryRun(ctx context.Context, d Draft, text []byte) (Proposal, error)
	// Apply applies the proposal if the object has not changed since; changes of
	// its status do not matter.
	Apply(ctx context.Context, p Proposal) error
}

// Draft is an object that was fetched for editing.
type Draft struct {
	// Ref names the object, with its UID.
	Ref train.Ref
	// Text is the YAML to edit, after a comment for the person. It lacks fields
	// that nobody edits (status, managedFields); secret values are masked.
	Text []byte
	// Masked counts the masked values. A mask that is not edited keeps its
	// secret value.
	Masked int
	// Object is the fetched JSON, without masks: do not show, store or record
	// it.
	Object []byte
}

// Proposal is the result that an edit would have.
type Proposal struct {
	// Request applies it; its body may contain secret values.
	Request Request
	// Unchanged is true if the text changes nothing.
	Unchanged bool
	// Changed are the fields that the edit sets or removes, as "spec.parallelism".
	Changed []string
	// Diff is a unified diff of the YAML before and after, including fields that
	// the server adds, with secret values masked.
	Diff string
	// Live is the object before the edit, as JSON, without masks: do not show,
	// store or record it.
	Live []byte
}
