// Package exported reads logs and histories of runs as collectors and trainers export
// them: documents of JSON, records of JSON over several lines, and texts whose newest
// line comes first. It gives lines of a log, the oldest first.
package exported

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/sources/logfeed"
)

// Log collectors export logs as one JSON document: Loki's query_range,
// CloudWatch's get-log-events, an export of Cloud Logging, hits of
// Elasticsearch, Datadog's search. Their only common trait is that each record
// has a message and a time, so we search for these.
var (
	exportText = regexp.MustCompile(`"(?:message|msg|log|line|textPayload|jsonPayload|MESSAGE|logRecords)"\s*:|"@?(?:message|msg|log|line)"\s*[,\]}]|"[\w.]*[pP]od(?:[._]?[nN]ame)?"|"resultType"\s*:\s*"streams"`)
	exportTime = regexp.MustCompile(`"(?:@?timestamp|time|ts|_time|ingestionTime|__REALTIME_TIMESTAMP|TimeGenerated|timeUnixNano)"|"resultType"\s*:\s*"streams"`)
	objectWord = regexp.MustCompile(`"(?:apiVersion|resourceVersion|creationTimestamp|involvedObject)"\s*:`)
)

// entryOfGcloud and entryTime match lines of an entry of Cloud Logging in YAML, as gcloud
// logging read prints it, and ofObject one of an object of Kubernetes.
var (
	entryOfGcloud = regexp.MustCompile(`^(?:---\s+)?[\w-]+:(?s:.*)\n(?:textPayload|jsonPayload):`)
	ofObject      = regexp.MustCompile(`(?m)^["']?(?:apiVersion|kind)["']?[ \t]*:(?:[ \t\r]|$)`)
	entryTime     = regexp.MustCompile(`(?m)^timestamp: ['"]?\d{4}-`)
)

// maxExport limits a document that is read as a whole.
const maxExport = 64 << 20

// MayBe reports whether a text may be such a document.
func MayBe(head []byte) bool {
	text := bytes.TrimSpace(head)
	if entryOfGcloud.Match(text) && entryTime.Match(text) && !ofObject.Match(text) {
		return true
	}
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && StartsJSON(text) && !isMultiline(text) && !objectWord.Match(text) &&
		(exportText.Match(text) && exportTime.Match(text) || historyOfRun.Match(text) || listOfLosses.Match(text))
}

// isMultiline reports whether a text is JSON lines, which are read one by one: not those
// that hold records within lists, as OpenTelemetry writes many in one line, and as each
// page of an answer does.
func isMultiline(text []byte) bool {
	first, _, more := bytes.Cut(text, []byte{'\n'})
	return more && json.Valid(first) && !bytes.Contains(first, []byte(`"logRecords"`)) && !isPage(first)
}

// isPage reports whether a document is no record, and holds several in its lists.
func isPage(text []byte) bool {
	var document any
	if bytes.IndexByte(text, '[') < 0 || json.Unmarshal(text, &document) != nil {
		return false
	}
	if top, is := document.(map[string]any); is {
		if _, is = recordOf(top); is {
			return false
		}
	}
	var found collector
	found.collect(document, logfeed.Origin{})
	return len(found.all) > 1
}

// Lines converts such a document to lines that start with their time, the
// oldest first; nil for another document. read is all that was read, and lacks what the
// document states about records that it does not have.
func Lines(in io.Reader) (lines, read []byte, lacks string) {
	read, err := io.ReadAll(io.LimitReader(in, maxExport+1))
	if err != nil || len(read) > maxExport {
		return nil, read, ""
	}
	documents := documentsOf(read)
	if lines = historyLines(documents); lines != nil {
		return lines, read, ""
	}
	if len(documents) == 1 {
		if top, is := documents[0].(map[string]any); is {
			if _, is = recordOf(top); is {
				return nil, read, "" // the first line of a log of JSON lines, which may grow
			}
		}
	}
	var found collector
	for _, document := range documents {
		found.collect(document, logfeed.Origin{})
	}
	records := found.all
	several := ofSeveralPods(records)
	if timed := slices.IndexFunc(records, func(r logfeed.Record) bool { return r.At.IsZero() }) < 0; timed {
		if newestFirst(records) {
			slices.Reverse(records) // records of one instant are in this order too
		}
		slices.SortStableFunc(records, func(a, b logfeed.Record) int { return a.At.Compare(b.At) })
	}
	if rows := measured(documents); rows != nil {
		records = rows
	}
	for _, r := range records {
		lines = appendRecord(lines, r, several)
	}
	return lines, read, lacksOf(documents, len(records))
}

// newestFirst reports whether the times of records fall more often than they rise from one
// to the next.
func newestFirst(records []logfeed.Record) bool {
	falls := 0
	for i := 1; i < len(records); i++ {
		falls += records[i-1].At.Compare(records[i].At)
	}
	return falls > 0
}

// appendRecord writes the lines of a record as kubectl logs --timestamps --prefix does: all
// times have nine digits, so that they are taken off again.
func appendRecord(lines []byte, r logfeed.Record, several bool) []byte {
	for text := range strings.SplitSeq(r.Text, "\n") {
		if several {
			lines = append(lines, "[pod/"+r.Pod+"/"+cmp.Or(r.Container, "log")+"] "...)
		}
		if !r.At.IsZero() {
			lines = append(r.At.UTC().AppendFormat(lines, "2006-01-02T15:04:05.000000000Z07:00"), ' ')
		}
		lines = append(append(lines, text...), '\n')
	}
	return lines
}

// documentsOf returns the documents of a text; journalctl -o json-pretty
// prints one for each record. It returns nil if one is broken.
func documentsOf(text []byte) (documents []any) {
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '{' && text[0] != '[' {
		return yamlDocuments(text)
	}
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

// yamlDocuments returns the documents of a text in YAML, nil if one is broken.
func yamlDocuments(text []byte) (documents []any) {
	for part := range bytes.SplitSeq(text, []byte("\n---")) {
		var document any
		if yaml.Unmarshal(part, &document) != nil {
			return nil
		}
		documents = append(documents, document)
	}
	return documents
}

// ofSeveralPods reports whether each record names which pod printed it, and they are
// of several.
func ofSeveralPods(records []logfeed.Record) bool {
	differs := false
	for _, r := range records {
		if r.Pod == "" {
			return false
		}
		differs = differs || r.Pod != records[0].Pod
	}
	return differs
}

// collector gathers the records of documents.
type collector struct {
	logfeed.Records
	all []logfeed.Record
}

func (c *collector) collect(value any, around logfeed.Origin) {
	switch value := value.(type) {
	case []any:
		if text, at, is := lokiEntry(value); is {
			c.all = append(c.all, logfeed.Record{At: at, Text: text, Origin: around})
			return
		}
		if r, is := c.Of(pairsOf(value), around); is && !r.At.IsZero() {
			c.all = append(c.all, r)
			return
		}
		for _, inner := range value {
			c.collect(inner, around)
		}
	case map[string]any:
		if rows := rowsOf(value); rows != nil {
			c.collect(rows, around)
			return
		}
		if r, is := c.Of(value, around); is && !r.At.IsZero() {
			c.all = append(c.all, r)
			return
		}
		if single := singlesOf(value); single != nil {
			c.collect(single, around)
			return
		}
		around = logfeed.OriginOf(value, around)
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			c.collect(value[name], around)
		}
	}
}

// rowsOf returns the rows of a table as objects: Azure's Log Analytics, SQL of OpenSearch
// and Elasticsearch, InfluxDB and others write the names of the columns once, in one list,
// and the rows in another. nil for another object.
func rowsOf(table map[string]any) (rows []any) {
	var columns []string
	for _, name := range []string{"columns", "schema", "meta", "fields"} {
		if list, _ := table[name].([]any); columns == nil {
			columns = namesOf(list)
		}
	}
	for _, name := range []string{"rows", "datarows", "data", "values"} {
		values, _ := table[name].([]any)
		for _, value := range values {
			cells, is := value.([]any)
			if !is || len(columns) == 0 {
				break
			}
			row := map[string]any{}
			for i, cell := range cells[:min(len(cells), len(columns))] {
				row[columns[i]] = cell
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// namesOf returns the names of columns, which are texts or objects; nil where one has no
// name.
func namesOf(list []any) (names []string) {
	for _, item := range list {
		if column, is := item.(map[string]any); is {
			item = cmp.Or(column["name"], column["text"])
		}
		name, _ := item.(string)
		if name == "" {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// pairsOf returns the members that a list has as objects of a name and a value: answers of
// CloudWatch Logs Insights. nil for another list.
func pairsOf(list []any) map[string]any {
	fields := map[string]any{}
	for _, item := range list {
		pair, _ := item.(map[string]any)
		name, _ := pair["field"].(string)
		if name == "" || pair["value"] == nil {
			return nil
		}
		fields[name] = pair["value"]
	}
	return fields
}

// singlesOf returns the members of an object whose values are all lists of one, as
// Elasticsearch answers where fields are asked for. nil for another object.
func singlesOf(object map[string]any) map[string]any {
	singles := map[string]any{}
	for name, value := range object {
		list, _ := value.([]any)
		if len(list) != 1 {
			return nil
		}
		if _, is := list[0].(map[string]any); is {
			return nil
		}
		singles[name] = list[0]
	}
	if len(singles) < 2 {
		return nil
	}
	return singles
}

// lokiEntry parses ["1700000000000000000", "text"], with or without labels
// after it (Grafana Loki HTTP API, streams).
func lokiEntry(values []any) (text string, at time.Time, is bool) {
	if len(values) < 2 || len(values) > 3 {
		return "", at, false
	}
	stamp, first := values[0].(string)
	text, second := values[1].(string)
	if at = logfeed.InstantOf(stamp); !first || !second || at.IsZero() {
		return "", at, false
	}
	return strings.TrimRight(text, "\r\n"), at, true
}

// recordOf parses an object with a message and a time, either of which may be
// in a nested object.
func recordOf(fields map[string]any) (r logfeed.Record, is bool) {
	var records logfeed.Records
	r, is = records.Of(fields, logfeed.Origin{})
	return r, is && !r.At.IsZero()
}
