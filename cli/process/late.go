package process

import (
	"context"
	"time"
)

// LateGrace is how long a command that only prints an answer may go on after it
// was interrupted: what it computes looks at no context, and may be large.
const LateGrace = 2 * time.Second

// EndLate calls end where a command has not ended within a grace after its
// context did. Stop is to be called when the command ended.
func EndLate(ctx context.Context, grace time.Duration, end func()) (stop func()) {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case <-ended:
		case <-late.C:
			end()
		}
	}()
	return func() { close(ended) }
}
