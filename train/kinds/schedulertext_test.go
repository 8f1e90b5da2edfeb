package kinds

import "testing"

// Messages of kube-scheduler 1.36.3, 1.18 and Volcano 1.10.
func TestSchedulerTextsPutTheMostNodesFirst(t *testing.T) {
	f := func(message, want string) {
		t.Helper()
		if got := shortenScheduler(message); got != want {
			t.Errorf("%q\nbecomes %q\nwant    %q", message, got, want)
		}
	}
	f("0/21 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 19 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/21 nodes are available",
		"0/21 nodes are available: 19 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.")
	f("0/4 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 3 Insufficient nvidia.com/gpu.",
		"0/4 nodes are available: 3 Insufficient nvidia.com/gpu, 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate.")
	f(`0/6 nodes are available: persistentvolumeclaim "coco" not found. not found`, `0/6 nodes are available: persistentvolumeclaim "coco" not found.`)
	f("pod group is not ready, 4 Pending, 4 minAvailable", "pod group is not ready, 4 Pending, 4 minAvailable")
	f("", "")
}
