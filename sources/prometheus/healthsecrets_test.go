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
	newTeller(time.Now, func(h train.Health) { said = h }).report(SourceName, train.Health{State: train.SourceForbidden, Text: "refused: Authorization: Bearer " + token}, 0)
	if strings.Contains(said.Text, token) || !strings.HasPrefix(said.Text, "refused") {
		t.Errorf("it says %q", said.Text)
	}
}
