package wait

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func TestHealthOfSourcesIsSaidOnceForAChange(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	lost := train.Health{Source: "kube", State: train.SourceRetrying, Text: "https://c does not answer: connection refused"}
	refused := train.Health{Source: "kube/events", State: train.SourceForbidden, Text: "listing events was refused"}
	live := train.Health{Source: "kube", State: train.SourceLive}
	var s SourceHealth
	for i, step := range []struct {
		health []train.Health
		want   string
	}{
		{[]train.Health{live}, ""},
		{[]train.Health{lost}, "kube: https://c does not answer: connection refused; the wait goes on with what was read before"},
		{[]train.Health{{Source: "kube", State: train.SourceRetrying, Text: "in other words"}}, ""},
		{[]train.Health{{Source: "kube", State: train.SourceConnecting}}, ""},
		{[]train.Health{lost, refused}, "kube/events: listing events was refused; the wait goes on with what was read before"},
		{[]train.Health{live, refused}, "kube: is read again, after 40s"},
		{[]train.Health{live}, "kube/events: is read again, after 20s"},
		{[]train.Health{live}, ""},
	} {
		if got := strings.Join(s.Changes(step.health, now.Add(time.Duration(i)*10*time.Second)), "\n"); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

// A kind that the cluster serves no longer is not read again.
func TestAKindThatIsWithdrawnIsNotReadAgain(t *testing.T) {
	var s SourceHealth
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	of := func(state train.SourceState) []train.Health {
		return []train.Health{{Source: "kube/pytorchjobs.kubeflow.org", State: state, Text: "could not find the requested resource"}}
	}
	s.Changes(of(train.SourceRetrying), at)
	if got := s.Changes(of(train.SourceAbsent), at.Add(2*time.Second)); len(got) != 1 || !strings.Contains(got[0], "serves it no longer") {
		t.Errorf("it says %q", got)
	}
	if got := s.Changes(of(train.SourceAbsent), at.Add(4*time.Second)); len(got) != 0 {
		t.Errorf("it says again %q", got)
	}
}
