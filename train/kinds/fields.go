package kinds

import (
	"math"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// fields reads an object of unverified structure: a field that is missing or
// of the wrong type reads as empty, never as a panic.
type fields map[string]any

func fieldsOf(o *unstructured.Unstructured) fields {
	if o == nil {
		return nil
	}
	return fields(o.Object)
}

// in follows nested maps; nil when one is missing.
func (f fields) in(path ...string) fields {
	for _, name := range path {
		f = asFields(f[name])
	}
	return f
}

func (f fields) text(name string) string {
	s, _ := f[name].(string)
	return s
}

func (f fields) flag(name string) bool {
	b, _ := f[name].(bool)
	return b
}

// items returns the maps of a list; it skips other entries.
func (f fields) items(name string) []fields {
	list, _ := f[name].([]any)
	items := make([]fields, 0, len(list))
	for _, entry := range list {
		if item := asFields(entry); item != nil {
			items = append(items, item)
		}
	}
	return items
}

// number reads whole numbers in any decoded form.
func (f fields) number(name string) (int, bool) {
	switch n := f[name].(type) {
	case int64:
		return clamp(n), true
	case int:
		return clamp(int64(n)), true
	case int32:
		return int(n), true
	case float64:
		if math.IsNaN(n) {
			return 0, false
		}
		return clamp(int64(max(-maxCount, min(maxCount, n)))), true
	case string:
		parsed, err := strconv.ParseInt(strings.TrimSpace(n), 10, 64)
		return clamp(parsed), err == nil
	}
	return 0, false
}

// count reads a number of things: never negative, never absurd.
func (f fields) count(name string, missing int) int {
	if n, ok := f.number(name); ok {
		return max(0, n)
	}
	return missing
}

func (f fields) when(name string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, f.text(name))
	if err != nil {
		return time.Time{}
	}
	return at
}

// maxCount bounds every number read from an object, so that products of a few
// of them cannot overflow.
const maxCount = 1_000_000

func clamp(n int64) int { return int(max(-maxCount, min(maxCount, n))) }

// times multiplies counts within the bounds.
func times(a, b int) int { return clamp(int64(a) * int64(b)) }

func asFields(v any) fields {
	m, _ := v.(map[string]any)
	return fields(m)
}

// strings reads a map of text, labels for example; it skips other values.
func (f fields) strings(name string) map[string]string {
	source := f.in(name)
	if len(source) == 0 {
		return nil
	}
	read := make(map[string]string, len(source))
	for key, value := range source {
		if text, ok := value.(string); ok {
			read[key] = text
		}
	}
	return read
}
