package dump

import (
	"bytes"
	"encoding/json"
	"regexp"
	"unicode/utf8"

	"github.com/traintop/traintop/sources/flightrecord"
	"github.com/traintop/traintop/sources/metrics"
)

// content is what the first bytes of a file say it is.
type content int

const (
	isYAML content = iota
	isJSON
	isLog     // lines of text that are nothing else
	isMetrics // what exporters and tools say of GPUs
	isFlight  // a dump of PyTorch's flight recorder
	isForeign // text of something else; the words say of what
	isBinary  // no text; the words say what it is
)

// sniffSize is how much of a file decides what it is: enough for a licence or
// a page of comments above the first document.
const sniffSize = 64 << 10

var (
	// objectLine starts a line of YAML that only a Kubernetes object or list has.
	objectLine = regexp.MustCompile(`^(?:--- *)?(?:- +)?["']?(?:apiVersion|kind|items|metadata)["']?[ \t]*:(?:[ \t\r]|$)`)
	// mappingLine may be a line of YAML, namedLine one of an object whose
	// kind does not stand first.
	mappingLine = regexp.MustCompile(`^["']?[A-Za-z][\w./-]*["']?[ \t]*:(?:[ \t\r]|$)`)
	namedLine   = regexp.MustCompile(`(?m)^["']?(?:apiVersion|kind)["']?[ \t]*:(?:[ \t\r]|$)`)
	// tableLine heads the tables of kubectl get.
	tableLine = regexp.MustCompile(`^(?:NAMESPACE|NAME|LAST SEEN) {2,}[A-Z]`)
	// describeLine starts kubectl describe.
	describeLine = regexp.MustCompile(`^Name: {2,}\S`)
	// podRow is a row of kubectl get pods, with a namespace or without.
	podRow = regexp.MustCompile(`^(?:[a-z0-9][-a-z0-9]* +)?[a-z0-9][-.a-z0-9]* +[0-9]+/[0-9]+ +[A-Z][A-Za-z:0-9/]+ +[0-9]+ `)
)

// detect looks at the first bytes of a file. For content that is neither
// objects nor a log nor metrics, what says so in words.
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
	case binary(head):
		return isBinary, "binary data, not Kubernetes objects or a log"
	case isMetricText(head):
		return isMetrics, ""
	case isJSONLines(text):
		return isLog, ""
	case startsJSON(text):
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

// isMetricText leaves an API server's refusal to the objects, whose list it
// stands for as often as for an exporter's answer.
func isMetricText(head []byte) bool {
	format := metrics.Detect(head)
	return format != metrics.NoFormat && format != metrics.ServerStatus
}

const (
	emptyFile    = "empty file"
	tableFile    = "a table of kubectl get, which lacks most fields; save the output of kubectl get -o yaml instead"
	describeFile = "the text of kubectl describe; save the output of kubectl get -o yaml instead"
)

// answer is a text without the prompt, the command and kubectl's warnings that
// stand before it.
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

// isPodRows reports whether a text is rows of kubectl get pods without their head.
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

// significant is the first line that is no comment, blank or mark between
// documents of YAML.
func significant(head []byte) []byte {
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) > 0 && line[0] != '#' && line[0] != '%' && !markLine.Match(line) {
			return line
		}
	}
	return nil
}

// markLine is a mark between documents of YAML, with a comment or without.
var markLine = regexp.MustCompile(`^(?:---|\.\.\.)(?:[ \t]+#.*|[ \t]*)\r?\n?$`)

// isFlow reports whether a text begins with an object in YAML's flow form, as
// JSON behind a mark or a comment is.
func isFlow(head []byte) bool {
	first, text := significant(head), bytes.TrimSpace(head)
	return len(first) > 0 && first[0] == '{' && text[0] != '{' && versionField.Match(head) && kindField.Match(head)
}

// watchLine begins what kubectl get --output-watch-events prints for an event.
var watchLine = regexp.MustCompile(`^(?:object:|type: *["']?(?:ADDED|MODIFIED|DELETED|BOOKMARK|ERROR)["']?)[ \t\r]*$`)

// isWatched reports whether a text begins with an event of a watch in YAML,
// around whose object there is no indentation to be taken off.
func isWatched(head []byte) bool {
	return watchLine.Match(significant(head)) && versionField.Match(head) && kindField.Match(head)
}

// binary reports whether a share of the bytes is nothing that text holds. A
// log may hold a few: what a collective wrote while a process died, the hole
// that truncating a file in use leaves.
func binary(head []byte) bool {
	head = nulRun.ReplaceAll(head, nil)
	odd := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 && utf8.FullRune(rest) || r < ' ' && !bytes.ContainsRune([]byte("\t\n\r\b\a\f\x1b"), r) {
			odd++
		}
		rest = rest[size:]
	}
	return odd*10 > len(head) || len(head) == 0
}

// nulRun is such a hole, or what a crash left of blocks that were not written.
var nulRun = regexp.MustCompile(`\x00{16,}`)

// isJSONLines tells a log of JSON lines from an object: its lines are objects
// each, without what makes one Kubernetes'.
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

var utf8BOM = []byte{0xef, 0xbb, 0xbf}

// startsJSON tells JSON from text that happens to start with a bracket, a log
// line or a Python dict.
func startsJSON(text []byte) bool {
	rest := bytes.TrimSpace(text[1:])
	switch {
	case len(rest) == 0:
		return false
	case text[0] == '{':
		return rest[0] == '"' || rest[0] == '}'
	case text[0] == '[':
		return rest[0] == '{' || rest[0] == ']' || bytes.HasPrefix(rest, []byte("[[[["))
	}
	return false
}
