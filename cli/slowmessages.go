package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// quietFor is how long a command may work without a message.
const quietFor = 10 * time.Second

// sayWhenSlow writes what a command waits for, as returned by what, each time
// another quietFor has passed. It ends with stop, after which it writes no more.
func (s *session) sayWhenSlow(what func() string) (stop func()) {
	if s.say == nil {
		return func() {}
	}
	done := make(chan struct{})
	var saying sync.WaitGroup
	saying.Go(func() {
		ticks := time.NewTicker(quietFor)
		defer ticks.Stop()
		for passed := quietFor; ; passed += quietFor {
			select {
			case <-done:
				return
			case <-ticks.C:
				s.say(fmt.Sprintf("still waiting after %s for %s; what does not come in time is left out and named", passed, what()))
			}
		}
	})
	return func() {
		close(done)
		saying.Wait()
	}
}

// mostWaitedFor bounds how many sources one message names.
const mostWaitedFor = 6

// waitedFor names the sources that gave no answer yet.
func waitedFor(snapshot *store.Snapshot) string {
	var names []string
	for _, h := range snapshot.Health() {
		if !h.State.Settled() {
			names = append(names, nameOfSource(h))
		}
	}
	if len(names) == 0 {
		return "the cluster"
	}
	return termtext.Few(names, mostWaitedFor)
}

func nameOfSource(h train.Health) string {
	if h.Resource == "" {
		return h.Source
	}
	return strings.TrimSuffix(h.Resource+"."+h.Group, ".")
}
