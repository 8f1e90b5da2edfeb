package dump

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train/kinds"
)

// errCutObject is the error for the last object of a truncated list: its end
// is unknown, and without the end of its status it would seem to be in another
// phase.
func errCutObject(kind schema.GroupKind, object kinds.Object) error {
	name := object.GetName()
	if object.GetNamespace() != "" {
		name = object.GetNamespace() + "/" + name
	}
	return fmt.Errorf("the file is cut off behind or inside %s %s, which is left out: the end of its status may be missing", kind.Kind, name)
}

// openValue matches a field at the end of a file without a line break, with a
// value that nothing ends: no quote, no bracket.
var openValue = regexp.MustCompile(`^[ \t]*(?:- +)*[\w./-]+:[ \t]+([^\s"'\[\]{}|>&*!#].*?)[ \t\r]*$`)

// wholeWords are values that no longer value begins with.
var wholeWords = []string{"true", "false", "null", "True", "False", "Unknown", "Normal", "Warning"}

// decodeOpen decodes an object printed from a cluster whose last line has no
// line break, without the value of that line: kubectl ends each line, so the
// file may be cut there, and a part of a value looks like a value. It returns
// nil for any other object.
func decodeOpen(p piece) []found {
	at := bytes.LastIndexByte(p.text, '\n') + 1
	value := openValue.FindSubmatch(p.text[at:])
	if p.role == header || at == 0 || value == nil || slices.Contains(wholeWords, string(value[1])) {
		return nil
	}
	line := p.line + countLines(p.text)
	cut := p
	cut.text, cut.end = p.text[:at], endsWhole
	results := decode(cut)
	if len(results) != 1 || results[0].object == nil || results[0].object.GetUID() == "" {
		return nil
	}
	results[0].piece = p
	field := bytes.TrimSpace(p.text[at:])
	return append(results, found{piece: p, line: line, err: fmt.Errorf("the file ends inside a line (%s) of %s %s and may be cut off there; that value is not read, and what follows it is missing",
		plain(string(field)), results[0].kind.Kind, results[0].object.GetName())})
}

// nameOfStart returns the name of an object of which only the start is there,
// in JSON; "" if that ends before the name.
func nameOfStart(text []byte) string {
	found := map[string]string{}
	readStrings(json.NewDecoder(bytes.NewReader(text)), "", 0, found)
	name := found[".metadata.name"]
	if name == "" {
		return ""
	}
	if namespace := found[".metadata.namespace"]; namespace != "" {
		name = namespace + "/" + name
	}
	return cmp.Or(found[".kind"], "object") + " " + name
}

// readStrings collects the strings of a value by their paths, as far as it
// goes, and reports whether the value is complete. It goes no further into a
// value that is nested deeper than objects are: its paths would take memory
// with the square of the depth.
func readStrings(in *json.Decoder, at string, depth int, found map[string]string) bool {
	word, err := in.Token()
	if err != nil || depth > deepestObject {
		return false
	}
	switch word := word.(type) {
	case string:
		found[at] = word
	case json.Delim:
		for in.More() {
			inner := at + "[]"
			if word == '{' {
				key, err := in.Token()
				if err != nil {
					return false
				}
				inner = fmt.Sprint(at, ".", key)
			}
			if !readStrings(in, inner, depth+1, found) {
				return false
			}
		}
		_, err = in.Token()
	}
	return err == nil
}

// deepestObject is how deep values of objects are nested at most: managed
// fields and the schemas of CRDs have some forty levels.
const deepestObject = 200
