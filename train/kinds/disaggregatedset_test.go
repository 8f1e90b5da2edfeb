package kinds

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestDisaggregatedSet(t *testing.T) {
	jobs := readCluster(t, "testdata/objects/disaggregatedset-slices.yaml").jobs()
	if len(jobs) != 1 {
		t.Fatalf("got %s", rows(jobs))
	}
	got := ""
	for _, r := range jobs[0].Roles {
		got += fmt.Sprintf("%s %d/%d; ", r.Name, r.Ready, r.Wanted)
	}
	if want := "prefill 4/4; decode-leader 1/2; decode-worker 1/2; "; got != want {
		t.Errorf("roles are %s, want %s", got, want)
	}
	if jobs[0].GPUs != 4+2*4+2*8 {
		t.Errorf("it wants %d GPUs", jobs[0].GPUs)
	}
	sizes := map[string]setRole{"decode": {groups: 4, size: 3, perSlice: 2}, "prefill": {groups: 4, size: 1, perSlice: 2}}
	for _, c := range []struct{ role, slice, group, worker, want string }{
		{"decode", "1", "0", "0", "decode-leader 2"},
		{"decode", "1", "1", "2", "decode-worker 7"},
		{"decode", "", "0", "1", "decode-worker 0"},
		{"prefill", "1", "1", "0", "prefill 3"},
		{"prefill", "1", "1", "", "prefill -1"},
		{"other", "0", "0", "0", "other -1"},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{
			"disaggregatedset.x-k8s.io/role": c.role, "disaggregatedset.x-k8s.io/slice": c.slice,
			"leaderworkerset.sigs.k8s.io/group-index": c.group, "leaderworkerset.sigs.k8s.io/worker-index": c.worker,
		}}}
		if at := setPosition(pod, sizes); fmt.Sprintf("%s %d", at.role, at.index) != c.want {
			t.Errorf("%v: at %s %d", c, at.role, at.index)
		}
	}
}
