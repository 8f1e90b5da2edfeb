package faults

import (
	"context"
	"time"
)

// when waits until something is true; false when ctx ended first.
func when(ctx context.Context, is func() bool) bool {
	for !is() {
		if !sleep(ctx, 20*time.Millisecond) {
			return false
		}
	}
	return true
}

func sleep(ctx context.Context, length time.Duration) bool {
	select {
	case <-time.After(length):
		return true
	case <-ctx.Done():
		return false
	}
}
