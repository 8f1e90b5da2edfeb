package cli

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/ui"
)

var _ ui.ResourceReader = (*liveCluster)(nil)

// Resources implements ui.ResourceReader.
func (l *liveCluster) Resources(ctx context.Context) (*apitable.Catalog, error) {
	return l.cluster().Resources(ctx)
}

// FollowTable implements ui.ResourceReader.
func (l *liveCluster) FollowTable(ctx context.Context, listing apitable.Listing, apply func(*apitable.Table)) {
	l.cluster().FollowTable(ctx, listing, apply)
}

// Object implements ui.ResourceReader.
func (l *liveCluster) Object(ctx context.Context, ref train.Ref) (map[string]any, error) {
	return l.cluster().Object(ctx, schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
}

// SecretValues implements ui.ResourceReader.
func (l *liveCluster) SecretValues(ctx context.Context, ref train.Ref) (map[string]string, error) {
	return l.cluster().SecretValues(ctx, ref.Namespace, ref.Name)
}

// FullManifest implements ui.FullManifester.
func (l *liveCluster) FullManifest(ctx context.Context, ref train.Ref) (string, error) {
	text, err := l.cluster().FullManifest(ctx, schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	return string(text), err
}
