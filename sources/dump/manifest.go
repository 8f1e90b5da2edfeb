package dump

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/dump/document"
	"github.com/traintop/traintop/sources/yamltext"
)

// maxKept limits the text kept of objects from standard input.
const maxKept = 64 << 20

// errNotHere reports that no file has the object.
var errNotHere = errors.New("not in the files that were read")

// Manifest returns an object as YAML as in its file, without managedFields and
// with secret values masked. Reading the files only keeps each object's
// location, so this opens the file again.
func (f *Files) Manifest(kind schema.GroupKind, namespace, name string) ([]byte, error) {
	key := objectKey{kind, namespace, name}
	f.mu.Lock()
	at, found := f.index[key]
	f.mu.Unlock()
	what := fmt.Sprintf("%s %s/%s", kind.Kind, namespace, name)
	if !found {
		return nil, fmt.Errorf("%s: %w", what, errNotHere)
	}
	text, err := f.textAt(at)
	if err != nil {
		return nil, fmt.Errorf("reading %s from %s again: %w", what, at.file, err)
	}
	raw, _, _, err := document.Parse(text, at.json)
	if err != nil {
		return nil, fmt.Errorf("reading %s from %s again: %w", what, at.file, err)
	}
	object := pick(raw, at.list, key, 0)
	if object == nil {
		return nil, fmt.Errorf("%s has changed since it was read; %s is no longer where it stood", at.file, what)
	}
	mask(object, kind)
	return yamltext.Marshal(object)
}

// textAt reads the text of one object again.
func (f *Files) textAt(at place) ([]byte, error) {
	if at.file == stdinPath {
		if at.text == nil {
			return nil, fmt.Errorf("it came from standard input, of which only %d MiB are kept; save it to a file", maxKept>>20)
		}
		return at.text, nil
	}
	in, err := f.disk.Open(at.file)
	if err != nil {
		return nil, explainOpen(err)
	}
	defer in.Close() // read only, so this error loses nothing
	o, err := unpack(in)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, o.text, at.offset); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(o.text, at.length))
	if err != nil {
		return nil, err
	}
	if spaces := document.Indentation(text); at.role == item && !at.json && spaces < len(text) && document.IsDash(text[spaces:]) {
		text = withoutDash(text, spaces)
	}
	return text, nil
}

// keepText keeps the text of an object from standard input while there is
// space.
func (f *Files) keepText(text []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept+len(text) > maxKept {
		return nil
	}
	f.kept += len(text)
	return bytes.Clone(text)
}

// pick finds the object in the parsed text at its location: the document
// itself, or an item of a list inside a list.
func pick(raw map[string]any, list typeMeta, key objectKey, depth int) map[string]any {
	if raw == nil {
		return nil
	}
	completeMeta(raw, list)
	if items, isList := listItems(raw); isList && depth < maxListDepth {
		for _, inner := range items {
			if object, ok := inner.(map[string]any); ok {
				if match := pick(object, metaOf(raw), key, depth+1); match != nil {
					return match
				}
			}
		}
		return nil
	}
	metadata, _ := raw["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	if metadata == nil || !named(metadata) {
		return nil
	}
	name, _ := metadata["name"].(string)
	if metaOf(raw).Kind != key.kind.Kind || namespace != key.namespace || name != key.name {
		return nil
	}
	return raw
}
