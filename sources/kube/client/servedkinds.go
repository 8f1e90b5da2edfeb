package client

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ServedKinds are the resources found by discovery. The planner sets them, and
// actions look them up.
type ServedKinds struct {
	mu    sync.Mutex
	found map[schema.GroupKind]Resource
	// asked are kinds that somebody looked up besides, or that a catalog named.
	asked map[schema.GroupKind]Resource
}

func NewServedKinds() *ServedKinds {
	return &ServedKinds{found: map[schema.GroupKind]Resource{}, asked: map[schema.GroupKind]Resource{}}
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

// Remember records where kinds are served that nobody reads all the time, so that
// they are not asked for at each action.
func (s *ServedKinds) Remember(kinds map[schema.GroupKind]Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.asked, kinds)
}

// Forget drops what was remembered of a kind: the server no longer knows it there.
func (s *ServedKinds) Forget(kind schema.GroupKind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, kind)
}

// ResourceOf returns where a kind is served: from discovery's results, else by
// asking the server (a Deployment above a job, a Workflow).
func (s *ServedKinds) ResourceOf(ctx context.Context, c *Connection, kind schema.GroupKind) (Resource, error) {
	s.mu.Lock()
	known, found := s.found[kind]
	if !found {
		known, found = s.asked[kind]
	}
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
	gvk, as, isServed := all.preferred(kind)
	if !isServed {
		return Resource{}, fmt.Errorf("the cluster does not serve %s", kind)
	}
	served := Resource{Kind: kind, Gvr: gvk.GroupVersion().WithResource(as.resource), ClusterScoped: as.clusterScoped}
	s.Remember(map[schema.GroupKind]Resource{kind: served})
	return served, nil
}
