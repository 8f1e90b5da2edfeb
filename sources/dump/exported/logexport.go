// Package exported reads logs and histories of runs as collectors and trainers export
// them: documents of JSON, records of JSON over several lines, and texts whose newest
// line stands first. It gives lines of a log, the oldest first.
package exported

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Log collectors export logs as one JSON document: Loki's query_range,
// CloudWatch's get-log-events, an export of Cloud Logging, hits of
// Elasticsearch, Datadog's search. Their only common trait is that each record
// has a message and a time, so we search for these.
var (
	exportText = regexp.MustCompile(`"(?:message|msg|log|line|textPayload|jsonPayload|MESSAGE)"\s*:|"resultType"\s*:\s*"streams"`)
	exportTime = regexp.MustCompile(`"(?:@?timestamp|time|ts|_time|ingestionTime|__REALTIME_TIMESTAMP)"\s*:|"resultType"\s*:\s*"streams"`)
	objectWord = regexp.MustCompile(`"(?:apiVersion|resourceVersion|creationTimestamp|involvedObject)"\s*:`)
)

// Field names, the most specific first.
var (
	messageFields = []string{"textPayload", "MESSAGE", "message", "msg", "log", "line"}
	timeFields    = []string{"@timestamp", "timestamp", "time", "ts", "_time", "__REALTIME_TIMESTAMP"}
	innerFields   = []string{"jsonPayload", "_source", "attributes"}
	// errorFields are where loggers of Go write what went wrong, beside what they say of it
	// (zap, logr, logrus, zerolog).
	errorFields = []string{"error", "err"}
)

// maxExport limits a document that is read as a whole.
const maxExport = 64 << 20

// MayBe reports whether a text may be such a document.
func MayBe(head []byte) bool {
	text := bytes.TrimSpace(head)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && StartsJSON(text) && !isMultiline(text) && !objectWord.Match(text) &&
		(exportText.Match(text) && exportTime.Match(text) || historyOfRun.Match(text) || listOfLosses.Match(text))
}

// isMultiline reports whether a text is JSON lines, which are read one by one.
func isMultiline(text []byte) bool {
	first, _, more := bytes.Cut(text, []byte{'\n'})
	return more && json.Valid(first)
}

// Lines converts such a document to lines that start with their time, the
// oldest first; nil for another document. read is all that was read.
func Lines(in io.Reader) (lines, read []byte) {
	read, err := io.ReadAll(io.LimitReader(in, maxExport+1))
	if err != nil || len(read) > maxExport {
		return nil, read
	}
	documents := documentsOf(read)
	if lines = historyLines(documents); lines != nil {
		return lines, read
	}
	if len(documents) == 1 {
		if top, is := documents[0].(map[string]any); is {
			if _, is = recordOf(top); is {
				return nil, read // the first line of a log of JSON lines, which may grow
			}
		}
	}
	var records []record
	for _, document := range documents {
		collectRecords(document, origin{}, &records)
	}
	several := ofSeveralPods(records)
	if timed := slices.IndexFunc(records, func(r record) bool { return r.at.IsZero() }) < 0; timed {
		slices.SortStableFunc(records, func(a, b record) int { return a.at.Compare(b.at) })
	}
	if rows := measured(documents); rows != nil {
		records = rows
	}
	for _, r := range records {
		if several {
			lines = append(lines, "[pod/"+r.from.pod+"/"+cmp.Or(r.from.container, "log")+"] "...)
		}
		if !r.at.IsZero() {
			lines = append(r.at.UTC().AppendFormat(lines, time.RFC3339Nano), ' ')
		}
		lines = append(append(lines, r.text...), '\n')
	}
	return lines, read
}

// documentsOf returns the documents of a text; journalctl -o json-pretty
// prints one for each record. It returns nil if one is broken.
func documentsOf(text []byte) (documents []any) {
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var document any
		switch err := in.Decode(&document); {
		case errors.Is(err, io.EOF):
			return documents
		case err != nil:
			return nil
		}
		documents = append(documents, document)
	}
}

// record is one message of a document.
type record struct {
	at   time.Time
	text string
	from origin
}

// origin is what a record, or an object around it, says of who printed it.
type origin struct{ pod, container string }

// Names of fields in which collectors write who printed a line: Fluent Bit, Fluentd and
// Filebeat (kubernetes), Vector, Promtail and Alloy (labels of a stream), Cloud Logging
// (resource.labels), stern -o json.
var (
	podFields       = []string{"pod_name", "podName", "pod", "k8s_pod_name", "kubernetes_pod_name"}
	containerFields = []string{"container_name", "containerName", "container", "k8s_container_name", "kubernetes_container_name"}
	originFields    = []string{"kubernetes", "stream", "resource", "labels", "_source", "metadata"}
	nameOfPod       = regexp.MustCompile(`^[a-z0-9][-.a-z0-9]*$`)
)

// originOf returns what an object says of who printed, or what an object around it said.
func originOf(fields map[string]any, around origin) origin {
	named := func(names []string) string {
		for _, name := range names {
			value := fields[name]
			if inner, is := value.(map[string]any); is {
				value = inner["name"] // kubernetes.pod.name of Filebeat
			}
			if text, _ := value.(string); nameOfPod.MatchString(text) {
				return text
			}
		}
		return ""
	}
	from := origin{cmp.Or(named(podFields), around.pod), cmp.Or(named(containerFields), around.container)}
	for _, name := range originFields {
		if inner, is := fields[name].(map[string]any); is {
			from = originOf(inner, from)
		}
	}
	return from
}

// ofSeveralPods reports whether each record says which pod printed it, and they are of
// several.
func ofSeveralPods(records []record) bool {
	differs := false
	for _, r := range records {
		if r.from.pod == "" {
			return false
		}
		differs = differs || r.from.pod != records[0].from.pod
	}
	return differs
}

func collectRecords(value any, around origin, into *[]record) {
	switch value := value.(type) {
	case []any:
		if text, at, is := lokiEntry(value); is {
			*into = append(*into, record{at, text, around})
			return
		}
		for _, inner := range value {
			collectRecords(inner, around, into)
		}
	case map[string]any:
		around = originOf(value, around)
		if r, is := recordOf(value); is {
			r.from = around
			*into = append(*into, r)
			return
		}
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			collectRecords(value[name], around, into)
		}
	}
}

// lokiEntry parses ["1700000000000000000", "text"], with or without labels
// after it (Grafana Loki HTTP API, streams).
func lokiEntry(values []any) (text string, at time.Time, is bool) {
	if len(values) < 2 || len(values) > 3 {
		return "", at, false
	}
	stamp, first := values[0].(string)
	text, second := values[1].(string)
	if at = instantOf(stamp); !first || !second || at.IsZero() {
		return "", at, false
	}
	return text, at, true
}

// recordOf parses an object with a message and a time, either of which may be
// in a nested object.
func recordOf(fields map[string]any) (r record, is bool) {
	for _, inside := range append([]string{""}, innerFields...) {
		inner := fields
		if inside != "" {
			inner, _ = fields[inside].(map[string]any)
		}
		for _, name := range messageFields {
			if r.text == "" {
				r.text = messageOf(inner[name])
			}
		}
		for _, name := range timeFields {
			if r.at.IsZero() {
				r.at = instantOf(inner[name])
			}
		}
	}
	for _, name := range errorFields {
		if text, _ := fields[name].(string); r.text != "" && text != "" && !strings.Contains(r.text, text) {
			r.text += ": " + text
		}
	}
	// Cloud Logging takes a line that is JSON apart.
	if payload, _ := fields["jsonPayload"].(map[string]any); r.text == "" && hasNumber(payload) {
		text, err := json.Marshal(payload)
		if err != nil {
			return r, false
		}
		r.text = string(text)
	}
	return r, r.text != "" && !r.at.IsZero()
}

// messageOf returns a string, or decodes one from byte numbers, as journalctl
// writes a message that is not plain text.
func messageOf(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		var text []byte
		for _, one := range value {
			number, is := one.(float64)
			if !is || number < 0 || number > 255 {
				return ""
			}
			text = append(text, byte(number))
		}
		return string(text)
	}
	return ""
}

// instantOf parses a time as text or as a number since 1970 in seconds,
// milli-, micro- or nanoseconds; zero for none.
func instantOf(value any) time.Time {
	number := 0.0
	switch value := value.(type) {
	case float64:
		number = value
	case string:
		if at, err := time.Parse(time.RFC3339Nano, value); err == nil {
			return at
		}
		whole, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return time.Time{}
		}
		number = float64(whole)
	}
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
		if seconds := number * unit.Seconds(); seconds > 5e8 && seconds < 1e10 {
			return time.Unix(0, int64(number)*int64(unit))
		}
	}
	return time.Time{}
}
