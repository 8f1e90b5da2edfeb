package kube

import (
	"context"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/kube/tables"
	"github.com/traintop/traintop/train/apitable"
)

// Resources are all that the server serves.
func (c *Cluster) Resources(ctx context.Context) (*apitable.Catalog, error) {
	catalog, err := tables.Discover(client.WithoutLogs(ctx), c.connection)
	if err == nil {
		c.served.Remember(tables.Known(catalog))
		if report := c.report.Load(); report != nil {
			report.withoutVerbs(catalog.WithoutVerbs())
		}
	}
	return catalog, err
}

// FollowTable lists and watches a resource until ctx ends, and hands out its table
// after every change. Where all namespaces may not be listed it reads the namespace in
// use.
func (c *Cluster) FollowTable(ctx context.Context, listing apitable.Listing, apply func(*apitable.Table)) {
	tables.Follow(ctx, c.connection, listing, c.Namespace(), apply)
}
