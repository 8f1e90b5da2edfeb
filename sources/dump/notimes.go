package dump

import (
	"bytes"
	"regexp"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// eventTimes are the fields of an event that tell when it happened.
var eventTimes = []string{"firstTimestamp", "lastTimestamp", "eventTime"}

// forgetOddTimes removes times of an event that are none, so that it happened at an
// unknown time: tools that export events write NaN, <unknown> or nothing there, and
// what the event says does not depend on it.
func forgetOddTimes(event map[string]any) {
	for _, field := range eventTimes {
		forgetOddTime(event, field)
	}
	if series, is := event["series"].(map[string]any); is {
		forgetOddTime(series, "lastObservedTime")
	}
	if metadata, is := event["metadata"].(map[string]any); is {
		forgetOddTime(metadata, "creationTimestamp")
	}
}

func forgetOddTime(fields map[string]any, name string) {
	text, _ := fields[name].(string)
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		delete(fields, name)
	}
}

// pythonNumber matches strings, which stay, and numbers that Python writes into JSON
// and JSON does not have.
var pythonNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

// jsonWithNull parses JSON in which such numbers are null.
func jsonWithNull(text []byte, into *any) error {
	return utiljson.Unmarshal(nullNumbers(text), into)
}

// nullNumbers writes null for such numbers.
func nullNumbers(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	return pythonNumber.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}

// yamlNumber matches a value of YAML that is no number or infinite.
var yamlNumber = regexp.MustCompile(`(?m)^([^"'\n]*[:-][ \t]+)[-+]?\.(?:nan|NaN|NAN|inf|Inf|INF)([ \t]*\r?)$`)

func yamlWithNull(text []byte) []byte { return yamlNumber.ReplaceAll(text, []byte("${1}null${2}")) }
