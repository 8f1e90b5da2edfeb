package cli

import (
	"context"

	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/ui"
)

var _ ui.ResourceReader = (*liveCluster)(nil)

// Resources implements ui.ResourceReader.
func (l *liveCluster) Resources(ctx context.Context) (*apitable.Catalog, error) {
	return l.cluster().Resources(ctx)
}

// FollowTable implements ui.ResourceReader.
func (l *liveCluster) FollowTable(ctx context.Context, scope apitable.Scope, apply func(*apitable.Table)) {
	l.cluster().FollowTable(ctx, scope, apply)
}
