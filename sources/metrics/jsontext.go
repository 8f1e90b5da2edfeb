package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/traintop/traintop/termtext"
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

// jsonLine returns the line of a JSON error, 0 if the error does not contain it.
func jsonLine(text []byte, err error) int {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 0
	}
	end := min(max(int(syntax.Offset), 0), len(text))
	return 1 + bytes.Count(text[:end], []byte{'\n'})
}

// outline is the structure of a JSON text as far as its beginning shows it.
type outline struct {
	array bool
	// keys are those of the object, or of the first object of the array, as far
	// as the text goes; words are its values that are text.
	keys  []string
	words map[string]string
}

func (o outline) has(keys ...string) bool {
	for _, want := range keys {
		for _, key := range o.keys {
			if key == want {
				return true
			}
		}
	}
	return false
}

// outlineOf reads the first bytes of a text that starts like JSON.
func outlineOf(head []byte) outline {
	o := outline{words: map[string]string{}}
	decoder := json.NewDecoder(bytes.NewReader(head))
	first, err := decoder.Token()
	if err == nil && first == json.Delim('[') {
		o.array = true
		first, err = decoder.Token()
	}
	if err != nil || first != json.Delim('{') {
		return o
	}
	for decoder.More() {
		key, err := decoder.Token()
		name, isText := key.(string)
		if err != nil || !isText {
			return o
		}
		o.keys = append(o.keys, name)
		word, err := skipValue(decoder)
		if err != nil {
			return o
		}
		if word != "" {
			o.words[name] = word
		}
	}
	return o
}

// skipValue skips one value and returns it if it is text.
func skipValue(decoder *json.Decoder) (string, error) {
	depth := 0
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth == 0 {
				return token, nil
			}
		}
		if depth == 0 {
			return "", nil
		}
	}
}

// oneLine makes text from outside safe for a message.
func oneLine(text string) string {
	const most = 300
	return termtext.Short(text, most)
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

// wholeMembers returns the complete members of a JSON object that is cut off or
// broken.
func wholeMembers(text []byte) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return all
	}
	for decoder.More() {
		key, err := decoder.Token()
		name, isText := key.(string)
		var value json.RawMessage
		if err != nil || !isText || decoder.Decode(&value) != nil {
			break
		}
		all[name] = value
	}
	return all
}
