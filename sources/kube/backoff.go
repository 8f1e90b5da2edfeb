package kube

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff doubles from first to most, each delay shortened by up to a half at
// random so that many clients do not come back in the same instant.
type backoff struct{ first, most, current time.Duration }

func newBackoff(first, most time.Duration) *backoff {
	return &backoff{first: first, most: most, current: first}
}

func (b *backoff) next() time.Duration {
	delay := b.current
	b.current = min(b.current*2, b.most)
	return delay/2 + rand.N(delay/2+1)
}

func (b *backoff) reset() { b.current = b.first }

// sleep returns early, with false, when ctx ends.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
