package document

import (
	"bytes"
	"regexp"
	"strconv"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// RepeatedKey is a key that a mapping has twice. The last value counts, as for
// the YAML library and kubectl; the others are left out.
type RepeatedKey struct {
	Name string
	Line int // of the text, from 1
}

// mostRepeated is how many repeated keys of one object are reported.
const mostRepeated = 5

// strictYAML parses any YAML and returns the keys that occur twice in a
// mapping, the first mostRepeated of them.
func strictYAML(text []byte) (value any, repeated []RepeatedKey, err error) {
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		if repeated = repeatedKeys(text, err); len(repeated) == 0 {
			return nil, nil, err
		}
		value, err = libraryYAML(text)
		if bytes.Contains(text, []byte("<<:")) {
			repeated = nil // a key may replace one that it merges
		}
		return value, repeated, err
	}
	err = utiljson.Unmarshal(asJSON, &value)
	return value, nil, err
}

// repeatedMessage matches the message of the YAML library about a key. Its line
// is the one where the value begins.
var repeatedMessage = regexp.MustCompile(`line (\d+): key (.+) already set in map`)

func repeatedKeys(text []byte, err error) []RepeatedKey {
	var keys []RepeatedKey
	for _, found := range repeatedMessage.FindAllStringSubmatch(err.Error(), mostRepeated) {
		name := found[2]
		if unquoted, err := strconv.Unquote(name); err == nil {
			name = unquoted
		}
		line, _ := strconv.Atoi(found[1]) // digits
		keys = append(keys, RepeatedKey{name, lineOfKey(text, name, line)})
	}
	return keys
}

// lineOfKey returns the line of a key whose value begins at a line: the last line
// up to there that begins with the key.
func lineOfKey(text []byte, name string, valueLine int) int {
	lines := bytes.SplitN(text, []byte{'\n'}, valueLine+1)
	for i := min(valueLine, len(lines)) - 1; i >= 0; i-- {
		content := bytes.TrimLeft(lines[i], " -")
		if rest, found := bytes.CutPrefix(bytes.TrimLeft(content, `"'`), []byte(name)); found && bytes.HasPrefix(bytes.TrimLeft(rest, `"' `), []byte{':'}) {
			return i + 1
		}
	}
	return valueLine
}
