package kube

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// TestStatesQuoteNoSecrets: a proxy may answer 403 with the request that it refused.
func TestStatesQuoteNoSecrets(t *testing.T) {
	token := strings.Repeat("aB3dE6gH", 6)
	var said train.Health
	r := newReporter(sinkFunc(func(events ...store.Event) { said = events[0].(store.HealthChanged).Health }), time.Now, "https://cluster")
	r.mu.Lock()
	r.say(train.Health{Source: "pods", State: train.SourceForbidden, Text: "listing pods was refused: Authorization: Bearer " + token + " has no access"})
	r.mu.Unlock()
	if strings.Contains(said.Text, token) || !strings.HasPrefix(said.Text, "listing pods was refused") {
		t.Errorf("it says %q", said.Text)
	}
}
