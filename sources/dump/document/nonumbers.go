package document

import (
	"bytes"
	"regexp"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// pythonNumber matches strings, which stay, and numbers that Python writes into JSON
// and JSON does not have.
var pythonNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

// jsonWithNull parses JSON in which such numbers are null.
func jsonWithNull(text []byte, into *any) error {
	return utiljson.Unmarshal(NullNumbers(text), into)
}

// NullNumbers writes null for such numbers.
func NullNumbers(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	return pythonNumber.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}

// yamlNumber matches a value of YAML that is no number or infinite.
var yamlNumber = regexp.MustCompile(`(?m)^([^"'\n]*[:-][ \t]+)[-+]?\.(?:nan|NaN|NAN|inf|Inf|INF)([ \t]*\r?)$`)

func yamlWithNull(text []byte) []byte { return yamlNumber.ReplaceAll(text, []byte("${1}null${2}")) }
