package jobrows

import "testing"

func TestReasonsBeginWithWhatTells(t *testing.T) {
	f := func(reason, want string) {
		t.Helper()
		if got := short(reason); got != want {
			t.Errorf("%q\nbecomes %q\nwant    %q", reason, got, want)
		}
	}
	f("worker-0 and 1 more: 0/21 nodes are available: 19 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable.",
		"worker-0 +1: 19 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable.")
	f("worker-3: 0/6 nodes are unavailable: 6 Insufficient nvidia.com/gpu.", "worker-3: 6 Insufficient nvidia.com/gpu.")
	f("couldn't assign flavors to pod set master: insufficient unused quota for nvidia.com/gpu in flavor a100, 4 more needed",
		"insufficient unused quota for nvidia.com/gpu in flavor a100, 4 more needed")
	f("master-0 and 1 more: ImagePullBackOff: registry.example.com/ml/dpo:v0.9.1: not found", "master-0 +1: ImagePullBackOff: registry.example.com/ml/dpo:v0.9.1: not found")
	f("worker-1: exit code 1", "worker-1: exit code 1")
	f("", "")
}
