package outlets

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/alerts"
)

// dead is a receiver that takes a notice at the third try.
type dead struct{ tries int }

func (*dead) Name() string { return "team" }

func (d *dead) Send(context.Context, alerts.Notice) error {
	if d.tries++; d.tries < 3 {
		return &alerts.RetryError{Err: errors.New("connection refused")}
	}
	return nil
}

// A receiver that does not take notices is reported while it is tried again.
func TestAReceiverThatFailsIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		s := NewSender(&dead{}, time.Now, func(alerts.Notice, alerts.Delivery) {}, func(text string) { said = append(said, text) })
		s.Queue(alerts.Notice{ID: "1"})
		if unsent := s.sender.Close(t.Context()); len(unsent) > 0 {
			t.Errorf("%d notices are not sent", len(unsent))
		}
		want := []string{"team does not take notices: connection refused; each is tried again for 1 hour (traintop notify test team tries one)", "team answers again"}
		if !slices.Equal(said, want) {
			t.Errorf("said are %q, want %q", said, want)
		}
	})
}
