// Package jsontext writes answers as JSON that is safe for a terminal and has no
// secrets.
package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/traintop/traintop/termtext"
)

// Print writes an answer, indented, with a line end.
func Print(w io.Writer, answer any) error {
	text, err := Text(answer)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Text is an answer as JSON that is safe for a terminal and has no secrets.
func Text(answer any) ([]byte, error) {
	text, err := encode(answer)
	if err != nil {
		return nil, err
	}
	return Safe(text), nil
}

func encode(answer any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, fmt.Errorf("writing the answer as JSON: %w", err)
	}
	return text.Bytes(), nil
}

// Safe is a part of an answer that is safe for a terminal and has no secrets.
func Safe(text []byte) []byte { return newMasker().safe(text) }

func (m *masker) safe(text []byte) []byte { return termtext.EscapeJSON(m.mask(text)) }
