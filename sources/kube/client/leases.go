package client

import (
	"fmt"

	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// Leases is a client for Leases, over the connections of everything else.
func (c *Connection) Leases() (coordination.LeasesGetter, error) {
	leases, err := coordination.NewForConfigAndClient(c.Upgraded.Load(), c.http)
	if err != nil {
		return nil, fmt.Errorf("preparing the client for Leases of %s: %w", c.Address, err)
	}
	return leases, nil
}
