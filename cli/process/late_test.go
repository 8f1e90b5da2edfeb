package process

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestAnInterruptedCommandThatGoesOnIsEnded(t *testing.T) {
	for _, test := range []struct {
		name        string
		interrupted bool
		goesOn      time.Duration // after the interrupt
		want        bool
	}{
		{"ends in time", true, time.Second, false},
		{"goes on", true, time.Minute, true},
		{"is not interrupted", false, time.Minute, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				ended := false
				stop := EndLate(ctx, 2*time.Second, func() { ended = true })
				if test.interrupted {
					interrupt()
				}
				time.Sleep(test.goesOn)
				stop()
				synctest.Wait()
				if ended != test.want {
					t.Errorf("ended: %t, want %t", ended, test.want)
				}
			})
		})
	}
}
