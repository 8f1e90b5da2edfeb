package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// usageList is a list of k8s.io/metrics v1beta1, or one item of it.
type usageList struct {
	Items []usageItem `json:"items"`
	usageItem
}

type usageItem struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Timestamp  time.Time         `json:"timestamp"`
	Window     string            `json:"window"`
	Usage      map[string]string `json:"usage"`
	Containers []struct {
		Name  string            `json:"name"`
		Usage map[string]string `json:"usage"`
	} `json:"containers"`
}

// readUsage reads NodeMetrics and PodMetrics of metrics.k8s.io/v1beta1.
func readUsage(text []byte, a *Answer) error {
	var list usageList
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
	}
	items := list.Items
	if len(list.Usage) > 0 || len(list.Containers) > 0 {
		items = append(items, list.usageItem)
	}
	for _, item := range items {
		if len(item.Containers) == 0 {
			addUsage(a, Usage{Node: item.Metadata.Name}, item, item.Usage)
		}
		for _, c := range item.Containers {
			addUsage(a, Usage{Namespace: item.Metadata.Namespace, Pod: item.Metadata.Name, Container: c.Name}, item, c.Usage)
		}
	}
	a.Note = fmt.Sprintf("CPU and memory of %d nodes and containers, no GPUs", len(a.Usage))
	return nil
}

func addUsage(a *Answer, u Usage, item usageItem, amounts map[string]string) {
	cpu, cpuErr := parseAmount(amounts["cpu"])
	memory, memoryErr := parseAmount(amounts["memory"])
	window, windowErr := time.ParseDuration(item.Window)
	switch {
	case cpuErr != nil:
		a.AddProblem(0, "the CPU of %s is %q: %v", readings.OneLine(item.Metadata.Name), readings.OneLine(amounts["cpu"]), cpuErr)
		return
	case memoryErr != nil:
		a.AddProblem(0, "the memory of %s is %q: %v", readings.OneLine(item.Metadata.Name), readings.OneLine(amounts["memory"]), memoryErr)
		return
	case windowErr != nil:
		window = 0
	}
	u.CPU, u.Memory, u.At, u.Window = cpu.AsApproximateFloat64()*1000, memory.Value(), item.Timestamp, window
	a.Usage = append(a.Usage, u)
}

// longestAmount is longer than any written amount ("7338891n", "412345678Ki").
const longestAmount = 24

// longestExponent is the longest exponent of an amount, sign included: more digits
// (1e-9999999) take resource.ParseQuantity seconds (apimachinery 0.36).
const longestExponent = 3

// parseAmount is resource.ParseQuantity for untrusted text.
func parseAmount(text string) (resource.Quantity, error) {
	if exponent := strings.IndexAny(text, "eE"); len(text) > longestAmount || exponent >= 0 && len(text)-exponent-1 > longestExponent {
		return resource.Quantity{}, errors.New("no amount is written like this")
	}
	return resource.ParseQuantity(text)
}
