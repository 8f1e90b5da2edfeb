package prometheus

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// TestStatesQuoteNoSecrets: a proxy may answer 403 with the request that it refused.
func TestStatesQuoteNoSecrets(t *testing.T) {
	token := strings.Repeat("aB3dE6gH", 6)
	var said train.Health
	newHealthReporter(time.Now, func(h train.Health) { said = h }).report(SourceName, train.Health{State: train.SourceForbidden, Text: "refused: Authorization: Bearer " + token}, 0)
	if strings.Contains(said.Text, token) || !strings.HasPrefix(said.Text, "refused") {
		t.Errorf("it says %q", said.Text)
	}
}

// A server may quote the headers that the settings add, whatever their names are.
func TestStatesQuoteNoHeaders(t *testing.T) {
	endpoint, err := (&Settings{URL: "http://127.0.0.1:9090", Headers: map[string]Secret{"X-Gateway-Key": "k3Xw9LmQ2pR8vT", "X-Scope-OrgID": "team"}}).Endpoint()
	if err != nil {
		t.Fatal(err)
	}
	var said train.Health
	teller := newHealthReporter(time.Now, func(h train.Health) { said = h })
	teller.secrets = endpoint.secrets
	teller.report(SourceName, train.Health{State: train.SourceFailed, Text: "bad request: X-Gateway-Key=k3Xw9LmQ2pR8vT of the team"}, 0)
	if said.Text != "bad request: X-Gateway-Key=<redacted:credentials> of the team" {
		t.Errorf("it says %q", said.Text)
	}
}
