package actions

import (
	"context"

	"github.com/traintop/traintop/train"
)

// Verb is what a request does to an object, as RBAC calls it.
type Verb string

const (
	Delete Verb = "delete"
	Patch  Verb = "patch"
	Create Verb = "create"
	Update Verb = "update"
)

// Propagation says what becomes of what an object owns, in the words of the
// API server's propagationPolicy.
type Propagation string

const (
	Background Propagation = "Background" // deleted after it, which is the preset
	Foreground Propagation = "Foreground" // deleted before it
	Orphan     Propagation = "Orphan"     // left running
)

// Request is one change asked of the API server.
type Request struct {
	Verb Verb
	// Ref is the object; with a UID an object that took its name since is
	// left alone. For Create it is the object that Subresource belongs to
	// (an eviction's pod) or that is made.
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
	// DryRun asks the server to check everything and change nothing.
	DryRun bool
	// Strict has fields refused that the server does not know; otherwise it
	// drops them without a word.
	Strict bool
}

// Access is a right that something needs.
type Access struct {
	Verb        Verb // also "get", "list"
	Group, Kind string
	Subresource string
	Namespace   string // "" for cluster-scoped objects
	Name        string
}

// Verdict is what an access review answers.
type Verdict struct {
	Allowed bool
	// Unknown is true when nobody could be asked; what is refused is refused
	// then when it is tried.
	Unknown bool
	// Reason says who refuses and which right is missing, in one line.
	Reason string
}

// Access is the right that the request needs.
func (r Request) Access() Access {
	return Access{Verb: r.Verb, Group: r.Ref.Group, Kind: r.Ref.Kind, Subresource: r.Subresource, Namespace: r.Ref.Namespace, Name: r.Ref.Name}
}

// Changer changes a cluster.
type Changer interface {
	// Allowed reviews rights; the verdicts stand in the order of the question.
	Allowed(ctx context.Context, wanted []Access) []Verdict
	// Change carries out a request and returns the object as it is after it
	// (JSON; nil for Delete). Its errors are *Failure.
	Change(ctx context.Context, r Request) ([]byte, error)
}
