package kube

import (
	"time"

	"github.com/traintop/traintop/actions"
)

// Actor acts in a cluster: it changes, edits and copies, runs commands, forwards
// ports and reviews rights.
type Actor struct {
	connection *connection
	now        func() time.Time
	served     *servedKinds
}

var _ actions.Actor = (*Actor)(nil)

// newActor acts through a connection. Kinds that served does not have are
// looked up in the cluster.
func newActor(c *connection, now func() time.Time, served *servedKinds) *Actor {
	return &Actor{connection: c, now: now, served: served}
}
