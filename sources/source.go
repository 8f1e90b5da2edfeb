// Package sources is the contract between the sources of events about a cluster
// (the API server, files, a recording) and the store.
//
// A source turns what it reads into store events and knows nothing about
// screens. It reports its own health as events. Its failure is a state on the
// screen and never ends the program.
package sources

import (
	"context"

	"github.com/traintop/traintop/store"
)

// Sink receives the events of sources, in order. *store.Store is one; a recording
// is another. Many goroutines may call Apply, which never blocks for long.
type Sink interface {
	Apply(events ...store.Event)
}

// Source feeds a sink until its context ends.
type Source interface {
	// Run blocks. It returns nil when the context ended or everything was
	// read, and an error only when no retry can help (a wrong flag, no readable
	// file). It reports temporary failures as health and retries.
	Run(ctx context.Context, sink Sink) error
}
