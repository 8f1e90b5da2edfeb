package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// printJSON writes an answer, indented, with a line end.
func printJSON(w io.Writer, answer any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return fmt.Errorf("writing the answer as JSON: %w", err)
	}
	_, err := w.Write(escapeC1(text.Bytes()))
	return err
}

// escapeC1 escapes DEL and the C1 control characters, which encoding/json
// leaves as they are and a terminal may obey. They can only stand in strings.
func escapeC1(text []byte) []byte {
	if !bytes.ContainsFunc(text, isC1) {
		return text
	}
	var safe []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if isC1(r) {
			safe = fmt.Appendf(safe, "\\u%04x", r)
		} else {
			safe = append(safe, text[:size]...)
		}
		text = text[size:]
	}
	return safe
}

func isC1(r rune) bool { return r >= 0x7f && r < 0xa0 }
