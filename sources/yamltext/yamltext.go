// Package yamltext writes objects and answers as YAML.
package yamltext

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

// Marshal writes a value as YAML by the names of its JSON fields. It takes
// every text: the library refuses control characters that JSON allows in a
// string, so they reach it escaped, and it escapes them again in what it writes.
func Marshal(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return yaml.JSONToYAML(escapeRefused(text))
}

// escapeRefused escapes what no YAML text may hold (YAML 1.1, c-printable), and
// the next line character, which ends a line there. In JSON text all of it can
// only stand in strings.
func escapeRefused(text []byte) []byte {
	if !bytes.ContainsFunc(text, isRefused) {
		return text
	}
	escaped := make([]byte, 0, len(text)+len(text)/8)
	for _, r := range string(text) {
		if isRefused(r) {
			escaped = fmt.Appendf(escaped, "\\u%04x", r)
		} else {
			escaped = append(escaped, string(r)...)
		}
	}
	return escaped
}

func isRefused(r rune) bool {
	return r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff
}
