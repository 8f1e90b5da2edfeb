package watchloop

import (
	"testing"
	"time"

	"github.com/traintop/traintop/sources/kube"
)

// TestTheLeaseEndsByTheClock, by that of the computer and by the monotonic one.
func TestTheLeaseEndsByTheClock(t *testing.T) {
	l := &Loop{}
	if l.holdsLease() {
		t.Error("a Lease that was never taken is held")
	}
	for _, c := range []struct {
		at    time.Time
		holds bool
	}{
		{time.Now(), true},
		{time.Now().Add(-kube.LeaseHolds / 2), true},
		{time.Now().Add(-kube.LeaseHolds), false},
		{time.Now().Round(0).Add(-kube.LeaseHolds), false}, // as after a suspend
	} {
		l.renewed.Store(&c.at)
		if holds := l.holdsLease(); holds != c.holds {
			t.Errorf("%s ago: %t", time.Since(c.at), holds)
		}
	}
}
