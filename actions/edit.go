package actions

import (
	"context"

	"github.com/traintop/traintop/train"
)

// Editor changes an object by its YAML: Fetch, let a person edit the text,
// DryRun, show the difference, Apply. Its errors are *Failure; of kind Invalid
// where the text is wrong, and of kind Conflict where somebody else changed
// what is edited: fetch again then, and keep the person's text.
type Editor interface {
	// Fetch reads an object for editing. Secrets and ConfigMaps are refused.
	Fetch(ctx context.Context, ref train.Ref) (Draft, error)
	// DryRun asks the server what an edited text would make of the object as it
	// is by now. Nothing is changed.
	DryRun(ctx context.Context, d Draft, text []byte) (Proposal, error)
	// Apply makes it so, if the object still is what the proposal was made for;
	// a status that went on meanwhile is no obstacle.
	Apply(ctx context.Context, p Proposal) error
}

// Draft is an object as it was read for editing.
type Draft struct {
	// Ref names the object, with its UID.
	Ref train.Ref
	// Text is the YAML to be edited, with a comment for the person above it. It
	// lacks what nobody edits (status, managedFields); secret values are masked.
	Text []byte
	// Masked counts the values that are masked. As long as they stay as they
	// are they keep their value.
	Masked int
	// Object is what was read, as JSON, without a mask: not to be shown, kept or
	// recorded.
	Object []byte
}

// Proposal is what an edit would do.
type Proposal struct {
	// Request carries it out; its body may hold secret values.
	Request Request
	// Unchanged is true when the text asks for nothing.
	Unchanged bool
	// Changed are the fields that the edit sets or removes, as "spec.parallelism".
	Changed []string
	// Diff is a unified difference of the YAML now and after, with everything
	// that the server adds, and with secret values masked.
	Diff string
	// Live is the object that the difference starts from, as JSON, without a
	// mask: not to be shown, kept or recorded.
	Live []byte
}
