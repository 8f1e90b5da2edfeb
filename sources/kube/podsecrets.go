package kube

import (
	"sync"
	"sync/atomic"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// podSecrets notices by the health of pods when the secrets that they declare are
// known: all pods that may be read were listed once.
type podSecrets struct {
	known atomic.Bool

	mu     sync.Mutex
	states map[string]train.SourceState // by source
	listed map[string]bool              // the sources that were live once
}

// masking returns a sink that masks what came before the pods once these are known.
func (p *podSecrets) masking(late *eventmask.Late) sources.Sink {
	return sinkFunc(func(events ...store.Event) {
		for _, event := range events {
			if e, is := event.(store.HealthChanged); is && e.Health.Group == kinds.PodKind.Group && e.Health.Resource == podsResource {
				p.look(e.Health, late)
			}
		}
		late.Apply(events...)
	})
}

// podsResource is the plural of kinds.PodKind.
const podsResource = "pods"

func (p *podSecrets) look(h train.Health, late *eventmask.Late) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.states == nil {
		p.states, p.listed = map[string]train.SourceState{}, map[string]bool{}
	}
	if p.states[h.Source] = h.State; h.State == "" {
		delete(p.states, h.Source)
	}
	if h.State == train.SourceLive {
		p.listed[h.Source] = true
	}
	known := len(p.states) > 0
	for source, state := range p.states {
		known = known && state.Settled() && (state != train.SourceRetrying || p.listed[source])
	}
	if known != p.known.Load() {
		late.SetKnown(known)
		p.known.Store(known)
	}
}
