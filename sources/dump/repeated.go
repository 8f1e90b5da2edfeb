package dump

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// repeatedKey is a key that a mapping has twice. The last value counts, as for
// the YAML library and kubectl; the others are left out.
type repeatedKey struct {
	name string
	line int // of the text, from 1
}

// mostRepeated is how many repeated keys of one object are reported.
const mostRepeated = 5

// strictYAML parses any YAML and returns the keys that occur twice in a
// mapping, the first mostRepeated of them.
func strictYAML(text []byte) (value any, repeated []repeatedKey, err error) {
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

func repeatedKeys(text []byte, err error) []repeatedKey {
	var keys []repeatedKey
	for _, found := range repeatedMessage.FindAllStringSubmatch(err.Error(), mostRepeated) {
		name := found[2]
		if unquoted, err := strconv.Unquote(name); err == nil {
			name = unquoted
		}
		line, _ := strconv.Atoi(found[1]) // digits
		keys = append(keys, repeatedKey{name, lineOfKey(text, name, line)})
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

// bothLists reports two lists in one document, as two calls of kubectl leave them in
// one file: YAML gives the second alone.
const bothLists = "a second list begins here without --- before it; the objects of both are read, where kubectl and YAML take those of the second alone"

// errTwoLists reports that the objects of the first were not read.
var errTwoLists = errors.New("a second list begins here without --- before it, so the objects of the list above it are not read; put --- between the two")

// reportRepeated reports the keys of a piece that occur twice.
func (s *streaming) reportRepeated(f found) {
	for _, key := range f.repeated {
		line := f.piece.line + key.line - 1
		switch {
		case !f.list || key.name != "items":
		case f.piece.role == header: // the items of both were read one by one
			s.files.leftOut(Problem{File: s.name, Line: line, Text: bothLists})
			return
		default:
			s.fail(found{line: line, err: errTwoLists})
			return
		}
	}
	for _, key := range f.repeated {
		s.files.leftOut(Problem{
			File: s.name, Line: f.piece.line + key.line - 1,
			Text: fmt.Sprintf("the key %s occurs twice in its mapping; the last value counts, and the one before it is left out", strings.TrimSpace(key.name)),
		})
	}
}
