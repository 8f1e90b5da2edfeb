package client

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ServedKinds are the resources found by discovery. The planner sets them, and
// actions look them up.
type ServedKinds struct {
	mu    sync.Mutex
	found map[schema.GroupKind]Resource
}

func NewServedKinds() *ServedKinds {
	return &ServedKinds{found: map[schema.GroupKind]Resource{}}
}

// Set records where a kind is served; nil removes it.
func (s *ServedKinds) Set(kind schema.GroupKind, r *Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r == nil {
		delete(s.found, kind)
		return
	}
	s.found[kind] = *r
}

// ResourceOf returns where a kind is served: from discovery's results, else by
// asking the server (a Deployment above a job, a Workflow).
func (s *ServedKinds) ResourceOf(ctx context.Context, c *Connection, kind schema.GroupKind) (Resource, error) {
	s.mu.Lock()
	known, found := s.found[kind]
	s.mu.Unlock()
	if found {
		return known, nil
	}
	inGroup := func(gv schema.GroupVersion) bool { return gv.Group == kind.Group }
	all, err := Discover(ctx, c, inGroup)
	if err != nil {
		return Resource{}, fmt.Errorf("asking which kinds are served: %w", err)
	}
	if kind.Group == "" {
		all.addVersion(ctx, c, schema.GroupVersion{Version: "v1"})
	}
	gvk, as, served := all.preferred(kind)
	if !served {
		return Resource{}, fmt.Errorf("the cluster does not serve %s", kind)
	}
	return Resource{Kind: kind, Gvr: gvk.GroupVersion().WithResource(as.resource), ClusterScoped: as.clusterScoped}, nil
}
