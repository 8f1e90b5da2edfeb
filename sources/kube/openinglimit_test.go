package kube

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
)

// TestUpgradeIsBounded: a server that accepts the request for a terminal and
// never answers is abandoned, even if the transport ignores deadlines.
func TestUpgradeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(deaf)
		began := time.Now()
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://cluster.example/exec", http.NoBody)
		_, err := (&client.Upgrading{Next: hung, Limits: client.Deadlines{Begin: client.OpenLimit}}).RoundTrip(request)
		if took := time.Since(began); !client.IsLate(err) || took > client.OpenLimit+client.AbandonAfter {
			t.Errorf("%v after %s", err, took)
		}
		close(hung)
		synctest.Wait()
	})
}
