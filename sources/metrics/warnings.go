package metrics

import (
	"bytes"
	"regexp"

	"github.com/traintop/traintop/sources/metrics/tools"
)

// mostWarnings bounds the lines above a document in JSON.
const mostWarnings = 8

// toolWarning matches what a tool, or the Python that runs it, writes before it
// answers in JSON.
var toolWarning = regexp.MustCompile(`^(?i:(?:\S+[:.])?[ \[]*(?:warning|warn|note|notice|info|deprecated|\w+warning)\b|sudo:|mesg:)`)

// httpHeading is what curl -i prints above an answer.
var httpHeading = regexp.MustCompile(`^HTTP/[0-9.]+ \d{3}[^\n]*\n(?:[\w-]+:[^\n]*\n)*`)

// warningsAbove returns how many bytes of a text are lines above a document in JSON:
// warnings of its tool, the heading of its transport, or the command that a person typed.
// 0 is none.
func warningsAbove(text []byte) int {
	at := 0
	for range mostWarnings {
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
		if rest := text[at:]; len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
			return at
		}
		if heading := httpHeading.Find(text[at:]); heading != nil {
			at += len(heading)
			continue
		}
		line, _, found := bytes.Cut(text[at:], []byte{'\n'})
		if !found || !toolWarning.Match(line) && !tools.Typed.Match(line) {
			return 0
		}
		at += len(line) + 1
	}
	return 0
}

// withoutWarnings replaces the lines above a document in JSON by blank ones, so that
// the number of a line stays what it was.
func withoutWarnings(text []byte) []byte {
	at := warningsAbove(text)
	if at == 0 {
		return text
	}
	return append(bytes.Repeat([]byte{'\n'}, bytes.Count(text[:at], []byte{'\n'})), text[at:]...)
}

// detectBelowWarnings returns the format of a document in JSON that has warnings
// above it. A log may begin with a warning, and its second line be an answer in
// JSON: only what Prometheus alone writes counts as one of its answers.
func detectBelowWarnings(text []byte) Format {
	at := warningsAbove(text)
	if at == 0 {
		return NoFormat
	}
	switch format := detectJSON(text[at:]); format {
	case ServerStatus:
		return NoFormat
	case PrometheusAPI:
		if !bytes.Contains(text[at:], []byte(`"resultType"`)) {
			return NoFormat
		}
		return format
	default:
		return format
	}
}
