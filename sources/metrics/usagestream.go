package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/train"
)

// streamedUsage is one item of a NodeMetricsList or PodMetricsList.
type streamedUsage struct {
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Timestamp  time.Time      `json:"timestamp"`
	Window     string         `json:"window"`
	Usage      *usedAmounts   `json:"usage"`
	Containers []usedInPodOne `json:"containers"`
}

type usedInPodOne struct {
	Name  string      `json:"name"`
	Usage usedAmounts `json:"usage"`
}

type usedAmounts struct {
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
}

// ReadUsage reads a list of metrics.k8s.io/v1beta1 item by item while it comes
// in, and hands on what each node or container uses. unread counts amounts
// that are none; they are left out. After an error what was handed on stands.
func ReadUsage(in io.Reader, each func(train.Usage)) (unread int, err error) {
	list := json.NewDecoder(in)
	if err := expect(list, '{'); err != nil {
		return 0, err
	}
	for list.More() {
		key, err := list.Token()
		if err != nil {
			return unread, fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
		}
		if key != "items" {
			var passed json.RawMessage
			if err := list.Decode(&passed); err != nil {
				return unread, fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
			}
			continue
		}
		bad, err := readItems(list, each)
		if unread += bad; err != nil {
			return unread, err
		}
	}
	return unread, expect(list, '}')
}

func readItems(list *json.Decoder, each func(train.Usage)) (unread int, err error) {
	switch token, err := list.Token(); {
	case err != nil:
		return 0, fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
	case token == nil: // what Go makes of an empty list
		return 0, nil
	case token != json.Delim('['):
		return 0, fmt.Errorf("the answer of metrics.k8s.io has %s for its items", oneLine(fmt.Sprint(token)))
	}
	var containers []usedInPodOne
	for list.More() {
		item := streamedUsage{Containers: containers[:0]}
		if err := list.Decode(&item); err != nil {
			return unread, fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
		}
		unread += item.tell(each)
		clear(item.Containers)
		containers = item.Containers
	}
	return unread, expect(list, ']')
}

func expect(list *json.Decoder, want json.Delim) error {
	token, err := list.Token()
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("reading the answer of metrics.k8s.io: %w", io.ErrUnexpectedEOF)
	case err != nil:
		return fmt.Errorf("reading the answer of metrics.k8s.io: %w", err)
	case token != want:
		return fmt.Errorf("the answer of metrics.k8s.io is no list: %s where %s was expected", oneLine(fmt.Sprint(token)), want)
	}
	return nil
}

// tell hands on what an item says.
func (i *streamedUsage) tell(each func(train.Usage)) (unread int) {
	used := train.Usage{At: i.Timestamp}
	if window, err := time.ParseDuration(i.Window); err == nil {
		used.Window = window
	}
	if i.Usage != nil {
		used.Node = i.Metadata.Name
		if !i.Usage.into(&used.Values) {
			return 1
		}
		each(used)
		return 0
	}
	used.Namespace, used.Pod = i.Metadata.Namespace, i.Metadata.Name
	for c := range i.Containers {
		used.Container, used.Values = i.Containers[c].Name, train.UsageValues{}
		if i.Containers[c].Usage.into(&used.Values) {
			each(used)
		} else {
			unread++
		}
	}
	return unread
}

// into reports whether both amounts are such as can be: cores, and bytes.
func (a *usedAmounts) into(v *train.UsageValues) bool {
	cpu, known := amount(a.CPU, 1e6)
	if !known {
		return false
	}
	memory, known := amount(a.Memory, 1<<60)
	if !known {
		return false
	}
	v.Set(train.UsedCPU, cpu)
	v.Set(train.UsedMemory, memory)
	return true
}

// longestAmount is longer than any amount is written ("7338891n", "412345678Ki").
const longestAmount = 24

// longestExponent is that of an amount with an exponent, sign and all: more
// digits (1e-9999999) take resource.ParseQuantity seconds (apimachinery 0.36).
const longestExponent = 3

// parseAmount is resource.ParseQuantity for what may be hostile.
func parseAmount(text string) (resource.Quantity, error) {
	if exponent := strings.IndexAny(text, "eE"); len(text) > longestAmount || exponent >= 0 && len(text)-exponent-1 > longestExponent {
		return resource.Quantity{}, errors.New("no amount is written like this")
	}
	return resource.ParseQuantity(text)
}

func amount(text string, most float64) (float64, bool) {
	quantity, err := parseAmount(text)
	if err != nil {
		return 0, false
	}
	value := quantity.AsApproximateFloat64()
	return value, value >= 0 && value <= most
}
