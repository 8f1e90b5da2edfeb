package diagnose

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestTheExplainingFindingIsFirst checks that a text about a queue without room for a gang
// names the queue first, and that a text about the gang alone names the gang.
func TestTheExplainingFindingIsFirst(t *testing.T) {
	const gang = "  Warning  Unschedulable  18s (x12 over 29s)  volcano  1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable\n"
	for text, want := range map[string]train.Cause{
		gang: "gang-not-ready",
		gang + "  Normal   Unschedulable  17s (x13 over 29s)  volcano  resource in cluster is overused\n":                                                                    "queue-quota-exceeded",
		gang + "  Warning  FailedCreate  17s  job-controller  Error creating: pods \"a-0\" is forbidden: exceeded quota: q, requested: cpu=8, used: cpu=8, limited: cpu=8\n": "resource-quota-exceeded",
	} {
		found := ofLog(t, text).Findings
		if len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s\n got %v, want %s", text, found, want)
		}
	}
}
