package readings

import (
	"bytes"
	"encoding/json"
	"errors"
)

// JSONLine returns the line of a JSON error, 0 if the error does not contain it.
func JSONLine(text []byte, err error) int {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 0
	}
	end := min(max(int(syntax.Offset), 0), len(text))
	return 1 + bytes.Count(text[:end], []byte{'\n'})
}

// Outline is the structure of a JSON text as far as its beginning shows it.
type Outline struct {
	Array bool
	// Keys are those of the object, or of the first object of the array, as far
	// as the text goes; Words are its values that are text.
	Keys  []string
	Words map[string]string
}

// Has reports whether it has one of the keys.
func (o Outline) Has(keys ...string) bool {
	for _, want := range keys {
		for _, key := range o.Keys {
			if key == want {
				return true
			}
		}
	}
	return false
}

// OutlineOf reads the first bytes of a text that starts like JSON.
func OutlineOf(head []byte) Outline {
	o := Outline{Words: map[string]string{}}
	decoder := json.NewDecoder(bytes.NewReader(head))
	first, err := decoder.Token()
	if err == nil && first == json.Delim('[') {
		o.Array = true
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
		o.Keys = append(o.Keys, name)
		word, err := skipValue(decoder)
		if err != nil {
			return o
		}
		if word != "" {
			o.Words[name] = word
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

// WholeMembers returns the complete members of a JSON object that is cut off or
// broken; of a member that is cut itself, and is an object, its own complete members.
func WholeMembers(text []byte) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return all
	}
	for decoder.More() {
		key, err := decoder.Token()
		name, isText := key.(string)
		if err != nil || !isText {
			break
		}
		begins := decoder.InputOffset()
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			if inner := WholeMembers(bytes.TrimLeft(text[begins:], ": \t\r\n")); len(inner) > 0 {
				all[name], _ = json.Marshal(inner) //nolint:errchkjson // RawMessages that were decoded
			}
			break
		}
		all[name] = value
	}
	return all
}
