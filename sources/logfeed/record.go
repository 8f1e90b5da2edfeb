package logfeed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Record is one line of a log as a collector of logs keeps it: an object with the line,
// its time, and who printed it.
type Record struct {
	At   time.Time // zero where the record has none
	Text string
	Origin
	// of is the output that the line was printed to, partial is true where it goes on in
	// the next record.
	of      output
	partial bool
}

// Origin is what a record, or an object around it, states about who printed it.
type Origin struct{ Pod, Container string }

// Records reads records of one source. Collectors let a person choose in which field the
// line is, so it remembers what it saw in fields of unknown names: the line changes, and
// what describes its program does not.
type Records struct {
	weights map[string]*fieldWeight
}

// fieldWeight is how many bytes a field of an unknown name had in values that differ.
type fieldWeight struct {
	last  string
	bytes int
}

// mostFields limits how many fields are remembered.
const mostFields = 64

// Names of fields in letters alone and in lower case ("@timestamp" is "timestamp"), the
// most specific first.
var (
	lineNames = []string{"textpayload", "message", "msg", "log", "line"}
	// errorNames are where loggers of Go write what went wrong, beside what they report
	// about it (zap, logr, logrus, zerolog).
	errorNames = []string{"error", "err"}
	// collectedNames are those of records that name a pod.
	collectedNames = []string{"logmessage", "body", "raw"}
	timeNames      = []string{"timestamp", "time", "ts", "realtimetimestamp", "timegenerated", "timeunixnano", "observedtimeunixnano", "eventtime", "datetime", "date"}
	// wrapperNames are objects within a record that have its line.
	wrapperNames = []string{"jsonpayload", "source", "attributes", "result"}
	// originNames are objects in which Fluent Bit, Fluentd, Filebeat and Vector (kubernetes),
	// Promtail and Alloy (labels of a stream), Cloud Logging (resource.labels) and
	// OpenTelemetry (resource.attributes) write who printed a line.
	originNames = []string{"kubernetes", "stream", "resource", "labels", "source", "metadata", "result", "attributes", "ks"}
	// describing are fields that name who printed a line, and where it was kept.
	describing = []string{
		"namespace", "namespacename", "host", "hostname", "node", "nodename", "stream", "logstream", "level", "severity", "source", "sourcetype", "logsource", "type",
		"index", "id", "uid", "image", "containerimage", "cluster", "app", "job", "tag", "tags", "file", "filename", "path", "logname", "logstreamname", "loggroupname", "p", "logtag",
	}
	// ownNames are fields of records that a program wrote: what is beside its message belongs
	// to it.
	ownNames = []string{"level", "lvl", "levelname", "loglevel", "severity", "logger", "caller", "v", "step", "globalstep", "iter", "iteration", "epoch", "loss", "rank", "localrank"}
	// streamNames are fields with the file or the stream of a container's log.
	streamNames = []string{"logstreamname", "logstream", "tag", "file", "filename", "path", "fluentbittag"}
)

var (
	nameOfPod = regexp.MustCompile(`^[a-z0-9][-.a-z0-9]*$`)
	// containerFile is the name of a container's log under /var/log/containers (kubelet
	// pkg/kubelet/kuberuntime/legacy.go, 1.36), which collectors use as a tag; streamOfPod is
	// one without the container's identifier.
	containerFile = regexp.MustCompile(`(?:^|[./\s])([a-z0-9][-a-z0-9]*)_([a-z0-9][-a-z0-9]*)_([a-z0-9][-a-z0-9]*)-[0-9a-f]{64}`)
	// rankStream is the name of a stream that is one of several of a name.
	rankStream  = regexp.MustCompile(`^[a-z0-9][-a-z0-9]*-\d{1,4}$`)
	streamOfPod = regexp.MustCompile(`^(?:\S*[./])?([a-z0-9][-a-z0-9]*)_([a-z0-9][-a-z0-9]*)_([a-z0-9][-a-z0-9]*)$`)
	// bracketTime is the time of a record that Fluent Bit prints to its standard output.
	bracketTime = regexp.MustCompile(`\[(\d{9,10}(?:\.\d+)?),`)
)

// lettersOf returns the name of a field in letters alone and in lower case.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)
}

// member is one field of an object.
type member struct {
	name  string // in letters alone
	value any
}

// membersOf returns the fields of an object, or of a list of keys and values as
// OpenTelemetry writes it, in the order of their names.
func membersOf(value any) []member {
	var all []member
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			all = append(all, member{lettersOf(name), inner})
		}
	case []any:
		for _, one := range value {
			pair, _ := one.(map[string]any)
			if name, is := pair["key"].(string); is {
				all = append(all, member{lettersOf(name), pair["value"]})
			}
		}
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return all
}

// named returns the value of the field whose name comes first in names that reads.
func named[T any](all []member, names []string, read func(any) (T, bool)) (found T, is bool) {
	for _, name := range names {
		for _, m := range all {
			if m.name != name {
				continue
			}
			if found, is = read(m.value); is {
				return found, true
			}
		}
	}
	return found, false
}

// OriginOf returns what an object states about who printed it, or what an object around it stated.
func OriginOf(fields any, around Origin) Origin {
	all, from := membersOf(fields), Origin{}
	for _, m := range all {
		switch {
		case isPodName(m.name):
			from.Pod = cmp.Or(from.Pod, nameIn(m.value))
		case strings.HasSuffix(m.name, "containername"), m.name == "container":
			from.Container = cmp.Or(from.Container, nameIn(m.value))
		}
	}
	if from.Pod == "" {
		from, _ = named(all, streamNames, func(value any) (Origin, bool) {
			text, _ := value.(string)
			return originIn(text, from)
		})
	}
	for _, m := range all {
		if text, _ := m.value.(string); from.Pod == "" && strings.HasPrefix(m.name, "logstream") && rankStream.MatchString(text) {
			from.Pod = text
		}
	}
	from = Origin{cmp.Or(from.Pod, around.Pod), cmp.Or(from.Container, around.Container)}
	for _, m := range all {
		switch {
		case slices.Contains(originNames, m.name):
			from = OriginOf(m.value, from)
		case m.name == "tags":
			from = OriginOf(tagsOf(m.value), from)
		}
	}
	return from
}

// tagsOf returns the names and values of tags as Datadog lists them ("pod_name:llm-0");
// nil for other tags.
func tagsOf(value any) map[string]any {
	list, _ := value.([]any)
	tags := map[string]any{}
	for _, item := range list {
		text, _ := item.(string)
		name, of, found := strings.Cut(text, ":")
		if !found {
			continue
		}
		if _, twice := tags[name]; !twice {
			tags[name] = of
		}
	}
	return tags
}

func isPodName(name string) bool {
	return name == "pod" || name == "kubernetespod" || name == "kspod" || strings.HasSuffix(name, "podname")
}

// nameIn returns a name, or that in an object (kubernetes.pod.name of Filebeat).
func nameIn(value any) string {
	if inner, is := value.(map[string]any); is {
		value = cmp.Or(inner["name"], inner["stringValue"])
	}
	if text, _ := value.(string); nameOfPod.MatchString(text) {
		return text
	}
	return ""
}

// originIn returns the pod and the container that the name of a stream or file names.
func originIn(text string, from Origin) (Origin, bool) {
	m := containerFile.FindStringSubmatch(text)
	if m == nil {
		m = streamOfPod.FindStringSubmatch(text)
	}
	if m == nil {
		return from, false
	}
	return Origin{m[1], m[3]}, true
}

// Of reads an object that has a line; it may have a time. Only an object that names the
// pod which printed it, or that is inside one which does, may have its line in a field of
// any name.
func (r *Records) Of(fields map[string]any, around Origin) (found Record, is bool) {
	found.Origin = OriginOf(fields, around)
	levels := []map[string]any{fields}
	for _, m := range membersOf(fields) {
		if inner, isObject := m.value.(map[string]any); isObject && slices.Contains(wrapperNames, m.name) {
			levels = append(levels, inner)
		}
	}
	names := lineNames
	if found.Pod != "" {
		names = slices.Concat(lineNames, collectedNames)
	}
	for _, level := range levels {
		all := membersOf(level)
		if found.Text == "" {
			found.Text, _ = named(all, names, messageIn)
		}
		if found.At.IsZero() {
			found.At, _ = named(all, timeNames, func(value any) (time.Time, bool) {
				at := InstantOf(value)
				return at, !at.IsZero()
			})
		}
	}
	for _, name := range errorNames {
		if text, _ := fields[name].(string); found.Text != "" && text != "" && !strings.Contains(found.Text, text) {
			found.Text += ": " + text
		}
	}
	if payload, _ := fields["jsonPayload"].(map[string]any); found.Text == "" && HasNumber(payload) {
		text, err := json.Marshal(payload) // Cloud Logging takes a line that is JSON apart
		if err != nil {
			return found, false
		}
		found.Text = string(text)
	}
	if found.Text == "" && found.Pod != "" {
		found.Text = r.line(levels, found.Origin)
	}
	is = found.Text != "" // an empty line has its end alone
	found.Text = strings.TrimRight(found.Text, "\r\n")
	return found, is
}

// placeNames are numbers of a record that measure nothing.
var placeNames = []string{"line", "lineno", "pid", "tid", "thread", "process", "level", "v", "seq", "time", "timestamp", "ts"}

// HasNumber reports whether a record measures something.
func HasNumber(fields map[string]any) bool {
	for name, value := range fields {
		if _, is := value.(float64); is && !slices.Contains(placeNames, lettersOf(name)) {
			return true
		}
	}
	return false
}

// line returns the value of the field that is most probably the line, "" for none.
func (r *Records) line(levels []map[string]any, from Origin) (line string) {
	best, longest := -1, -1
	for _, level := range levels {
		for _, m := range membersOf(level) {
			text, is := m.value.(string)
			if !is || text == "" || text == from.Pod || isPodName(m.name) || slices.Contains(describing, m.name) || slices.Contains(timeNames, m.name) || strings.HasSuffix(m.name, "containername") || isInstant(text) {
				continue
			}
			length := len(text)
			if strings.IndexByte(text, ' ') < 0 {
				length = 0 // a name may be long
			}
			if weight := r.weigh(m.name, text); weight > best || weight == best && length > longest {
				best, longest, line = weight, length, text
			}
		}
	}
	return line
}

// weigh notes the value of a field and returns how much it had in values that differ.
func (r *Records) weigh(name, text string) int {
	if r.weights == nil {
		r.weights = map[string]*fieldWeight{}
	}
	w := r.weights[name]
	if w == nil {
		if len(r.weights) == mostFields {
			return 0
		}
		r.weights[name] = &fieldWeight{last: text}
		return 0
	}
	if w.last != text {
		w.last = text
		w.bytes = min(w.bytes+len(text), math.MaxInt32)
	}
	return w.bytes
}

// messageIn returns a string, or decodes one from byte numbers, as journalctl writes a
// message that is not plain text, or from OpenTelemetry's value.
func messageIn(value any) (text string, is bool) {
	switch value := value.(type) {
	case string:
		return value, value != ""
	case map[string]any:
		text, _ = value["stringValue"].(string)
	case []any:
		raw := make([]byte, 0, len(value))
		for _, one := range value {
			number, isNumber := one.(float64)
			if !isNumber || number < 0 || number > 255 {
				return "", false
			}
			raw = append(raw, byte(number))
		}
		text = string(raw)
	}
	return text, text != ""
}

// InstantOf parses a time as text or as a number since 1970 in seconds, milli-, micro- or
// nanoseconds; zero for none.
func InstantOf(value any) time.Time {
	switch value := value.(type) {
	case float64:
		return inUnits(int64(value), value-math.Trunc(value))
	case string:
		if at, err := time.Parse(time.RFC3339Nano, value); err == nil {
			return at
		}
		whole, rest, _ := strings.Cut(value, ".")
		number, err := strconv.ParseInt(whole, 10, 64)
		if err != nil {
			return dateTime([]byte(value), time.UTC)
		}
		part, err := strconv.ParseFloat("0."+rest, 64)
		if err != nil {
			part = 0
		}
		return inUnits(number, part)
	}
	return time.Time{}
}

// ofInstant matches the words of a time: numbers, zones, and names of months and days.
var ofInstant = regexp.MustCompile(`^(?:[-+:/.,\dTZ]*\d[-+:/.,\dTZ]*|[A-Z]{2,5}|[A-Z][a-z]{2},?)$`)

// isInstant reports whether a text is a time and nothing else.
func isInstant(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool { return !ofInstant.MatchString(word) }) && !InstantOf(text).IsZero()
}

// inUnits returns a time of a whole number of some unit since 1970, and a part of it.
func inUnits(number int64, part float64) time.Time {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
		if seconds := float64(number) * unit.Seconds(); seconds > 5e8 && seconds < 1e10 {
			return time.Unix(0, number*int64(unit)+int64(math.Round(part*float64(unit)/1e3)*1e3))
		}
	}
	return time.Time{}
}

// mayBeRecord reports whether the beginning of a line may become a record of a collector,
// whose end must be seen.
func mayBeRecord(p []byte) bool {
	return bytes.HasPrefix(p, []byte(`{"`)) || bytes.HasPrefix(p, []byte(`{ "`)) || containerFile.Match(p[:min(len(p), maxTag)])
}

// maxTag bounds what a collector prints before a record.
const maxTag = 512

// Line reads a line that is a record of a collector, which names the pod or has nothing but
// a time and a text; before it a collector may print the time and a tag. A record with fields
// of the program's own is none: they belong to its message.
func (r *Records) Line(p []byte) (found Record, is bool) {
	from := bytes.Index(p[:min(len(p), maxTag)], []byte(`{"`))
	if from < 0 && bytes.HasPrefix(p, []byte(`{ "`)) {
		from = 0
	}
	bare := from == 0 && bytes.Count(p, []byte(`":`)) == bareFields
	if from < 0 || from == 0 && !bare && !mayNamePod(p) {
		return found, false
	}
	head, object := p[:from], bytes.TrimRight(p[from:], " \t\r")
	if bytes.Contains(head, []byte("[")) {
		object = bytes.TrimSuffix(object, []byte("]"))
	}
	var tag Origin
	tagged := from > 0 && timeAndTag.Match(head)
	if m := containerFile.FindSubmatch(head); m != nil {
		tag = Origin{string(m[1]), string(m[3])}
	} else if from > 0 && !tagged {
		return found, false
	}
	var fields map[string]any
	if json.Unmarshal(object, &fields) != nil || isOwn(fields) {
		return found, false
	}
	if found, is = r.Of(fields, tag); bare && found.Pod == "" {
		found, is = bareRecord(fields)
	}
	if inner, nested := r.nested(&found); is && nested {
		return inner, true
	}
	if !is || found.Pod == "" && !bare && !tagged || strings.ContainsRune(found.Text, '\n') {
		return found, false
	}
	if found.At.IsZero() && from > 0 {
		found.At = timeOfTag(head)
	}
	stream, _ := fields["stream"].(string)
	found.of, found.partial = outputNamed(stream), fields["_p"] == "P" || fields["logtag"] == "P"
	return found, true
}

// podWords are parts of the fields in which a record names its pod, or the stream or file of
// its container's log.
var podWords = [...][]byte{[]byte("pod"), []byte("Pod"), []byte("POD"), []byte("tream"), []byte(`"tag`), []byte(`"file`), []byte(`"path`)}

// mayNamePod reports whether a record may name a pod, at less cost than to decode it.
func mayNamePod(p []byte) bool {
	return slices.ContainsFunc(podWords[:], func(word []byte) bool { return bytes.Contains(p, word) })
}

// timeAndTag matches what fluentd prints before a record (out_file, fluentd 1.16): the time and
// the tag, whatever it is, between tabs.
var timeAndTag = regexp.MustCompile(`^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+]\d\d:?\d\d)\t[^\t]+\t$`)

// nested reads a record whose text is another one, as CloudWatch keeps those of a collector.
func (r *Records) nested(around *Record) (inner Record, is bool) {
	if !strings.HasPrefix(around.Text, `{"`) || len(around.Text) > maxNested {
		return inner, false
	}
	if inner, is = r.Line([]byte(around.Text)); !is {
		return inner, false
	}
	if inner.At.IsZero() {
		inner.At = around.At
	}
	inner.Origin = Origin{cmp.Or(inner.Pod, around.Pod), cmp.Or(inner.Container, around.Container)}
	return inner, true
}

// maxNested bounds a record within a record.
const maxNested = 1 << 20

// bareFields is how many fields a record has that is nothing but a time and a text.
const bareFields = 2

// askedNames are fields with what a model was asked or answered, which is data.
var askedNames = []string{"prompt", "response", "answer", "completion", "question", "caption", "instruction", "input", "prediction", "sample", "example", "target"}

// bareRecord reads a record that is nothing but a time and a text.
func bareRecord(fields map[string]any) (found Record, is bool) {
	for name, value := range fields {
		letters := lettersOf(name)
		text, isText := value.(string)
		switch at := InstantOf(value); {
		case slices.Contains(timeNames, letters) && !at.IsZero():
			found.At = at
		case isText && !slices.Contains(askedNames, letters) && !slices.Contains(describing, letters):
			found.Text = strings.TrimRight(text, "\r\n")
		}
	}
	return found, len(fields) == bareFields && found.Text != "" && !found.At.IsZero()
}

// isOwn reports whether a program wrote a record, or it is an object of Kubernetes.
func isOwn(fields map[string]any) bool {
	text, _ := fields["textPayload"].(string)
	for name := range fields {
		letters := lettersOf(name)
		if name == "apiVersion" || name == "kind" || name == "involvedObject" || slices.Contains(ownNames, letters) && !(letters == "severity" && text != "") || strings.Contains(letters, "loss") {
			return true
		}
	}
	return false
}

// timeOfTag returns the time that a collector prints before a record.
func timeOfTag(head []byte) time.Time {
	if m := bracketTime.FindSubmatch(head); m != nil {
		return InstantOf(string(m[1]))
	}
	if s := readStamp(head); s.size > 0 {
		return s.at
	}
	return dateTime(head, time.UTC)
}
