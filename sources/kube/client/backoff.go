package client

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff doubles from first to most. It shortens each delay by up to a half
// at random, so that many clients do not retry at the same instant. Each user
// has its own times, where it calls NewBackoff.
type Backoff struct{ first, most, current time.Duration }

func NewBackoff(first, most time.Duration) *Backoff {
	return &Backoff{first: first, most: most, current: first}
}

func (b *Backoff) Next() time.Duration {
	delay := b.current
	b.current = min(b.current*2, b.most)
	return delay/2 + rand.N(delay/2+1)
}

func (b *Backoff) Reset() { b.current = b.first }

// Sleep returns early, with false, when ctx ends.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
