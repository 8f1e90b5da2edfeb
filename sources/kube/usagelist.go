package kube

import (
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// usageResource is a list of metrics.k8s.io/v1beta1.
func usageResource(kind, plural string) client.Resource {
	return client.Resource{
		Kind: schema.GroupKind{Group: metricsv1beta1.GroupName, Kind: kind},
		Gvr:  metricsv1beta1.SchemeGroupVersion.WithResource(plural),
		Form: client.TypedForm,
	}
}

var (
	nodeMetrics = usageResource("NodeMetrics", "nodes")
	podMetrics  = usageResource("PodMetrics", "pods")
)

// usageList is the usage of nodes or containers in one answer.
type usageList struct {
	used []train.Usage
	// unread counts invalid amounts, which are left out.
	unread int
}

// readUsageList parses an answer in protobuf or JSON. likely is the expected
// number of nodes or containers.
func readUsageList(body io.Reader, r client.Resource, likely int) (usageList, error) {
	l := usageList{used: make([]train.Usage, 0, likely)}
	err := readEach(body, r, l.add)
	return l, err
}

func (l *usageList) add(object runtime.Object) {
	switch o := object.(type) {
	case *metricsv1beta1.NodeMetrics:
		l.addAmounts(train.Usage{Node: o.Name, At: utc(o.Timestamp.Time), Window: o.Window.Duration}, o.Usage)
	case *metricsv1beta1.PodMetrics:
		for i := range o.Containers {
			c := &o.Containers[i]
			l.addAmounts(train.Usage{
				Namespace: o.Namespace, Pod: o.Name, Container: c.Name, At: utc(o.Timestamp.Time), Window: o.Window.Duration,
			}, c.Usage)
		}
	default:
		l.unread++
	}
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

// Largest valid amounts: cores of a node, and bytes.
const (
	mostCores = 1e6
	mostBytes = 1 << 60
)

func (l *usageList) addAmounts(u train.Usage, amounts corev1.ResourceList) {
	cpu, knowsCPU := amountOf(amounts, corev1.ResourceCPU, mostCores)
	memory, knowsMemory := amountOf(amounts, corev1.ResourceMemory, mostBytes)
	if !knowsCPU || !knowsMemory {
		l.unread++
		return
	}
	u.Values.Set(train.UsedCPU, cpu)
	u.Values.Set(train.UsedMemory, memory)
	l.used = append(l.used, u)
}

func amountOf(amounts corev1.ResourceList, name corev1.ResourceName, most float64) (float64, bool) {
	amount, known := amounts[name]
	value := amount.AsApproximateFloat64()
	return value, known && value >= 0 && value <= most
}
