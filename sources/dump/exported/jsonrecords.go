package exported

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/logfeed"
)

// Programs that log in JSON may print each record over several lines
// (json.dumps(indent=2), the pretty printers of log libraries): the text is a
// sequence of objects, or an array of them.

// Names of fields in records of logs, in lower case.
var (
	objectFields   = []string{"apiversion", "kind", "metadata", "items", "object"}
	saidFields     = []string{"msg", "message", "log", "event"}
	levelFields    = []string{"level", "severity", "levelname", "lvl", "loglevel", "logger", "time", "timestamp", "@timestamp", "ts", "asctime"}
	positionFields = []string{"step", "global_step", "iter", "iteration", "epoch"}
)

// mostRecords is how many objects decide.
const mostRecords = 8

// IsRecords reports whether a text is a log of such records: most of its first
// objects state or measure something, and none is an object of Kubernetes. Settings
// and results are one object that does neither.
func IsRecords(text []byte) bool {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' || !StartsJSON(text) {
		return false
	}
	in := json.NewDecoder(bytes.NewReader(text))
	if text[0] == '[' {
		_, _ = in.Token() // the bracket that was seen
	}
	all, records := 0, 0
	for all < mostRecords {
		var fields map[string]json.RawMessage
		if in.Decode(&fields) != nil {
			break // the end of what was read of it, or of an array
		}
		if hasField(fields, objectFields) {
			return false
		}
		if all++; hasField(fields, saidFields) && hasField(fields, levelFields) || isMeasured(fields) {
			records++
		}
	}
	return records > 0 && 2*records >= all
}

func hasField(fields map[string]json.RawMessage, names []string) bool {
	for name := range fields {
		if slices.Contains(names, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// isMeasured reports whether an object has a position in a run and a loss at it.
func isMeasured(fields map[string]json.RawMessage) bool {
	if !hasField(fields, positionFields) {
		return false
	}
	return hasLoss(fields, mostNested)
}

// mostNested is how deep a record's losses are nested, as in {"metrics": {"val": {"loss": 2.5}}}.
const mostNested = 2

func hasLoss(fields map[string]json.RawMessage, nested int) bool {
	for name, value := range fields {
		if len(value) == 0 {
			continue
		}
		switch value[0] {
		case '{':
			var within map[string]json.RawMessage
			if nested > 0 && json.Unmarshal(value, &within) == nil && hasLoss(within, nested-1) {
				return true
			}
		case '[', '"':
		default:
			if strings.Contains(strings.ToLower(name), "loss") {
				return true
			}
		}
	}
	return false
}

// measured returns the whole objects of a sequence of records as lines, if one has
// numbers beside its message; else nil.
func measured(documents []any) (rows []logfeed.Record) {
	if len(documents) == 1 {
		if array, is := documents[0].([]any); is {
			documents = array
		}
	}
	numbers := false
	for _, document := range documents {
		fields, _ := document.(map[string]any)
		r, is := recordOf(fields)
		text, err := json.Marshal(fields)
		if !is || err != nil || ofCollector(fields) {
			return nil
		}
		numbers = numbers || logfeed.HasNumber(fields)
		rows = append(rows, logfeed.Record{At: r.At, Text: string(text)})
	}
	if !numbers {
		return nil
	}
	return rows
}

// ofCollector reports whether a collector of logs wrote the record, around what the
// program printed.
func ofCollector(fields map[string]any) bool {
	for _, name := range []string{"textPayload", "MESSAGE", "ingestionTime", "jsonPayload", "_source", "attributes"} {
		if fields[name] != nil {
			return true
		}
	}
	return false
}

// StartsJSON distinguishes JSON from text that happens to start with a
// bracket, such as a log line or a Python dict.
func StartsJSON(text []byte) bool {
	rest := bytes.TrimSpace(text[1:])
	switch {
	case len(rest) == 0:
		return false
	case text[0] == '{':
		return rest[0] == '"' || rest[0] == '}'
	case text[0] == '[':
		return rest[0] == ']' || bytes.HasPrefix(rest, []byte("[[[[")) || rest[0] == '{' && opensObject(rest[1:])
	}
	return false
}

// opensObject reports whether a text may go on behind the brace of a JSON object. A
// logger's "[{train.py:45} INFO - " does not.
func opensObject(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || text[0] == '"' || text[0] == '}'
}
