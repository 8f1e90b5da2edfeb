package cli

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// Output of commands is pasted into chats and tickets, so that secrets are
// masked in all of it but the logs themselves (docs/redaction.md). Findings
// have none.

// messages is standard error: each message is written at once, and secrets in
// its quotes of logs, objects and answers are masked.
type messages struct{ io.Writer }

// Write implements io.Writer.
func (m messages) Write(message []byte) (int, error) {
	if _, err := io.WriteString(m.Writer, redact.Text(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}

// shown is text of the cluster for a table, without control bytes and secrets.
func shown(text string) string { return redact.Text(termtext.Line(text)) }

// names are the fields of answers by which things are found again.
var names = []string{"name", "namespace", "group", "kind", "job", "node", "pod", "container", "object", "log", "queue", "uuid", "owner"}

// redactJSON masks secrets in the texts of an indented JSON answer, each by
// itself, other than names.
func redactJSON(text []byte) []byte {
	r := redact.New()
	var safe []byte
	kept, key := 0, ""
	for at := 0; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		end := literalEnd(text, at)
		is := end < len(text) && text[end] == ':'
		if word, changed := redactLiteral(r, text[at:end]); changed && (is || !slices.Contains(names, key)) {
			safe = append(append(safe, text[kept:at]...), word...)
			kept = end
		}
		if is {
			key = string(text[at+1 : end-1])
		}
		at = end - 1
	}
	if kept == 0 {
		return text
	}
	return append(safe, text[kept:]...)
}

// literalEnd is the index behind the quote that closes the one at an index.
func literalEnd(text []byte, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

func redactLiteral(r *redact.Redactor, literal []byte) (safe []byte, changed bool) {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return nil, false
	}
	word := r.Text(text)
	if word == text {
		return nil, false
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(word) != nil {
		return nil, false
	}
	return []byte(strings.TrimRight(b.String(), "\n")), true
}
