package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// under adds a condition that a node's kubelet reports, with the text of 1.36.
func under(kind corev1.NodeConditionType, holds corev1.ConditionStatus) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: kind, Status: holds, Reason: "KubeletHasInsufficientMemory", Message: "kubelet has insufficient memory available", LastTransitionTime: before(3),
		})
	}
}

// onNode adds a job of two ranks that run, rank 1 on a node with a condition.
func onNode(kind corev1.NodeConditionType, holds corev1.ConditionStatus) func(*cluster) {
	return func(c *cluster) {
		c.trained(2)
		c.node("gpu-1", 8, under(kind, holds))
	}
}

const short = train.Cause("swap-or-memory-pressure")

// A kubelet's report about its node is a finding even without measurements.
func TestNodesUnderPressure(t *testing.T) {
	list := []scenario{
		{name: "memory", want: short, severity: train.SeverityWarning, title: "Node gpu-1 is short of memory, and worker-1 runs on it", build: onNode(corev1.NodeMemoryPressure, corev1.ConditionTrue)},
		{name: "disk", want: "evicted-disk-pressure", severity: train.SeverityWarning, title: "Node gpu-1 is short of disk", build: onNode(corev1.NodeDiskPressure, corev1.ConditionTrue)},
		{name: "process IDs", want: "evicted-pids", severity: train.SeverityWarning, title: "Node gpu-1 is short of process IDs, and worker-1 runs on it", build: onNode(corev1.NodePIDPressure, corev1.ConditionTrue)},
		{name: "it is over", never: []train.Cause{short}, build: onNode(corev1.NodeMemoryPressure, corev1.ConditionFalse)},
		{name: "on a node of others", never: []train.Cause{short}, build: func(c *cluster) {
			c.trained(2)
			c.node("gpu-9", 8, under(corev1.NodeMemoryPressure, corev1.ConditionTrue))
		}},
	}
	runScenarios(t, list)
}

// A node that comes under pressure, and leaves it, changes the answer of a job
// in which nothing else changes.
func TestPressureComesAndGoes(t *testing.T) {
	c := newCluster(t)
	c.trained(2)
	st := store.New(func() time.Time { return noon })
	st.Apply(c.events...)
	report := Run(st.Snapshot(), Options{}, nil)
	for i, holds := range []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionTrue} {
		node := newCluster(t)
		node.node("gpu-1", 8, under(corev1.NodeMemoryPressure, holds))
		st.Apply(node.events...)
		s := st.Snapshot()
		report = Run(s, Options{}, report)
		found := report.Job(s.Jobs()[0].ID).Findings
		if is := len(found) == 1 && found[0].Cause == short; is != (holds == corev1.ConditionTrue) {
			t.Errorf("%d: MemoryPressure %s: %d findings", i, holds, len(found))
		}
	}
}

// read applies one reading of the GPUs of every rank and of their nodes, as
// from an exporter's text in a file: nothing to wait for.
func (c *cluster) read(ranks int, values map[train.Quantity]float64, node map[train.UsageQuantity]float64) {
	used := store.Used{Source: "node-exporter", Complete: true}
	for rank := range ranks {
		name := fmt.Sprintf("gpu-%d", rank)
		m := store.Measured{Source: "exporter/" + name, Node: name}
		var v train.Values
		for q, number := range map[train.Quantity]float64{train.GPUUtilization: 100, train.GPUPower: 640, train.GPUPowerLimit: 700} {
			v.Set(q, number)
		}
		for q, number := range values {
			v.Set(q, number)
		}
		m.Readings = []train.GPUReading{{Source: train.FromDCGM, At: noon, Values: v, GPU: train.GPU{
			Node: name, Index: "0", UUID: fmt.Sprintf("GPU-%d", rank), Namespace: ns, Pod: fmt.Sprintf("bert-worker-%d", rank), Container: "pytorch",
		}}}
		u := train.Usage{Node: name, At: noon}
		for q, number := range node {
			u.Values.Set(q, number)
		}
		used.Usage = append(used.Usage, u)
		c.events = append(c.events, m)
	}
	c.events = append(c.events, used)
}

// checkOf returns the check of a cause in a scenario's job.
func checkOf(t *testing.T, cause train.Cause, build func(*cluster)) train.Check {
	t.Helper()
	for _, check := range answerOf(t, build).Checks {
		if check.Cause == cause {
			return check
		}
	}
	t.Fatalf("no check of %s", cause)
	return train.Check{}
}

// The network and memory: found, ruled out, or unknown.
func TestNetworkAndMemoryOfAJob(t *testing.T) {
	waits := map[train.Quantity]float64{train.GPUSMActive: 0.3, train.GPUPower: 300}
	full := map[train.UsageQuantity]float64{train.UsedRDMASent: 46e9, train.UsedRDMAReceived: 45e9, train.UsedRDMARate: 50e9}
	calm := map[train.UsageQuantity]float64{train.UsedRDMASent: 4e9, train.UsedRDMAReceived: 4e9, train.UsedRDMARate: 50e9, train.UsedMemoryStall: 0.01}
	swaps := map[train.UsageQuantity]float64{train.UsedSwap: 4000}
	measured := func(values map[train.Quantity]float64, node map[train.UsageQuantity]float64) func(*cluster) {
		return func(c *cluster) { c.trained(2); c.read(2, values, node) }
	}
	const network = train.Cause("network-bound")
	runScenarios(t, []scenario{
		{name: "the network is full", want: network, severity: train.SeverityWarning, title: "The network of 2 nodes carries up to 92 %", never: []train.Cause{short}, build: measured(waits, full)},
		{name: "it is full, and the GPUs work", never: []train.Cause{network}, build: measured(nil, full)},
		{name: "the nodes swap", want: short, severity: train.SeverityWarning, title: "4000 pages a second are swapped", build: measured(nil, swaps)},
		{name: "neither", never: []train.Cause{network, short}, build: measured(nil, calm)},
	})
	unmeasured := func(c *cluster) { c.trained(2) }
	for _, c := range []struct {
		what  string
		cause train.Cause
		build func(*cluster)
		want  train.CheckResult
		why   string
	}{
		{"full", network, measured(waits, full), train.CheckFail, "carries up to 92 %"},
		{"not full", network, measured(nil, calm), train.CheckPass, "says so"},
		{"nobody measures", network, unmeasured, train.CheckUnknown, "no GPU of the job is measured"},
		{"swapping", short, measured(nil, swaps), train.CheckFail, "swapped"},
		{"no swapping", short, measured(nil, calm), train.CheckPass, "says so"},
		{"nobody measures, all well", short, unmeasured, train.CheckUnknown, "no GPU of the job is measured"},
		{"nobody measures, the kubelet tells", short, onNode(corev1.NodeMemoryPressure, corev1.ConditionTrue), train.CheckFail, "short of memory"},
		{"nobody measures, nodes cannot be read", short, func(c *cluster) {
			c.trained(2)
			c.unreadable(kinds.NodeKind)
			c.worker(1, crashing("gpu-1", 1, "Error", "", 4))
			c.events = slices.DeleteFunc(c.events, func(e store.Event) bool { set, is := e.(store.Set); return is && set.Kind == kinds.NodeKind })
		}, train.CheckUnknown, "nodes cannot be seen"},
	} {
		if check := checkOf(t, c.cause, c.build); check.Result != c.want || !strings.Contains(check.Why, c.why) {
			t.Errorf("%s: the check of %s says %s: %s", c.what, c.cause, check.Result, check.Why)
		}
	}
}

// TestTheHourThatWasNotReadIsSaid: where the readings of now were read, and not the hour
// before, no rule could find what lasts. Once an hour was measured since, nothing lacks.
func TestTheHourThatWasNotReadIsSaid(t *testing.T) {
	for _, c := range []struct {
		what   string
		health *train.Health
		want   bool
	}{
		{"read", nil, false},
		{"late", &train.Health{Source: train.GPUPastSource, State: train.SourceRetrying, Since: noon, Text: "no complete answer within 4s"}, true},
		{"refused", &train.Health{Source: train.GPUPastSource, State: train.SourceFailed, Since: noon, Text: "too many samples"}, true},
		{"a part", &train.Health{Source: train.GPUPastSource, State: train.SourceLive, Since: noon, Text: "store down"}, true},
		{"an hour later", &train.Health{Source: train.GPUPastSource, State: train.SourceFailed, Since: noon.Add(-61 * time.Minute), Text: "too many samples"}, false},
	} {
		answer := answerOf(t, func(cl *cluster) {
			cl.trained(2)
			cl.read(2, nil, nil)
			if c.health != nil {
				cl.events = append(cl.events, store.HealthChanged{Health: *c.health})
			}
		})
		said := slices.ContainsFunc(answer.Conclusion.Missing, func(m Missing) bool {
			return m.What == "the last hour of GPU readings" && strings.Contains(m.Why, c.health.Text)
		})
		if said != c.want {
			t.Errorf("%s: missing is %+v", c.what, answer.Conclusion.Missing)
		}
		for _, check := range answer.Checks {
			if unknown := check.Result == train.CheckUnknown && strings.Contains(check.Why, "the last hour of GPU readings was not read whole"); unknown != (c.want && check.Cause == "low-gpu-utilisation") {
				t.Errorf("%s: the check of %s says %s: %s", c.what, check.Cause, check.Result, check.Why)
			}
		}
	}
}

// TestReadingsWithoutNumbersAreNone: an exporter that lost its driver names the GPUs of a
// job, and nothing of them is known.
func TestReadingsWithoutNumbersAreNone(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.trained(2)
		c.read(2, nil, nil)
		for _, e := range c.events {
			if m, is := e.(store.Measured); is {
				m.Readings[0].Values = train.Values{}
			}
		}
	})
	said := slices.ContainsFunc(answer.Conclusion.Missing, func(m Missing) bool {
		return m.What == "GPU readings" && strings.Contains(m.Why, "gives no number of them")
	})
	if !said || slices.Contains(answer.Conclusion.LookedAt, "GPU readings") {
		t.Errorf("looked at %q, missing %+v", answer.Conclusion.LookedAt, answer.Conclusion.Missing)
	}
	for _, check := range answer.Checks {
		if check.Cause == "low-gpu-utilisation" && check.Result != train.CheckUnknown {
			t.Errorf("the check of %s says %s: %s", check.Cause, check.Result, check.Why)
		}
	}
}
