package kinds

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/termtext"
)

// MostAmount bounds every amount of a resource, so that the sum of two cannot
// overflow: 2 EiB of memory, and no machine has that much.
const MostAmount = 1 << 61

// Amount returns a quantity in units of 10^scale, rounded up and within
// ±MostAmount. resource.Quantity itself reads 1e40 as 0 (ScaledValue in
// apimachinery 0.36, pkg/api/resource/quantity.go).
func Amount(q *resource.Quantity, scale resource.Scale) int64 {
	const most = MostAmount / 1000 // as milli it is within the bounds too
	if whole, is := q.AsInt64(); is && -most < whole && whole < most {
		switch scale { // what nearly every object has
		case 0:
			return whole
		case resource.Milli:
			return whole * 1000
		}
	}
	switch about := q.AsApproximateFloat64() / math.Pow10(int(scale)); {
	case about >= MostAmount:
		return MostAmount
	case about <= -MostAmount:
		return -MostAmount
	}
	return q.ScaledValue(scale)
}

// addAmounts adds amounts within ±MostAmount.
func addAmounts(a, b int64) int64 { return max(-MostAmount, min(MostAmount, a+b)) }

// oddQuantity is an amount of devices that no pod asks for and no node has. It
// is not counted, or counts as one.
type oddQuantity struct {
	// field holds it: the limits of container "main".
	field, resource string
	// value is the amount as it was read.
	value any
	// one is true for what counts as one device: a request for some.
	one bool
}

func (o oddQuantity) String() string {
	return fmt.Sprintf("%s in %s is %s", oneLine(o.resource), o.field, oddWords(o.value))
}

// DeviceCount returns how many devices a quantity names. Kubernetes takes only
// whole numbers from 0 on (validateResourceQuantity in pkg/apis/core/validation,
// 1.36), but any number of digits; is is false for what is none, and from
// MostAmount on.
func DeviceCount(q *resource.Quantity) (n int, is bool) {
	whole, is := q.AsInt64()
	if !is {
		whole = Amount(q, 0)
		is = q.CmpInt64(whole) == 0
	}
	if !is || whole < 0 || whole >= MostAmount {
		return 0, false
	}
	return clamp(whole), true
}

// containerField names the limits or requests of a container.
func containerField(container, field string) string {
	if container == "" {
		return "the " + field + " of a container"
	}
	return "the " + field + " of container " + oneLine(container)
}

// longestQuantity bounds what is quoted of a quantity, in runes.
const longestQuantity = 40

// oddWords quotes a value that is no number of devices.
func oddWords(value any) string {
	switch value := value.(type) {
	case string:
		return strconv.Quote(termtext.Short(value, longestQuantity))
	case float64, int64, bool:
		return fmt.Sprint(value)
	}
	return typeWords(value)
}

// mostOddNamed bounds how many odd quantities one sentence names.
const mostOddNamed = 3

// oddText names odd quantities, "" for none.
func oddText(odd []oddQuantity) string {
	return joinSentences(
		oddOnes(odd, false, "which is no number of devices and is not counted"),
		oddOnes(odd, true, "which cannot be read and counts as one device"))
}

// oddOnes names those that count as one, or the others.
func oddOnes(odd []oddQuantity, one bool, what string) string {
	var texts []string
	for i := range odd {
		if odd[i].one == one {
			texts = append(texts, odd[i].String())
		}
	}
	if len(texts) == 0 {
		return ""
	}
	slices.Sort(texts)
	return termtext.Few(slices.Compact(texts), mostOddNamed) + ", " + what
}

// quantityFields are the fields whose values are quantities (core/v1).
var quantityFields = []string{"limits", "requests", "capacity", "allocatable", "overhead"}

// deepestQuantity is how deep such a field lies at most.
const deepestQuantity = 12

// UnreadableQuantity names a quantity of an object that is none, with its field
// and what was read; "" where all are. Kubernetes' own error names neither.
func UnreadableQuantity(tree map[string]any) string { return unreadableQuantity("", tree, 0) }

func unreadableQuantity(field string, value any, depth int) string {
	if depth > deepestQuantity {
		return ""
	}
	switch value := value.(type) {
	case []any:
		for i, entry := range value {
			if found := unreadableQuantity(fmt.Sprintf("%s[%d]", field, i), entry, depth+1); found != "" {
				return found
			}
		}
	case map[string]any:
		quantities := slices.ContainsFunc(quantityFields, func(name string) bool { return strings.HasSuffix("."+field, "."+name) })
		for _, name := range slices.Sorted(maps.Keys(value)) {
			at := strings.TrimPrefix(field+"."+name, ".")
			if _, is := quantityOf(value[name]); quantities && !is {
				return fmt.Sprintf("%s is %s", oneLine(at), oddWords(value[name]))
			}
			if found := unreadableQuantity(at, value[name], depth+1); found != "" {
				return found
			}
		}
	}
	return ""
}
