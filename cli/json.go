package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// printJSON writes an answer, indented, with a line end.
func printJSON(w io.Writer, answer any) error {
	text, err := jsonText(answer)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// jsonText is an answer as JSON that is safe for a terminal and has no secrets.
func jsonText(answer any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, fmt.Errorf("writing the answer as JSON: %w", err)
	}
	return safeJSON(text.Bytes()), nil
}
