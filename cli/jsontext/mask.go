package jsontext

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/redact"
)

// names are the fields of answers by which things are found again.
var names = []string{"name", "namespace", "group", "kind", "job", "node", "pod", "container", "object", "log", "queue", "uuid", "owner"}

// Mask masks secrets in the texts of an indented JSON answer, each by
// itself, other than names.
func Mask(text []byte) []byte { return newMasker().mask(text) }

func newMasker() *masker { return &masker{redactor: redact.New(), clean: map[string]bool{}} }

func (m *masker) mask(text []byte) []byte {
	var safe []byte
	kept, key := 0, ""
	for at := 0; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		end := literalEnd(text, at)
		is := end < len(text) && text[end] == ':'
		if word, changed := m.literal(text[at:end]); changed && (is || !slices.Contains(names, key)) {
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

// mostClean and longestClean bound what a masker remembers.
const (
	mostClean    = 1 << 14
	longestClean = 512
)

// masker masks literals of one answer. An answer about many jobs repeats most of its
// texts.
type masker struct {
	redactor *redact.Redactor
	// clean are literals without a secret.
	clean map[string]bool
}

func (m *masker) literal(literal []byte) (safe []byte, changed bool) {
	if m.clean[string(literal)] {
		return nil, false
	}
	safe, changed = redactLiteral(m.redactor, literal)
	if !changed && len(literal) <= longestClean && len(m.clean) < mostClean {
		m.clean[string(literal)] = true
	}
	return safe, changed
}

func redactLiteral(r *redact.Redactor, literal []byte) (safe []byte, changed bool) {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return nil, false
	}
	word := r.Part(text, nil) // it may quote what was cut
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
