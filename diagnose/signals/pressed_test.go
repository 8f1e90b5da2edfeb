package signals

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// node sets what a rank's node uses from now on.
func (l *lab) node(rank int, values map[train.UsageQuantity]float64) *lab {
	u := train.Usage{Node: nodeName(rank)}
	for q, number := range values {
		u.Values.Set(q, number)
	}
	l.usage = append(l.usage, u)
	return l
}

type used = map[train.UsageQuantity]float64

func TestShortOfMemory(t *testing.T) {
	newLab(t, 2).node(1, used{train.UsedMemoryStall: 0.3}).pass(4 * time.Minute).says().pass(2 * time.Minute).
		says("warning pressed: gpu-0001: tasks wait for memory in 30 % of the time for 5m30s")
	newLab(t, 2).node(1, used{train.UsedSwap: 2000}).pass(7 * time.Minute).
		says("warning pressed: gpu-0001: 2000 pages a second are swapped for 6m30s")
	newLab(t, 2).node(1, used{train.UsedMemoryStall: 0.02, train.UsedSwap: 30}).pass(20 * time.Minute).says() // a little is healthy

	container := func(used float64) *lab {
		l := newLab(t, 2)
		u := train.Usage{Namespace: "llm", Pod: podName(1), Container: "pytorch"}
		u.Values.Set(train.UsedMemory, used*(1<<30))
		u.Values.Set(train.UsedMemoryLimit, 512*(1<<30))
		l.usage = append(l.usage, u)
		return l.pass(7 * time.Minute)
	}
	container(508).says("warning pressed: rank 1: 99 % of its memory limit of 512 GiB are used for 6m30s")
	container(460).says()
}

func TestPressureOfNodes(t *testing.T) {
	for condition, want := range map[corev1.NodeConditionType]train.Cause{
		corev1.NodeMemoryPressure: "swap-or-memory-pressure", corev1.NodeDiskPressure: "evicted-disk-pressure", corev1.NodePIDPressure: "evicted-pids", corev1.NodeNetworkUnavailable: "",
	} {
		l := newLab(t, 2).pass(10 * time.Minute).says()
		node := gpuNode(1)
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: condition, Status: corev1.ConditionTrue})
		l.Apply(store.Set{Kind: kinds.NodeKind, Object: node})
		l.pass(time.Minute)
		found := l.report.Job("llama")
		if want == "" {
			l.says()
		} else if len(found) != 1 || found[0].Cause != want || len(found[0].Ranks) != 1 || found[0].Ranks[0] != 1 {
			t.Errorf("%s: the job has %s", condition, l.job())
		}
	}
}

func TestBoundByTheNetwork(t *testing.T) {
	waits := all(numbers{train.GPUSMActive: 0.3, train.GPUTensorActive: 0.12, train.GPUPower: 300})
	const gigabit = 1e9 / 8
	lab := func(values used) *lab {
		l := newLab(t, 2).becomes(waits)
		return l.node(0, values).node(1, values)
	}
	full := used{train.UsedRDMASent: 46e9, train.UsedRDMAReceived: 45e9, train.UsedRDMARate: 50e9}
	lab(full).pass(9 * time.Minute).says().pass(3 * time.Minute).
		says("warning network: the network of 2 nodes carries up to 92 % of its rate, and the GPUs wait for it for 11m")
	tcp := used{train.UsedNetworkSent: 1.1e9, train.UsedNetworkReceived: 1.1e9, train.UsedNetworkRate: 100 * gigabit, train.UsedRDMAPorts: 8, train.UsedRDMAPortsDown: 0, train.UsedRDMASent: 0}
	lab(tcp).pass(12 * time.Minute).says("warning network: 2 nodes send over TCP, while InfiniBand or RoCE is there and idle for 11m")

	newLab(t, 2).node(0, full).node(1, full).pass(30 * time.Minute).says()                                                  // the GPUs work: the network is used well
	lab(used{train.UsedRDMASent: 20e9, train.UsedRDMARate: 50e9}).pass(14 * time.Minute).says()                             // it has spare capacity
	lab(used{train.UsedNetworkSent: 1.1e9, train.UsedNetworkRate: 100 * gigabit}).pass(14 * time.Minute).says()             // TCP alone: normal there
	lab(used{train.UsedNetworkSent: 3e8, train.UsedRDMAPorts: 2, train.UsedRDMAPortsDown: 2}).pass(14 * time.Minute).says() // its ports are down
	one := newLab(t, 1).becomes(waits).node(0, full)
	one.pass(14 * time.Minute).says() // one node does not wait for others
}
