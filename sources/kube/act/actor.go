package act

import (
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// Actor acts on a cluster: it changes, edits and copies, runs commands,
// forwards ports and reviews rights.
type Actor struct {
	connection *client.Connection
	now        func() time.Time
	served     *client.ServedKinds
}

var _ actions.Actor = (*Actor)(nil)

// NewActor returns an Actor that uses a connection. It looks up kinds missing
// from served in the cluster.
func NewActor(c *client.Connection, now func() time.Time, served *client.ServedKinds) *Actor {
	return &Actor{connection: c, now: now, served: served}
}
