package actions

import (
	"context"

	"github.com/traintop/traintop/train"
)

// Verb is what a request does to an object, in the words of RBAC.
type Verb string

const (
	Delete Verb = "delete"
	Patch  Verb = "patch"
	Create Verb = "create"
	Update Verb = "update"
)

// Propagation decides what happens to the objects that an object owns: the API server's
// propagationPolicy.
type Propagation string

const (
	Background Propagation = "Background" // owned objects are deleted after it, the default
	Foreground Propagation = "Foreground" // owned objects are deleted before it
	Orphan     Propagation = "Orphan"     // owned objects keep running
)

// Request is one change for the API server.
type Request struct {
	Verb Verb
	// Ref is the object; with a UID, another object with the same name is not
	// changed. For Create it is the object of Subresource (an eviction's pod) or
	// the new object.
	Ref         train.Ref
	Subresource string // "scale", "eviction", "ephemeralcontainers"; "" for none
	// PatchType is the media type of a Patch's Body:
	// application/merge-patch+json, application/json-patch+json,
	// application/strategic-merge-patch+json.
	PatchType string
	Body      []byte // JSON
	// Propagation and Grace (seconds, nil for the object's own) are for Delete.
	Propagation Propagation
	Grace       *int64
	// DryRun asks the server to validate everything and change nothing.
	DryRun bool
	// Strict makes the server reject unknown fields; otherwise it silently drops
	// them.
	Strict bool
}

// Access is a right that an action needs.
type Access struct {
	Verb        Verb // also "get", "list"
	Group, Kind string
	Subresource string
	Namespace   string // "" for cluster-scoped objects
	Name        string
}

// Verdict is the answer of an access review.
type Verdict struct {
	Allowed bool
	// Unknown is true if the review failed; then a missing right shows only when
	// the action is tried.
	Unknown bool
	// Reason names who refuses and which right is missing, in one line.
	Reason string
}

// Access is the right that the request needs.
func (r Request) Access() Access {
	return Access{Verb: r.Verb, Group: r.Ref.Group, Kind: r.Ref.Kind, Subresource: r.Subresource, Namespace: r.Ref.Namespace, Name: r.Ref.Name}
}

// Changer changes a cluster.
type Changer interface {
	// Allowed reviews rights; the verdicts are in the order of wanted.
	Allowed(ctx context.Context, wanted []Access) []Verdict
	// Change executes a request and returns the object after it (JSON; nil for
	// Delete). Its errors are *Failure.
	Change(ctx context.Context, r Request) ([]byte, error)
}
