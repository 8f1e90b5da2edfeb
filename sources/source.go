// Package sources is the contract between what says something about a cluster
// (the API server, files, a recording) and the store.
//
// A source turns what it reads into store events and knows nothing about
// screens. It reports its own health as events, and a failure of it is a
// state on the screen, never the end of the program.
package sources

import (
	"context"

	"github.com/traintop/traintop/store"
)

// Sink takes what a source says, in order. *store.Store is one; a recording
// is another. Apply may be called from many goroutines and never blocks for long.
type Sink interface {
	Apply(events ...store.Event)
}

// Source feeds a sink until its context ends.
type Source interface {
	// Run blocks. It returns nil when the context ended or everything was
	// read, and an error only when it can never give more (a wrong flag, no
	// readable file); passing trouble is reported as health and retried.
	Run(ctx context.Context, sink Sink) error
}
