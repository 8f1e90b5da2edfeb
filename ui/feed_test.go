package ui

import (
	"context"
	"testing"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
)

// sink keeps the events of a source.
type sink struct{ events []store.Event }

func (s *sink) Apply(events ...store.Event) { s.events = append(s.events, events...) }

// eventsOf are the events of the fixture, in order.
func eventsOf(t testing.TB) []store.Event {
	t.Helper()
	s := &sink{}
	if err := dump.New([]string{"testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s.events
}
