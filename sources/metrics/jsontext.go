package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// wholeSeries returns the complete objects in the "result" of an answer that is cut
// off or broken.
func wholeSeries(text []byte) []json.RawMessage {
	at := bytes.Index(text, []byte(`"result"`))
	if at < 0 {
		return nil
	}
	start := bytes.IndexByte(text[at:], '[')
	if start < 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text[at+start:]))
	if _, err := decoder.Token(); err != nil {
		return nil
	}
	var all []json.RawMessage
	for decoder.More() {
		var one json.RawMessage
		if decoder.Decode(&one) != nil {
			break
		}
		all = append(all, one)
	}
	return all
}

var errTooLong = errors.New("longer than 64 MiB; ask for less at once")

// readWhole reads a text of at most MaxText.
func readWhole(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxText+1))
	if err == nil && len(text) > MaxText {
		return text[:MaxText], errTooLong
	}
	return text, err
}
