package dump

import "time"

// eventTimes are the fields of an event that state when it happened.
var eventTimes = []string{"firstTimestamp", "lastTimestamp", "eventTime"}

// forgetOddTimes removes times of an event that are none, so that it happened at an
// unknown time: tools that export events write NaN, <unknown> or nothing there, and
// what the event reports does not depend on it.
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
