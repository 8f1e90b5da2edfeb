package metrics

import (
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// usageObject is a PodMetrics, or a NodeMetrics, whose usage is its own.
type usageObject struct {
	metricsv1beta1.PodMetrics
	Usage corev1.ResourceList `json:"usage"`
}

// readUsage reads NodeMetrics and PodMetrics of metrics.k8s.io/v1beta1: a list of
// them, or one object.
func readUsage(text []byte, a *Answer) error {
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
	}
	if list.Items == nil {
		list.Items = []json.RawMessage{text}
	}
	for _, item := range list.Items {
		readUsageObject(a, item)
	}
	a.Note = fmt.Sprintf("CPU and memory of %d nodes and containers, no GPUs", len(a.Usage))
	return nil
}

// errAmount is why an object with an amount is left out that takes long to parse.
var errAmount = errors.New("no amount is written like this")

func readUsageObject(a *Answer, text []byte) {
	var o usageObject
	err := errAmount
	if !HasLongExponent(text) {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		a.AddProblem(0, "%s: the usage of one node or pod cannot be read: %v", readings.Quote(text), err)
		return
	}
	if len(o.Containers) == 0 && len(o.Usage) > 0 {
		addUsage(a, Usage{Node: o.Name}, &o, o.Usage)
	}
	for i := range o.Containers {
		c := &o.Containers[i]
		addUsage(a, Usage{Namespace: o.Namespace, Pod: o.Name, Container: c.Name}, &o, c.Usage)
	}
}

func addUsage(a *Answer, u Usage, o *usageObject, amounts corev1.ResourceList) {
	cpu, knowsCPU := amounts[corev1.ResourceCPU]
	memory, knowsMemory := amounts[corev1.ResourceMemory]
	if !knowsCPU || !knowsMemory {
		a.AddProblem(0, "the usage of %s lacks CPU or memory", readings.OneLine(o.Name))
		return
	}
	u.CPU, u.Memory, u.At, u.Window = cpu.AsApproximateFloat64()*1000, memory.Value(), o.Timestamp.Time, o.Window.Duration
	a.Usage = append(a.Usage, u)
}

// Amounts with more characters, or with longer exponents, take
// resource.ParseQuantity seconds (1e-9999999, apimachinery 0.36), and no
// server writes them ("7338891n", "412345678Ki").
const (
	longestAmount   = 24
	longestExponent = 3 // with its sign
)

// HasLongExponent reports whether an encoded object may have an amount that
// takes long to parse: objects of metrics.k8s.io are searched for it before they are
// decoded. It looks for separate numbers; a name such as
// "job-1e12345" does not count.
func HasLongExponent(text []byte) bool {
	for i, c := range text {
		if c != 'e' && c != 'E' || i == 0 || !isNumeric(text[i-1]) {
			continue
		}
		begin, end := i, i+1
		for begin > 0 && isNumeric(text[begin-1]) {
			begin--
		}
		for end < len(text) && isNumeric(text[end]) {
			end++
		}
		alone := (begin == 0 || !isLetter(text[begin-1])) && (end == len(text) || !isLetter(text[end]))
		if end-i-1 > longestExponent && (alone || end-begin > longestAmount) {
			return true
		}
	}
	return false
}

func isNumeric(c byte) bool { return c >= '0' && c <= '9' || c == '.' || c == '+' || c == '-' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
