package document

import (
	"bytes"
	"encoding/json"
)

// repeatedInJSON returns the keys that occur twice in an object of a JSON text, the
// first mostRepeated of them. The parsed value has fewer keys than the text then, so
// that nearly every text is counted and not parsed again.
func repeatedInJSON(text []byte, value any) []RepeatedKey {
	if keysIn(text) == keysOf(value) {
		return nil
	}
	var found []RepeatedKey
	words := json.NewDecoder(bytes.NewReader(text))
	for words.More() && readKeys(words, text, &found) {
		continue
	}
	return found
}

// keysIn counts the colons outside of strings: a valid JSON text has one behind each
// key.
func keysIn(text []byte) (n int) {
	for {
		begin := bytes.IndexByte(text, '"')
		if begin < 0 {
			return n + bytes.Count(text, []byte{':'})
		}
		n += bytes.Count(text[:begin], []byte{':'})
		text = text[begin+1:]
		for end := 0; ; {
			next := bytes.IndexByte(text[end:], '"')
			if next < 0 {
				return n
			}
			end += next
			escapes := 0
			for end-escapes > 0 && text[end-escapes-1] == '\\' {
				escapes++
			}
			if end++; escapes%2 == 0 {
				text = text[end:]
				break
			}
		}
	}
}

// keysOf counts the keys of a parsed value.
func keysOf(value any) (n int) {
	switch value := value.(type) {
	case map[string]any:
		n = len(value)
		for _, inner := range value {
			n += keysOf(inner)
		}
	case []any:
		for _, inner := range value {
			n += keysOf(inner)
		}
	}
	return n
}

// readKeys reads one value and adds the keys that its objects repeat. It returns
// false at the end, and where enough was found.
func readKeys(words *json.Decoder, text []byte, found *[]RepeatedKey) bool {
	word, err := words.Token()
	delimiter, is := word.(json.Delim)
	if err != nil || !is {
		return err == nil
	}
	keys := map[string]bool{}
	for words.More() {
		if delimiter == '{' {
			key, err := words.Token()
			name, is := key.(string)
			if err != nil || !is {
				return false
			}
			if keys[name] {
				*found = append(*found, RepeatedKey{name, 1 + bytes.Count(text[:words.InputOffset()], []byte{'\n'})})
			}
			keys[name] = true
		}
		if len(*found) >= mostRepeated || !readKeys(words, text, found) {
			return false
		}
	}
	_, err = words.Token()
	return err == nil
}
