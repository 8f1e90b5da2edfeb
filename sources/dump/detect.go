package dump

import (
	"bytes"
	"regexp"
)

// content is what the first bytes of a file say it is.
type content int

const (
	isYAML content = iota
	isJSON
	isForeign // no Kubernetes objects; the words say what it is instead
)

// sniffSize is how much of a file decides what it is: enough for a licence or
// a page of comments above the first document.
const sniffSize = 64 << 10

var (
	// objectLine starts a line of YAML that only a Kubernetes object or list has.
	objectLine = regexp.MustCompile(`(?m)^(?:--- *)?(?:- +)?["']?(?:apiVersion|kind|items|metadata)["']?[ \t]*:(?:[ \t\r]|$)`)
	// promLine is the comment of the Prometheus text format.
	promLine = regexp.MustCompile(`(?m)^# (?:HELP|TYPE) [a-zA-Z_:]`)
	// tableLine heads the tables of kubectl get.
	tableLine = regexp.MustCompile(`^(?:NAMESPACE|NAME|LAST SEEN) {2,}[A-Z]`)
	// describeLine starts kubectl describe.
	describeLine = regexp.MustCompile(`^Name: {2,}\S`)
)

// detect looks at the first bytes of a file. For content that holds no
// Kubernetes objects, what says so in words.
func detect(head []byte) (is content, what string) {
	head = bytes.TrimPrefix(head, utf8BOM)
	text := bytes.TrimSpace(head)
	switch {
	case len(text) == 0:
		return isForeign, "empty file"
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return isForeign, "UTF-16 text, as PowerShell's > writes it; save it as UTF-8"
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return isForeign, "zstd data, not Kubernetes objects"
	case bytes.IndexByte(head, 0) >= 0:
		return isForeign, "binary data, not Kubernetes objects"
	case startsJSON(text):
		return isJSON, ""
	case objectLine.Match(head), bytes.HasPrefix(text, []byte("--- {")):
		return isYAML, ""
	case promLine.Match(head):
		return isForeign, "metrics in Prometheus text format, not Kubernetes objects; metrics are not read from files"
	case bytes.Contains(head, []byte("NVIDIA-SMI")):
		return isForeign, "nvidia-smi output, not Kubernetes objects; it is not read from files"
	case tableLine.Match(text):
		return isForeign, "a table of kubectl get, which lacks most fields; save the output of kubectl get -o yaml instead"
	case describeLine.Match(text):
		return isForeign, "the text of kubectl describe; save the output of kubectl get -o yaml instead"
	}
	return isForeign, "plain text, not Kubernetes objects; logs are not read from files"
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
		return rest[0] == '{' || rest[0] == ']'
	}
	return false
}
