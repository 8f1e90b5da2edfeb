package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// pollEvery is short beside the seconds that a control plane takes to start.
const pollEvery = 100 * time.Millisecond

// helperTimeout bounds one wait of a helper whose caller set no closer limit. Real
// controllers back off for most of a minute after the API server was away.
const helperTimeout = 3 * time.Minute

// stopPolling is an error that trying again cannot cure.
type stopPolling struct{ error }

func (s stopPolling) Unwrap() error { return s.error }

// poll tries until it succeeds or the context ends, and then returns the last
// error.
func poll(ctx context.Context, try func(context.Context) error) error {
	for {
		err := try(ctx)
		if err == nil || errors.As(err, &stopPolling{}) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w; last: %w", ctx.Err(), err)
		case <-time.After(pollEvery):
		}
	}
}

func (c *ControlPlane) poll(ctx context.Context, try func(context.Context) error) error {
	return c.Wait(ctx, helperTimeout, try)
}

// Wait tries until it succeeds, the time is over or a program of the control
// plane has failed. The API server may be down, since tests stop it.
func (c *ControlPlane) Wait(ctx context.Context, atMost time.Duration, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	return poll(ctx, func(ctx context.Context) error {
		for _, p := range append([]*process{c.etcd}, c.others...) {
			if p.hasEnded() {
				return stopPolling{p.failed()}
			}
		}
		return try(ctx)
	})
}
