package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/traintop/traintop/termtext"
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
	_, err := w.Write(termtext.EscapeJSON(text.Bytes()))
	return err
}
