package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// A user with rights to one namespace gets the finding that the scheduler's
// message allows; causes that need nodes are unknown, and the missing right is
// named.
func TestDiagnosisWithRightsToOneNamespace(t *testing.T) {
	t.Parallel()
	p := newPlace(t, &provocation{name: "one-namespace", cause: "insufficient-gpu", nodes: 1, evidence: []string{"Insufficient nvidia.com/gpu"}})
	p.make = func(p *place) error { return p.apply(batchJob{pod: onPool, container: asksGPUs(64)}.String()) }
	must(t, p.provoke())
	kubeconfig := roleUser(t, "diagnosing-one-namespace", p.namespace())
	var answer *diagnosisJSON
	for deadline := time.Now().Add(time.Minute); ; {
		answer = diagnoseCommand(t, kubeconfig, "train")
		err := p.isFound(answer.findings(p.job()))
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v\n%+v", err, answer)
		}
	}
	result := map[train.Cause]string{}
	for _, check := range answer.Checks {
		if check.Result == "unknown" {
			result[check.Cause] = check.Why
		}
	}
	for _, cause := range []train.Cause{"device-plugin-missing", "node-unschedulable", "untolerated-taint"} {
		if why := result[cause]; !strings.Contains(why, "nodes: the right to list them is missing") {
			t.Errorf("%s is unknown because %q, want the right to list nodes named", cause, why)
		}
	}
	if !slices.ContainsFunc(answer.Problems, func(problem struct{ Source, Text string }) bool {
		return strings.HasPrefix(problem.Source, "kube/nodes") && strings.Contains(problem.Text, "forbidden")
	}) {
		t.Errorf("no problem says that nodes may not be listed: %+v", answer.Problems)
	}
}
