package dump

import (
	"bytes"
	"encoding/json"
	"regexp"
	"unicode/utf8"

	"github.com/traintop/traintop/sources/dump/document"
	"github.com/traintop/traintop/sources/dump/exported"
	"github.com/traintop/traintop/sources/flightrecord"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/metrics"
)

// content is the type of a file, judged by its first bytes.
type content int

const (
	isYAML content = iota
	isJSON
	isLog     // lines of text of no other type
	isMetrics // metrics of exporters and GPU tools
	isFlight  // a dump of PyTorch's flight recorder
	isForeign // text of another type; detect returns a description
	isBinary  // not text; detect returns a description
)

// sniffSize is how much of a file decides its type: enough for a licence or a
// page of comments above the first document.
const sniffSize = 64 << 10

var (
	// objectLine starts a line of YAML that only occurs in a Kubernetes object
	// or list.
	objectLine = regexp.MustCompile(`^(?:--- *)?(?:- +)?["']?(?:apiVersion|kind|items|metadata)["']?[ \t]*:(?:[ \t\r]|$)`)
	// mappingLine may be a line of YAML, namedLine one of an object whose kind
	// does not come first.
	mappingLine = regexp.MustCompile(`^["']?[A-Za-z][\w./-]*["']?[ \t]*:(?:[ \t\r]|$)`)
	namedLine   = regexp.MustCompile(`(?m)^["']?(?:apiVersion|kind)["']?[ \t]*:(?:[ \t\r]|$)`)
	// tableLine is the header of a kubectl get table.
	tableLine = regexp.MustCompile(`^(?:NAMESPACE|NAME|LAST SEEN) {2,}[A-Z]`)
	// describeLine starts kubectl describe.
	describeLine = regexp.MustCompile(`^Name: {2,}\S`)
	// podRow is a row of kubectl get pods, with or without a namespace.
	podRow = regexp.MustCompile(`^(?:[a-z0-9][-a-z0-9]* +)?[a-z0-9][-.a-z0-9]* +[0-9]+/[0-9]+ +[A-Z][A-Za-z:0-9/]+ +[0-9]+ `)
)

// detect determines the type of a file from its first bytes. For content that
// is neither objects nor a log nor metrics, it returns a description.
func detect(head []byte) (is content, what string) {
	head = bytes.TrimPrefix(head, utf8BOM)
	text := bytes.TrimSpace(head)
	first := significant(head)
	switch {
	case len(text) == 0:
		return isForeign, emptyFile
	case packing(head) != "":
		return isBinary, packing(head)
	case flightrecord.Is(head):
		return isFlight, ""
	case binary(beforeMember(head)):
		return isBinary, "binary data, not Kubernetes objects or a log"
	case isCollected(text):
		return isLog, ""
	case isMetricText(head):
		return isMetrics, ""
	case isLoggedJSON(document.NullNumbers(text)):
		return isLog, ""
	case exported.StartsJSON(text):
		return isJSON, ""
	case objectLine.Match(first), isWatched(head), bytes.HasPrefix(text, []byte("--- {")),
		mappingLine.Match(first) && namedLine.Match(head), isFlow(head):
		return isYAML, ""
	case tableLine.Match(answer(text)), isPodRows(text):
		return isForeign, tableFile
	case describeLine.Match(answer(text)):
		return isForeign, describeFile
	}
	return isLog, ""
}

// isCollected reports whether a text begins with the record of a line that a collector kept.
func isCollected(text []byte) bool {
	var records logfeed.Records
	first, _, whole := bytes.Cut(text, []byte{'\n'})
	_, is := records.Line(first)
	return is && whole
}

// isMetricText reports whether a text has metrics. An API server's refusal
// does not count: it may replace a list of objects as well as an exporter's
// answer.
func isMetricText(head []byte) bool {
	format := metrics.Detect(head)
	return format != metrics.NoFormat && format != metrics.ServerStatus
}

const (
	emptyFile    = "empty file"
	tableFile    = "a table of kubectl get, which lacks most fields; save the output of kubectl get -o yaml instead"
	describeFile = "the text of kubectl describe; save the output of kubectl get -o yaml instead"
)

// answer returns a text without the prompt, the command and kubectl's warnings
// before it.
func answer(text []byte) []byte {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		if line := text[:end]; end == 0 || !blank(line) && !isPrompt(line) && !warningLine.Match(line) {
			break
		}
		text = text[end:]
	}
	return text
}

// httpHead is what curl -i prints before an answer.
var httpHead = regexp.MustCompile(`\A(?:HTTP/[0-9.]+ \d{3}[^\n]*\n(?:[\w-]+:[^\n]*\n)*\s*)+`)

// typedLine is a command that was typed at a prompt.
var typedLine = regexp.MustCompile(`\A[ \t]*(?:[\w.@~:/\\()\[\] +-]{0,80})?[$#%>❯] +[a-z][^\n]*\n\s*`)

// leadOf returns the length of what is in front of an answer in JSON: the command that
// was typed, and the heading of the answer's transport. It is 0 before anything else.
func leadOf(head []byte) (length int) {
	for _, before := range []*regexp.Regexp{typedLine, httpHead} {
		length += len(before.Find(head[length:]))
	}
	if length == len(head) || head[length] != '{' && head[length] != '[' {
		return 0
	}
	return length
}

// isPodRows reports whether a text has rows of kubectl get pods without the
// header.
func isPodRows(text []byte) bool {
	rows := 0
	for line := range bytes.Lines(answer(text)) {
		switch {
		case blank(line):
		case !podRow.Match(line):
			return false
		default:
			rows++
		}
	}
	return rows > 0
}

// significant returns the first line that is no comment, blank or YAML
// document marker.
func significant(head []byte) []byte {
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) > 0 && line[0] != '#' && line[0] != '%' && !markLine.Match(line) {
			return line
		}
	}
	return nil
}

// markLine is a YAML document marker, with or without a comment.
var markLine = regexp.MustCompile(`^(?:---|\.\.\.)(?:[ \t]+#.*|[ \t]*)\r?\n?$`)

// isFlow reports whether a text begins with an object in YAML's flow style, as
// JSON after a marker or a comment does.
func isFlow(head []byte) bool {
	first, text := significant(head), bytes.TrimSpace(head)
	return len(first) > 0 && first[0] == '{' && text[0] != '{' && versionField.Match(head) && kindField.Match(head)
}

// watchLine starts an event printed by kubectl get --output-watch-events.
var watchLine = regexp.MustCompile(`^(?:object:|type: *["']?(?:ADDED|MODIFIED|DELETED|BOOKMARK|ERROR)["']?)[ \t\r]*$`)

// isWatched reports whether a text begins with a watch event in YAML, whose
// object is indented and must stay so.
func isWatched(head []byte) bool {
	return watchLine.Match(significant(head)) && versionField.Match(head) && kindField.Match(head)
}

// binary reports whether too many bytes cannot occur in text. A log may have a
// few: output of a collective while a process died, or the hole from
// truncating a file in use. One in GBK, GB18030, Shift-JIS, EUC-KR or Latin-1 has
// many that are not UTF-8, among lines of ASCII, and no control characters.
func binary(head []byte) bool {
	head = nulRun.ReplaceAll(head, nil)
	odd, controls, plain := 0, 0, 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(rest):
			odd++
		case r == 0x7f || r < ' ' && !bytes.ContainsRune([]byte("\t\n\r\b\a\f\x1b"), r):
			odd++
			controls++
		case r < utf8.RuneSelf:
			plain++
		}
		rest = rest[size:]
	}
	if odd*10 <= len(head) {
		return len(head) == 0
	}
	const leastPlain, mostControls = 4, 500 // a fourth of the bytes, one in five hundred
	return plain*leastPlain < len(head) || controls*mostControls > len(head) || bytes.IndexByte(head, '\n') < 0
}

// nulRun is such a hole, or unwritten blocks after a crash.
var nulRun = regexp.MustCompile(`\x00{16,}`)

// isLoggedJSON reports whether a text of JSON is a log.
func isLoggedJSON(text []byte) bool {
	return isJSONLines(text) || exported.IsRecords(text) || beginsWithSettings(text)
}

// isJSONLines distinguishes a log of JSON lines from an object: each line is a
// JSON object, without the fields of a Kubernetes object.
func isJSONLines(text []byte) bool {
	lines, logged := 0, false
	for line := range bytes.Lines(text) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(line, &fields) != nil {
			return lines > 1 || lines == 1 && logged
		}
		for _, name := range []string{"apiVersion", "kind", "metadata", "items", "object"} {
			if _, has := fields[name]; has {
				return false
			}
		}
		for _, name := range []string{"log", "time", "ts", "timestamp", "@timestamp", "level", "severity", "msg", "message", "loss", "step", "epoch"} {
			_, has := fields[name]
			logged = logged || has
		}
		logged = logged || len(fields) > 0 && len(line) == len(text) // a file of one line
		if lines++; lines == 3 {
			return true
		}
	}
	return lines > 1 || lines == 1 && logged
}

// beginsWithSettings reports whether a text is a log whose program printed its settings as
// JSON first: behind the object there are lines of text.
func beginsWithSettings(text []byte) bool {
	if text[0] != '{' {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	var fields map[string]json.RawMessage
	if decoder.Decode(&fields) != nil {
		return false
	}
	for _, name := range []string{"apiVersion", "kind", "metadata", "items", "object", "status", "data", "events", "hits", "type"} {
		if _, has := fields[name]; has {
			return false // an object, or an answer of a cluster or of a store of logs
		}
	}
	behind := bytes.TrimSpace(text[decoder.InputOffset():])
	return bytes.IndexByte(behind, '\n') > 0 && behind[0] != '{' && behind[0] != '[' && behind[0] != ','
}

var utf8BOM = []byte{0xef, 0xbb, 0xbf}
