package kube

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
)

// scopes are the namespaces in which one resource is read besides the one in
// use, each by its own reflector.
type scopes struct {
	follower *follower
	ctx      context.Context

	mu sync.Mutex
	// inUse is read by the follower itself.
	inUse   string
	wanted  []string
	running map[string]*following
	refused map[string]bool
}

func newScopes(ctx context.Context, f *follower) *scopes {
	return &scopes{follower: f, ctx: ctx, running: map[string]*following{}, refused: map[string]bool{}}
}

// want sets the namespaces to read.
func (s *scopes) want(names []string) {
	s.mu.Lock()
	s.wanted = names
	s.mu.Unlock()
	s.adjust()
	s.follower.report.onlyIn(s.follower.resource, s.read(), s.count())
}

// use leaves a namespace to the follower.
func (s *scopes) use(name string) {
	s.mu.Lock()
	s.inUse = name
	s.mu.Unlock()
	s.adjust()
}

// adjust starts and stops readers to match the wanted namespaces.
func (s *scopes) adjust() {
	s.mu.Lock()
	var ended []*following
	for name, running := range s.running {
		if name == s.inUse || !slices.Contains(s.wanted, name) {
			ended = append(ended, running)
			delete(s.running, name)
			delete(s.refused, name)
		}
	}
	for _, name := range s.wanted {
		if s.running[name] == nil && name != s.inUse && s.inUse != "" {
			s.running[name] = s.begin(name)
		}
	}
	s.mu.Unlock()
	for _, one := range ended {
		s.endOne(one)
		s.follower.sink.Apply(store.Unwatched{Kind: one.resource.Kind, Namespace: one.resource.Beside})
	}
}

// begin starts reading one namespace.
func (s *scopes) begin(name string) *following {
	f := *s.follower
	f.resource.Beside = name
	f.listed = func() { s.note(name, false) }
	ctx, stop := context.WithCancel(s.ctx)
	running := &following{resource: f.resource, stop: stop, done: make(chan struct{})}
	f.report.listing(f.resource, name)
	go func() {
		defer close(running.done)
		s.run(ctx, &f, name)
	}()
	return running
}

// run reads one namespace until ctx ends. It counts a refusal and does not
// report it: for 30 namespaces that would be 30 equal reports.
func (s *scopes) run(ctx context.Context, f *follower, name string) {
	for ctx.Err() == nil {
		_ = f.follow(ctx, name)
		if ctx.Err() != nil {
			return
		}
		f.sink.Apply(store.Unwatched{Kind: f.resource.Kind, Namespace: name})
		s.note(name, true)
		f.report.forget(f.resource)
		client.Sleep(ctx, rightsInterval)
	}
}

func (s *scopes) note(name string, refused bool) {
	s.mu.Lock()
	changed := s.refused[name] != refused
	s.refused[name] = refused
	s.mu.Unlock()
	if changed {
		s.follower.report.onlyIn(s.follower.resource, s.read(), s.count())
	}
}

// read returns the namespaces that are read besides the one in use.
func (s *scopes) read() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.running)) {
		if !s.refused[name] {
			names = append(names, name)
		}
	}
	return names
}

// count returns how many namespaces refused the resource.
func (s *scopes) count() (refused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, is := range s.refused {
		if is {
			refused++
		}
	}
	return refused
}

// end stops all reading, since all namespaces can be read at once, or nothing
// is read.
func (s *scopes) end() {
	s.mu.Lock()
	running := s.running
	s.running, s.refused, s.wanted = map[string]*following{}, map[string]bool{}, nil
	s.mu.Unlock()
	for _, one := range running {
		s.endOne(one)
	}
}

func (s *scopes) endOne(one *following) {
	one.end()
	s.follower.report.forget(one.resource)
}
