package kube

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestUpgradeIsBounded: a server that takes the request for a terminal and
// never answers is given up, also where nothing hears of a deadline.
func TestUpgradeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(deaf)
		began := time.Now()
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://cluster.example/exec", http.NoBody)
		_, err := (&upgrading{hung, deadlines{begin: upgradeLimit}}).RoundTrip(request)
		if took := time.Since(began); !isLate(err) || took > upgradeLimit+abandonAfter {
			t.Errorf("%v after %s", err, took)
		}
		close(hung)
		synctest.Wait()
	})
}
