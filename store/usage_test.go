package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func used(of UsageOf, at time.Time, values map[train.UsageQuantity]float64) train.Usage {
	u := train.Usage{Node: of.Node, Namespace: of.Namespace, Pod: of.Pod, Container: of.Container, At: at}
	for q, value := range values {
		u.Values.Set(q, value)
	}
	return u
}

func usageLine(all ...*train.Usage) string {
	text := ""
	for _, u := range all {
		if u == nil {
			continue
		}
		text += u.Node + u.Container
		for q, name := range map[train.UsageQuantity]string{train.UsedCPU: " cpu=%g", train.UsedMemory: ""} {
			if value, known := u.Values.Get(q); known && name != "" {
				text += fmt.Sprintf(name, value)
			}
		}
		if value, known := u.Values.Get(train.UsedNetworkSent); known {
			text += fmt.Sprintf(" sent=%g", value)
		}
		text += ";"
	}
	return text
}

type usages = map[train.UsageQuantity]float64

func TestUsageOfTwoSources(t *testing.T) {
	c := newGPUClock()
	node := UsageOf{Node: "n0"}
	server := func(cpu float64) Used {
		return Used{Source: "metrics.k8s.io", Complete: true, Every: 30 * time.Second, Usage: []train.Usage{
			used(node, c.now, usages{train.UsedCPU: cpu}),
			used(UsageOf{Namespace: "ml", Pod: "bert-0", Container: "pytorch"}, c.now, usages{train.UsedCPU: cpu}),
			used(UsageOf{Namespace: "ml", Pod: "bert-0", Container: "istio"}, c.now, usages{train.UsedCPU: 1}),
			used(UsageOf{Namespace: "ml", Pod: "bert-01", Container: "other"}, c.now, usages{train.UsedCPU: 9}),
		}}
	}
	c.Apply(server(4), Used{Source: "prometheus", Every: 15 * time.Second, Usage: []train.Usage{
		used(node, c.now, usages{train.UsedCPU: 5, train.UsedNetworkSent: 7}),
		used(UsageOf{Namespace: "ml", Pod: "bert-0"}, c.now, usages{train.UsedNetworkSent: 8}),
	}})
	first := c.Snapshot()
	want := func(s *Snapshot, node, pod string) {
		t.Helper()
		if got := usageLine(s.NodeUsage("n0")); got != node {
			t.Errorf("the node is %s, want %s", got, node)
		}
		if got := usageLine(s.PodUsage("ml", "bert-0")...); got != pod {
			t.Errorf("the pod is %s, want %s", got, pod)
		}
	}
	want(first, "n0 cpu=4 sent=7;", " sent=8;istio cpu=1;pytorch cpu=4;")
	if u := first.NodeUsage("n0"); u.Every != 30*time.Second || first.NodeUsage("n1") != nil || first.PodUsage("ml", "bert") != nil {
		t.Errorf("it is told every %s", u.Every)
	}
	c.pass(100 * time.Second) // metrics.k8s.io is stale
	c.Apply(Used{Source: "prometheus", Every: 15 * time.Second, Usage: []train.Usage{used(node, c.now, usages{train.UsedCPU: 6})}})
	s := c.Snapshot()
	want(s, "n0 cpu=6;", " sent=8;istio cpu=1;pytorch cpu=4;")
	if s.UsageVersion == first.UsageVersion {
		t.Error("the version did not change")
	}
	c.pass(270 * time.Second) // and expired
	want(c.Snapshot(), "", "")
	c.Apply(server(3), Used{Source: "metrics.k8s.io", Complete: true, Every: 30 * time.Second, Usage: []train.Usage{used(node, c.now, usages{train.UsedCPU: 2})}})
	want(c.Snapshot(), "n0 cpu=2;", "")
	want(first, "n0 cpu=4 sent=7;", " sent=8;istio cpu=1;pytorch cpu=4;")
}

func TestThePastOfUsage(t *testing.T) {
	c := newGPUClock()
	job := pyTorchJob("ml", "bert", "u1", 1)
	c.Apply(setJob(job), setPod(worker(job, 0, "n1")))
	node, rank, other := UsageOf{Node: "n1"}, UsageOf{Namespace: "ml", Pod: "bert-worker-0", Container: "pytorch"}, UsageOf{Namespace: "kube-system", Pod: "dns", Container: "dns"}
	for i, errors := range []float64{1_000_007, 1_000_007, 1_000_009, 3, 4} {
		var all []train.Usage
		for _, of := range []UsageOf{node, rank, other} {
			all = append(all, used(of, c.now, usages{train.UsedCPU: float64(i), train.UsedRDMAErrors: errors}))
		}
		c.Apply(Used{Source: "prometheus", Usage: all, Every: 30 * time.Second})
		c.Snapshot()
		c.pass(time.Minute)
	}
	s := c.Snapshot()
	for _, of := range []UsageOf{node, rank} {
		if got := pastLine(s.UsagePast(of, train.UsedCPU)); got != "0=0 60=1 120=2 180=3 240=4 " {
			t.Errorf("%v was %s", of, got)
		}
		if got := pastLine(s.UsagePast(of, train.UsedRDMAErrors)); got != "0=0 60=0 120=2 180=5 240=6 " {
			t.Errorf("errors of %v were %s", of, got)
		}
	}
	if s.UsagePast(other, train.UsedCPU) != nil || s.UsagePast(node, train.UsedRDMAPorts) != nil || s.UsagePast(UsageOf{Node: "n2"}, train.UsedCPU) != nil {
		t.Error("there is a past of what does not train")
	}
	c.pass(2 * time.Hour)
	c.Apply(Used{Source: "prometheus", Complete: true})
	if c.Snapshot(); len(c.usageJoin.tracks["prometheus"]) > 0 {
		t.Error("the past is kept for ever")
	}
}
