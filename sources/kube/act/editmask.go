package act

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact"
)

// unmask restores values that were masked when a text was shown: shown is the
// text, original the values behind it, edited the result. It refuses a mask
// that cannot be traced to one value, so that neither the mask nor another's
// secret is ever written.
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
		return edited, nil // asterisks of the person's own
	}
	return unmaskLines(at, was, real, edited)
}

// unmaskLines restores masks within a text (a RayJob's runtimeEnvYAML): an
// unchanged line gets back its original.
func unmaskLines(at, was, real, edited string) (string, error) {
	shownLines, realLines := strings.Split(was, "\n"), strings.Split(real, "\n")
	behind := map[string]string{}
	if len(shownLines) == len(realLines) {
		for i, line := range shownLines {
			if known, twice := behind[line]; twice && known != realLines[i] {
				realLines[i] = line // ambiguous
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

// unmaskList pairs the elements of a list with the original ones: by name,
// else by content; the n-th of a key with the n-th.
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

// sortOf returns the key that identifies a list element: its name, else all of
// it. A bare mask is identified by the flag before it.
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

// interchangeable reports whether any of several elements may be taken.
func interchangeable(list []any, places []int) bool {
	for _, place := range places[1:] {
		if !equalJSON(list[place], list[places[0]]) {
			return false
		}
	}
	return true
}
