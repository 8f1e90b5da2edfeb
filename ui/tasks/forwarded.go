package tasks

import (
	"context"
	"slices"
	"sync"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/views"
)

// Forwards are the ports that are forwarded now, whatever is on the screen. One
// that starts while they are being ended is closed at once.
type Forwards struct {
	host  *Host
	mu    sync.Mutex
	all   []*forwarding
	last  int // ID of the one begun last
	round int // grows with each end
	ended bool
	// closing are those that are being closed.
	closing sync.WaitGroup
}

// forwarding is one of them. ctx ends with it.
type forwarding struct {
	actions.Forwarding
	id   int
	port actions.Port
	ctx  context.Context //nolint:containedctx // the wait for its changes ends with it
	stop context.CancelFunc
}

// begun is the current round, for a forward that is about to start.
func (f *Forwards) begun() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.round
}

// add keeps one, unless all were ended since its round.
func (f *Forwards) add(ctx context.Context, round int, port actions.Port, of actions.Forwarding) *forwarding {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended || round != f.round {
		f.closing.Go(of.Close)
		return nil
	}
	f.last++
	made := &forwarding{Forwarding: of, id: f.last, port: port}
	made.ctx, made.stop = context.WithCancel(ctx)
	f.all = append(f.all, made)
	return made
}

// States are their states, in the order in which they began.
func (f *Forwards) States() []views.Forwarded {
	f.mu.Lock()
	defer f.mu.Unlock()
	var states []views.Forwarded
	for _, one := range f.all {
		states = append(states, views.Forwarded{ID: one.id, Port: one.port, State: one.State()})
	}
	return states
}

// remove ends those with these IDs, without waiting for their connections.
func (f *Forwards) remove(ids []int) (removed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = slices.DeleteFunc(f.all, func(one *forwarding) bool {
		if !slices.Contains(ids, one.id) {
			return false
		}
		removed++
		one.stop()
		f.closing.Go(one.Close)
		return true
	})
	return removed
}

// EndAll ends all forwards, and those about to start.
func (f *Forwards) EndAll() int {
	f.mu.Lock()
	f.round++
	var ids []int
	for _, one := range f.all {
		ids = append(ids, one.id)
	}
	f.mu.Unlock()
	return f.remove(ids)
}

// Close ends them all for good, and waits until they are closed.
func (f *Forwards) Close() {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
	f.EndAll()
	f.closing.Wait()
}
