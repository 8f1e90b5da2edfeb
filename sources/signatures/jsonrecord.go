package signatures

import (
	"bytes"
	"regexp"
	"strings"
)

// WithoutData returns a line of a log without what the fields of data of a JSON record
// contain: a sample or an answer of a model that quotes an error is nobody's error. The
// fields of a logger (message, error, exception, stack, ...) stay, and all fields of a
// record whose level is a warning or worse or that names the stream of what was printed.
// Any other line is returned as it is.
func WithoutData(text []byte) []byte {
	begin := bytes.Index(text, recordBegin)
	end := bytes.LastIndexByte(text, '}') + 1
	if begin < 0 || end <= begin || len(bytes.TrimSpace(text[end:])) > 0 || errorBefore.Match(text[:begin]) {
		return text
	}
	r := recordReader{text: text[:end], at: begin, logger: loggersField.Match(text[:end])}
	if !r.object(false, true) || r.at != end || r.logs || r.fields < 2 || len(r.data) == 0 || r.isBare() {
		return text
	}
	out, from := make([]byte, 0, len(text)), 0
	for _, span := range r.data {
		out = append(append(out, text[from:span.from]...), leftOut...)
		from = span.to
	}
	return append(out, text[from:]...)
}

var (
	recordBegin = []byte(`{"`)
	// leftOut is the placeholder of the content of a field of data.
	leftOut = []byte("…")
	// errorBefore matches what a program calls an error, or a quotation, before a record.
	errorBefore = regexp.MustCompile(`(?i)error|exception|fail|fatal|critical|panic|["']`)
	// alarmingLevel matches levels of loggers that are a warning or worse: by name, and the
	// numbers of Python, pino and bunyan.
	alarmingLevel = regexp.MustCompile(`(?i)^"?(?:\[?(?:warn|err|crit|fatal|panic|alert|emerg|exc|severe)|[4-9]0$)`)
	// loggersField matches a field that records of loggers have, samples of data not.
	loggersField = regexp.MustCompile(`(?i)"(?:log\.?|severity_?)?level(?:_?name)?"\s*:|"severity(?:text)?"\s*:|"record"\s*:\s*\{`)
	// keyWord splits the name of a field into its words.
	keyWord = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
)

// loggedKeys are words of names of fields in which loggers, collectors and launchers write
// what happened.
var loggedKeys = map[string]bool{
	"msg": true, "message": true, "error": true, "err": true, "errors": true, "exc": true, "exception": true, "exceptions": true, "stack": true, "stacktrace": true,
	"trace": true, "traceback": true, "callstack": true, "reason": true, "detail": true, "details": true, "cause": true, "failure": true, "warning": true, "fatal": true,
	"stderr": true, "stdout": true, "log": true, "line": true, "event": true, "status": true, "state": true, "description": true, "body": true, "payload": true,
}

// levelKeys are names of fields with the level of a record.
var levelKeys = map[string]bool{"level": true, "severity": true, "levelname": true, "lvl": true, "loglevel": true, "severitytext": true, "log.level": true, "level_name": true}

// span is a part of a text.
type span struct{ from, to int }

// recordReader walks through a JSON object.
type recordReader struct {
	text   []byte
	at     int
	fields int // of the object itself
	depth  int
	// logs is true where all its fields may report an error: its level is a warning or worse,
	// or it holds what a program printed to a stream, which it names. logger is true where a
	// logger wrote it, whose "text" is the line.
	logs, logger bool
	data         []span
	// times are how many fields are a time, asked is true where one is what a model was
	// asked or answered.
	times int
	asked bool
}

// isBare reports whether a record is nothing but a time and a text: the line of a program,
// whatever the name of its field.
func (r *recordReader) isBare() bool {
	return r.times > 0 && r.fields == r.times+1 && len(r.data) == 1 && !r.asked
}

// Names of fields with a time, without what loggers write before them, and with what a model
// was asked or answered.
var (
	timeKeys  = map[string]bool{"timestamp": true, "time": true, "ts": true, "asctime": true, "datetime": true, "date": true}
	askedKeys = map[string]bool{
		"prompt": true, "response": true, "answer": true, "completion": true, "question": true, "caption": true, "instruction": true, "input": true, "prediction": true, "sample": true, "example": true, "target": true,
	}
)

// deepest bounds how far objects are nested.
const deepest = 16

// object reads an object; logged is true where a field around it is a logger's. It returns
// false where the text is no JSON.
func (r *recordReader) object(logged, top bool) bool {
	if r.depth++; r.depth > deepest {
		return false
	}
	r.at++ // the brace
	for {
		r.space()
		if r.next('}') {
			r.depth--
			return true
		}
		key, ok := r.str()
		if !ok {
			return false
		}
		if r.space(); !r.next(':') {
			return false
		}
		name := string(r.text[key.from:key.to])
		if top {
			r.fields++
			r.level(name)
			if isTimeKey(name) {
				r.times++
			}
			r.asked = r.asked || askedKeys[strings.ToLower(name)]
		}
		if !r.value(logged || isLoggedKey(name) || isTimeKey(name) || name == "text" && r.logger) {
			return false
		}
		if r.space(); !r.next(',') && (r.at >= len(r.text) || r.text[r.at] != '}') {
			return false
		}
	}
}

func isTimeKey(name string) bool { return timeKeys[strings.ToLower(strings.TrimLeft(name, "@_"))] }

// level reads whether a field of the record itself is its level, and which.
func (r *recordReader) level(name string) {
	if levelKeys[strings.ToLower(name)] {
		r.space()
		end := bytes.IndexAny(r.text[r.at:], ",}")
		r.logs = r.logs || end > 0 && alarmingLevel.Match(bytes.TrimSpace(r.text[r.at:r.at+end]))
	}
}

func isLoggedKey(name string) bool {
	for _, word := range keyWord.FindAllString(name, -1) {
		if loggedKeys[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// value reads a value. A string of several words that no logger wrote is data.
func (r *recordReader) value(logged bool) bool {
	r.space()
	if r.at >= len(r.text) {
		return false
	}
	switch r.text[r.at] {
	case '"':
		s, ok := r.str()
		if content := string(r.text[s.from:s.to]); content == "stderr" || content == "stdout" {
			r.logs = true
		}
		if ok && !logged && bytes.IndexByte(r.text[s.from:s.to], ' ') >= 0 {
			r.data = append(r.data, s)
		}
		return ok
	case '{':
		return r.object(logged, false)
	case '[':
		return r.array(logged)
	}
	begin := r.at
	for r.at < len(r.text) && !bytes.ContainsRune([]byte(",]} \t"), rune(r.text[r.at])) {
		r.at++
	}
	return r.at > begin
}

func (r *recordReader) array(logged bool) bool {
	if r.depth++; r.depth > deepest {
		return false
	}
	r.at++
	for {
		r.space()
		if r.next(']') {
			r.depth--
			return true
		}
		if !r.value(logged) {
			return false
		}
		if r.space(); !r.next(',') && (r.at >= len(r.text) || r.text[r.at] != ']') {
			return false
		}
	}
}

// str reads a string and returns where its content is.
func (r *recordReader) str() (span, bool) {
	if !r.next('"') {
		return span{}, false
	}
	from := r.at
	r.at += endOfQuote(r.text[from:], '"')
	content := span{from, r.at}
	return content, r.next('"')
}

func (r *recordReader) next(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *recordReader) space() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
}
