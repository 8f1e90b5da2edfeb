package act

import (
	corev1 "k8s.io/api/core/v1"

	"bytes"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	jsonutil "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/sources/yamltext"
	"github.com/traintop/traintop/train"
)

// MostEdited limits an edited text; kube-apiserver accepts requests of 3 MiB.
const MostEdited = 3 << 20

// DraftOf returns the text for a person to edit.
func DraftOf(ref train.Ref, object map[string]any) (actions.Draft, error) {
	shown := editable(object)
	text, err := shownYAML(shown)
	if err != nil {
		return actions.Draft{}, err
	}
	masked := Masks(maskedCopy(shown)) - Masks(shown)
	raw, err := jsonutil.Marshal(object)
	return actions.Draft{Ref: ref, Text: append([]byte(headerOf(ref, masked)), text...), Masked: masked, Object: raw}, err
}

func headerOf(ref train.Ref, masked int) string {
	header := "# " + ref.Kind + " " + client.JoinName(ref.Namespace, ref.Name) + ". Save and close to see what would change; nothing is applied before that.\n" +
		"# An empty file, or one without a change, changes nothing. Lines that begin with # are left out.\n"
	if masked > 0 {
		header += fmt.Sprintf("# %d secret values are shown as %s and keep their value as long as they stay so.\n", masked, redact.Masked)
	}
	return header + "#\n"
}

// editable returns a copy of an object without uneditable parts: status,
// managedFields, the last-applied annotation of kubectl, and the fields that
// count changes.
func editable(object map[string]any) map[string]any {
	kept := runtime.DeepCopyJSON(object)
	delete(kept, "status")
	metadata, _ := kept["metadata"].(map[string]any)
	for _, key := range []string{"managedFields", "resourceVersion", "generation"} {
		delete(metadata, key)
	}
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		delete(annotations, corev1.LastAppliedConfigAnnotation)
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	return kept
}

func maskedCopy(object map[string]any) map[string]any {
	masked := runtime.DeepCopyJSON(object)
	redact.Object(masked)
	return masked
}

func shownYAML(object map[string]any) ([]byte, error) { return yamltext.Marshal(maskedCopy(object)) }

// Masks counts the strings of an object that contain a mask.
func Masks(node any) int {
	n := 0
	switch node := node.(type) {
	case string:
		n = strings.Count(node, redact.Masked)
	case map[string]any:
		for _, child := range node {
			n += Masks(child)
		}
	case []any:
		for _, child := range node {
			n += Masks(child)
		}
	}
	return n
}

// PatchOf returns the person's changes, without masks; nil for none.
func PatchOf(d actions.Draft, text []byte) (map[string]any, error) {
	edited, err := readEdited(text)
	if err != nil || edited == nil {
		return nil, err
	}
	var object map[string]any
	if err := jsonutil.Unmarshal(d.Object, &object); err != nil {
		return nil, err
	}
	original := editable(object)
	if err := sameIdentity(original, edited); err != nil {
		return nil, err
	}
	shown := maskedCopy(original)
	whole, err := unmask("", shown, original, edited)
	if err != nil {
		return nil, err
	}
	return mergePatch(original, whole.(map[string]any)), nil
}

// readEdited parses the object in the text; nil for a text without one.
func readEdited(text []byte) (map[string]any, error) {
	if len(text) > MostEdited {
		return nil, &unaskedError{fmt.Sprintf("the text has %d bytes; the API server takes %d", len(text), MostEdited)}
	}
	if len(withoutComments(text)) == 0 {
		return nil, nil
	}
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, &unaskedError{"the text is no YAML: " + client.Printable(err.Error())}
	}
	var edited map[string]any
	if err := jsonutil.Unmarshal(asJSON, &edited); err != nil || edited == nil {
		return nil, &unaskedError{"the text is no object of YAML"}
	}
	return edited, nil
}

func withoutComments(text []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// sameIdentity returns an error if the edit renames the object or changes
// uneditable fields.
func sameIdentity(original, edited map[string]any) error {
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}, {"metadata", "uid"}} {
		if textAt(original, path...) != textAt(edited, path...) {
			return &unaskedError{strings.Join(path, ".") + " cannot be changed: it would be another object"}
		}
	}
	if _, there := edited["status"]; there {
		return &unaskedError{"status cannot be changed: controllers write it"}
	}
	return nil
}

func textAt(object map[string]any, path ...string) string {
	var node any = object
	for _, key := range path {
		inner, _ := node.(map[string]any)
		node = inner[key]
	}
	text, _ := node.(string)
	return text
}

// fieldsOf names the fields that a patch sets or removes.
func fieldsOf(patch map[string]any) []string {
	var fields []string
	var walk func(prefix string, node map[string]any)
	walk = func(prefix string, node map[string]any) {
		for key, value := range node {
			if inner, ok := value.(map[string]any); ok && len(inner) > 0 {
				walk(prefix+key+".", inner)
				continue
			}
			fields = append(fields, prefix+key)
		}
	}
	walk("", patch)
	slices.Sort(fields)
	return fields
}

// sameWhereEdited refuses an edit of fields that somebody else has changed
// since.
func sameWhereEdited(d actions.Draft, live, patch map[string]any) error {
	var read map[string]any
	if err := jsonutil.Unmarshal(d.Object, &read); err != nil {
		return err
	}
	theirs := mergePatch(editable(read), editable(live))
	var both []string
	mine := fieldsOf(patch)
	for _, field := range fieldsOf(theirs) {
		if slices.ContainsFunc(mine, func(own string) bool { return overlaps(own, field) }) {
			both = append(both, field)
		}
	}
	if len(both) > 0 {
		return &editedError{fields: both}
	}
	return nil
}

func overlaps(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}
