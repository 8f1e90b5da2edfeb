package act

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact"
)

// unmask puts the values back that were masked when a text was shown: shown is
// what the person saw, original what stood behind it, edited what came back. A
// mask that cannot be traced to one value is refused, so that neither the mask
// nor another's secret is ever written.
func unmask(at string, shown, original, edited any) (any, error) {
	switch edited := edited.(type) {
	case string:
		return unmaskText(at, shown, original, edited)
	case map[string]any:
		was, _ := shown.(map[string]any)
		real, _ := original.(map[string]any)
		whole := make(map[string]any, len(edited))
		for key, value := range edited {
			child, err := unmask(join(at, key), was[key], real[key], value)
			if err != nil {
				return nil, err
			}
			whole[key] = child
		}
		return whole, nil
	case []any:
		was, _ := shown.([]any)
		real, _ := original.([]any)
		return unmaskList(at, was, real, edited)
	}
	return edited, nil
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func unmaskText(at string, shown, original any, edited string) (string, error) {
	was, _ := shown.(string)
	real, isText := original.(string)
	switch {
	case !strings.Contains(edited, redact.Masked):
		return edited, nil
	case isText && edited == was:
		return real, nil
	case isText && was == real && Masks(edited) <= Masks(was):
		return edited, nil // stars of its own
	}
	return unmaskLines(at, was, real, edited)
}

// unmaskLines traces masks within a text (a RayJob's runtimeEnvYAML): a line
// that stays as it was shown stands for the line behind it.
func unmaskLines(at, was, real, edited string) (string, error) {
	shownLines, realLines := strings.Split(was, "\n"), strings.Split(real, "\n")
	behind := map[string]string{}
	if len(shownLines) == len(realLines) {
		for i, line := range shownLines {
			if known, twice := behind[line]; twice && known != realLines[i] {
				realLines[i] = line // which one is meant cannot be told
			}
			behind[line] = realLines[i]
		}
	}
	lines := strings.Split(edited, "\n")
	for i, line := range lines {
		if !strings.Contains(line, redact.Masked) {
			continue
		}
		value, known := behind[line]
		if !known || value == line {
			return "", untraced(at)
		}
		lines[i] = value
	}
	return strings.Join(lines, "\n"), nil
}

func untraced(at string) error {
	return &unaskedError{fmt.Sprintf("%s: it cannot be told which value %s stands for; write the value itself, leave the line as it was, or use kubectl edit", client.Printable(at), redact.Masked)}
}

// unmaskList pairs what is in a list with what was: by name, else by what it
// looks like; the n-th of its sort with the n-th.
func unmaskList(at string, shown, original, edited []any) ([]any, error) {
	if len(shown) != len(original) {
		shown, original = nil, nil
	}
	places := map[string][]int{}
	for i := range shown {
		key := sortOf(shown, i)
		places[key] = append(places[key], i)
	}
	want := map[string]int{}
	for i := range edited {
		want[sortOf(edited, i)]++
	}
	taken := map[string]int{}
	whole := make([]any, len(edited))
	for i, value := range edited {
		key := sortOf(edited, i)
		var was, real any
		if k := taken[key]; k < len(places[key]) && (want[key] == len(places[key]) || interchangeable(original, places[key])) {
			was, real = shown[places[key][k]], original[places[key][k]]
		}
		taken[key]++
		child, err := unmask(at+"["+strconv.Itoa(i)+"]", was, real, value)
		if err != nil {
			return nil, err
		}
		whole[i] = child
	}
	return whole, nil
}

// sortOf is what an element of a list is recognised by: a name, else all of it.
// A mask alone is known by the flag before it.
func sortOf(list []any, i int) string {
	switch element := list[i].(type) {
	case map[string]any:
		if name, ok := element["name"].(string); ok {
			return "name " + name
		}
	case string:
		if before, ok := elementBefore(list, i); ok && element == redact.Masked {
			return "after " + before
		}
	}
	text, err := json.Marshal(list[i])
	if err != nil {
		return ""
	}
	return "like " + string(text)
}

func elementBefore(list []any, i int) (string, bool) {
	if i == 0 {
		return "", false
	}
	before, ok := list[i-1].(string)
	return before, ok
}

// interchangeable reports whether it does not matter which of several is taken.
func interchangeable(list []any, places []int) bool {
	for _, place := range places[1:] {
		if !equalJSON(list[place], list[places[0]]) {
			return false
		}
	}
	return true
}
