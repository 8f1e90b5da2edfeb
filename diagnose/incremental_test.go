package diagnose

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A chain of runs gives the same result as a fresh run, whatever happened
// between the snapshots: to pods, nodes, events, objects that rules look up,
// or time.
func TestAChainOfRunsSaysWhatAFreshRunSays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	now := noon
	st := store.New(func() time.Time { return now })
	c := newCluster(t)
	for n := range 6 {
		c.node(fmt.Sprintf("gpu-%d", n), 8)
	}
	c.job(4, runs)
	for r := range 4 {
		c.worker(r, running(fmt.Sprintf("gpu-%d", r), 9))
	}
	for _, kind := range c.listed {
		st.Apply(store.Listed{Kind: kind})
	}
	st.Apply(c.events...)
	report := Run(st.Snapshot(), Options{}, nil)
	found := map[train.Cause]bool{}
	for step := range 300 {
		mutate(random, st, c, step)
		if random.IntN(4) == 0 {
			now = now.Add(time.Duration(random.IntN(120)) * time.Second)
		}
		s := st.Snapshot()
		before := report.Version()
		report = Run(s, Options{}, report)
		fresh := Run(s, Options{}, nil)
		for _, id := range fresh.Jobs() {
			got, want := report.Job(id), fresh.Job(id)
			if diff := cmp.Diff(want.Findings, got.Findings); diff != "" {
				t.Fatalf("step %d: findings of the chain differ (-fresh +chain):\n%s", step, diff)
			}
			if diff := cmp.Diff(want.Checks, got.Checks); diff != "" {
				t.Fatalf("step %d: checks of the chain differ (-fresh +chain):\n%s", step, diff)
			}
			for _, f := range want.Findings {
				found[f.Cause] = true
			}
		}
		if report.Version() < before {
			t.Fatalf("version went back from %d to %d", before, report.Version())
		}
	}
	if len(found) < 8 {
		t.Errorf("the chain met only %v", found)
	}
}

// mutate changes one thing of the cluster.
func mutate(random *rand.Rand, st *store.Store, c *cluster, step int) {
	first := len(c.events)
	rank, node := random.IntN(4), fmt.Sprintf("gpu-%d", random.IntN(6))
	name := fmt.Sprintf("bert-worker-%d", rank)
	switch random.IntN(12) {
	case 0:
		c.worker(rank, running(node, 5))
	case 1:
		c.worker(rank, unschedulable("0/6 nodes are available: 6 Insufficient nvidia.com/gpu."))
	case 2:
		c.worker(rank, crashing(node, 137, "OOMKilled", "", int32(step)))
	case 3:
		c.worker(rank, on(node), waits("ImagePullBackOff", `Back-off pulling image "x": ErrImagePull: manifest unknown`))
	case 4:
		c.node(node, 8, []func(*corev1.Node){cordon, silent, withTaint("dedicated", "x"), labelled("a", "b")}[random.IntN(4)])
	case 5:
		c.holder(node, 1+random.IntN(8))
	case 6:
		c.event("Pod", name, "Normal", "Preempted", "Preempted by pod x on node y", 1)
	case 7:
		c.worker(rank, mounts("data"), unschedulable(`0/6 nodes are available: persistentvolumeclaim "data" not found.`))
	case 8:
		c.claim("data", []corev1.PersistentVolumeClaimPhase{corev1.ClaimBound, corev1.ClaimPending, corev1.ClaimLost}[random.IntN(3)], "fast")
	case 9:
		c.worker(rank, on(node), func(p *corev1.Pod) {
			p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "hub"}}}}
		})
	case 10:
		st.Apply(store.Deleted{Kind: kinds.PodKind, Namespace: ns, Name: name})
		c.event("PyTorchJob", "bert", "Warning", "FailedCreatePod", forbidden+"exceeded quota: gpus, requested: pods=1, used: pods=4, limited: pods=4", 0.1)
	case 11:
		meta := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "hub", Namespace: ns}}
		if random.IntN(2) == 0 {
			st.Apply(store.Set{Kind: rule.SecretKind, Object: meta})
		} else {
			st.Apply(store.Deleted{Kind: rule.SecretKind, Namespace: ns, Name: "hub"})
		}
	}
	st.Apply(c.events[first:]...)
	c.events = c.events[:first]
}

// The same holds while logs grow, stop and continue, with no object changing.
func TestAChainOfRunsFollowsLogs(t *testing.T) {
	now := noon.Add(-2 * time.Hour)
	st := store.New(func() time.Time { return now })
	c := newCluster(t)
	c.trained(3)
	st.Apply(c.events...)
	c.events = nil
	logs := []*rankWriter{c.log(0), c.log(1), c.log(2)}
	report := Run(st.Snapshot(), Options{}, nil)
	found := map[train.Cause]int{}
	look := func(minute int) {
		st.Apply(c.events...)
		c.events = nil
		now = noon.Add(time.Duration(minute-120) * time.Minute)
		s := st.Snapshot()
		report = Run(s, Options{}, report)
		fresh := Run(s, Options{}, nil)
		for _, id := range fresh.Jobs() {
			if diff := cmp.Diff(fresh.Job(id).Findings, report.Job(id).Findings); diff != "" {
				t.Fatalf("minute %d: findings of the chain differ (-fresh +chain):\n%s", minute, diff)
			}
			for _, f := range fresh.Job(id).Findings {
				found[f.Cause]++
			}
		}
	}
	for minute := 1; minute <= 110; minute++ {
		silent := minute > 30 && minute <= 50
		for _, l := range logs {
			for ; !silent && l.now.Before(noon.Add(time.Duration(minute-120)*time.Minute)); l.step++ {
				l.now = runtime.Later(l.now, noon.Add(time.Duration(minute-121)*time.Minute)).Add(5 * time.Second)
				if minute > 90 {
					l.one(always(train.MetricLoss, math.NaN()))
				} else {
					l.one()
				}
			}
		}
		look(minute)
	}
	if found["hang-no-output"] < 10 || found["hang-no-output"] > 20 || found["nan-loss"] < 15 || len(found) != 2 {
		t.Errorf("found %v", found)
	}
}
