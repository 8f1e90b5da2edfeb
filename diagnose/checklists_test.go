package diagnose

import (
	"slices"
	"testing"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

func TestChecksThatReadTheSameAreShared(t *testing.T) {
	l := newCheckLists()
	list := func(result train.CheckResult, why string) []train.Check {
		row := &l.begin()[1]
		row.Result, row.Why = result, why
		return l.keep()
	}
	passed, failed, again := list(train.CheckPass, "no event says so"), list(train.CheckFail, "no event says so"), list(train.CheckPass, "no event says so")
	if &passed[0] != &again[0] {
		t.Error("two lists that read the same are kept twice")
	}
	if passed[1].Result != train.CheckPass || failed[1].Result != train.CheckFail || len(passed) != len(causes) {
		t.Errorf("lists that differ are mixed up: %+v, %+v", passed[1], failed[1])
	}
	if other := list(train.CheckPass, "no status says so"); slices.Equal(other, passed) || other[1].Why != "no status says so" {
		t.Errorf("lists that differ in a word are one: %+v", other[1])
	}
}

// A thousand jobs that wait for the same thing share one list.
func TestJobsThatWaitForTheSameShareTheirChecks(t *testing.T) {
	c := newCluster(t)
	c.node("gpu-0", 8)
	for j := range 3 {
		first := len(c.events)
		c.job(1, runs)
		c.worker(0, unschedulable("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."), asks("nvidia.com/gpu", "16"))
		for _, e := range c.events[first:] {
			rename(e.(store.Set).Object, j)
		}
	}
	s := c.snapshot()
	r := Run(s, Options{}, nil)
	lists := map[*train.Check]bool{}
	for _, id := range r.Jobs() {
		if len(r.Job(id).Findings) == 0 {
			t.Fatalf("%s has no finding", id)
		}
		lists[&r.Job(id).Checks[0]] = true
	}
	if len(r.Jobs()) != 3 || len(lists) != 1 {
		t.Errorf("%d jobs hold %d lists", len(r.Jobs()), len(lists))
	}
}
