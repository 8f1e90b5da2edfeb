package kube

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// servedKinds are the resources that were found by discovery. What follows them
// sets them, and an action looks them up.
type servedKinds struct {
	mu    sync.Mutex
	found map[schema.GroupKind]resource
}

func newServedKinds() *servedKinds {
	return &servedKinds{found: map[schema.GroupKind]resource{}}
}

// set keeps where a kind is served, nil for one that is served no more.
func (s *servedKinds) set(kind schema.GroupKind, r *resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r == nil {
		delete(s.found, kind)
		return
	}
	s.found[kind] = *r
}

// resourceOf finds where a kind is served: by what is followed, else by
// asking the server (a Deployment above a job, a Workflow).
func (s *servedKinds) resourceOf(ctx context.Context, c *connection, kind schema.GroupKind) (resource, error) {
	s.mu.Lock()
	known, found := s.found[kind]
	s.mu.Unlock()
	if found {
		return known, nil
	}
	inGroup := func(gv schema.GroupVersion) bool { return gv.Group == kind.Group }
	all, err := discover(ctx, c, inGroup)
	if err != nil {
		return resource{}, fmt.Errorf("asking which kinds are served: %w", err)
	}
	if kind.Group == "" {
		all.addVersion(ctx, c, schema.GroupVersion{Version: "v1"})
	}
	gvk, as, served := all.preferred(kind)
	if !served {
		return resource{}, fmt.Errorf("the cluster does not serve %s", kind)
	}
	return resource{kind: kind, gvr: gvk.GroupVersion().WithResource(as.resource), clusterScoped: as.clusterScoped}, nil
}
