package signatures

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// TestFoldedMessages checks that a message which YAML wrote over several lines is
// scanned as one. The texts are from kubectl get -o yaml.
func TestFoldedMessages(t *testing.T) {
	f := func(text string, line int64, want ...train.Cause) {
		t.Helper()
		hits := scanned(text)
		if len(hits) != len(want) {
			t.Fatalf("%d hits %+v, want %q", len(hits), hits, want)
		}
		for i, hit := range hits {
			if hit.Cause != want[i] || i == 0 && hit.Line != line {
				t.Errorf("line %d %q: got %q want %q in line %d", hit.Line, hit.Text, hit.Cause, want[i], line)
			}
		}
	}
	// ComplianceAsCode/compliance-operator#633
	f(`  - lastTransitionTime: "2024-12-05T13:20:21Z"
    message: '0/6 nodes are available: 1 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized:
      true}, 2 node(s) had volume node affinity conflict, 3 node(s) had untolerated
      taint {node-role.kubernetes.io/master: }. preemption: 0/6 nodes are available: 6 Preemption
      is not helpful for scheduling.'
    reason: Unschedulable`, 2, "volume-node-affinity-conflict")
	f("  message: >-\n    0/5 nodes are available: 5 node(s) had volume\n    node affinity conflict.\n  reason: Unschedulable", 1, "volume-node-affinity-conflict")
	f("- message: \"0/5 nodes are available: 5 node(s) had volume \\\n    node affinity conflict.\"\n  reason: x", 1, "volume-node-affinity-conflict")
	f("    message: Back-off restarting\n      failed container\n    reason: CrashLoopBackOff", 1, "application-error", "application-error")
	f("  message: 'a quote that is never closed\n  reason: OOMKilled", 2, "oom-killed")
	f("  message: whole\n  reason: OOMKilled", 2, "oom-killed")
	f("  message: 'the node was low on resource: memory, and the text ends", 1)
	f("  message: |\n    Traceback (most recent call last):\n      File \"/a.py\", line 1, in f\n    torch.OutOfMemoryError: CUDA out of memory.", 4, "cuda-out-of-memory")
	f("message: 'The node was low on\n", 1)
	// wrapped when it was copied
	f("Warning FailedScheduling default-scheduler 0/1 nodes are available:\n1 node(s) didn't match Pod's\nnode affinity/selector.\nreason: OOMKilled", 1, "node-selector-mismatch", "oom-killed")
	f("  0/3 nodes are available: 3 node(s) had volume\nNormal  Killing", 1)
}

// TestMessageAtTheEnd checks that a message which ends with the text is scanned.
func TestMessageAtTheEnd(t *testing.T) {
	s := NewScanner(InAnyText)
	if hits := s.Line(3, time.Time{}, []byte("    message: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.")); len(hits) > 0 {
		t.Fatalf("told before it is known to be whole: %+v", hits)
	}
	hits := s.End()
	if len(hits) != 1 || hits[0].Cause != "insufficient-gpu" || hits[0].Line != 3 {
		t.Errorf("%+v", hits)
	}
}
