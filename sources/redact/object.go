package redact

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Object masks secrets anywhere in an object, in place, by their name or shape. It
// writes Masked, so that masked values are recognised when the object comes back
// from an editor.
func Object(node any) {
	r := newRedactor(func(Kind) string { return Masked })
	changed, is := r.Tree(node)
	if !is {
		return
	}
	switch node := node.(type) {
	case map[string]any:
		clear(node)
		maps.Copy(node, changed.(map[string]any))
	case []any:
		copy(node, changed.([]any))
	}
}

// Tree returns an object as decoded JSON with placeholders instead of secrets, and
// whether there were any. It does not modify the object; the copy shares with it
// what did not change.
func (r *Redactor) Tree(node any) (redacted any, changed bool) { return r.node("", node) }

// node redacts the value of a name, "" for none.
func (r *Redactor) node(name string, node any) (any, bool) {
	switch node := node.(type) {
	case string:
		text := r.field(name, node)
		return text, text != node
	case map[string]any:
		return r.fields(name, node)
	case []any:
		if r.isCommandLine(name, node) {
			return r.arguments(nil, node)
		}
		return r.list(name, node)
	}
	return node, false
}

func (r *Redactor) fields(of string, fields map[string]any) (any, bool) {
	var copied map[string]any
	name := r.nameOfValue(of, fields)
	for key, child := range fields {
		under := key
		if of == "labels" || of == "matchLabels" {
			under = "" // names by which objects are found; they have 63 characters at most
		} else if of == "volumeAttributes" && isVolumeSecret(key) {
			under = variable + key
		} else if of == "flexVolume" && key == "options" {
			under = "volumeAttributes"
		} else if (key == "value" || key == "Value") && name != "" {
			under = variable + name
		} else if text, _ := child.(string); of == "annotations" && r.secretAnnotation(key, text) || of == "env" || of == "envVars" || of == "env_vars" {
			under = variable + key
		}
		value, changed := r.member(fields, key, under, child)
		safe := r.Text(key) // managedFields contains values as field names
		if !changed && safe == key {
			continue
		}
		if copied == nil {
			copied = maps.Clone(fields)
		}
		delete(copied, key)
		copied[safe] = value
	}
	if copied == nil {
		return fields, false
	}
	return copied, true
}

// member redacts a member of an object. The arguments of a container go on where its
// command ends. All values of a Secret are secret, also within another object.
func (r *Redactor) member(fields map[string]any, key, under string, child any) (any, bool) {
	if values, is := child.(map[string]any); is && (key == "data" || key == "stringData") && fields["kind"] == "Secret" && fields["apiVersion"] == "v1" {
		return r.secretValues(values)
	}
	if arguments, is := child.([]any); is && key == "args" {
		command, _ := fields["command"].([]any)
		return r.arguments(command, arguments)
	}
	return r.node(under, child)
}

// secretValues masks the values of a Secret.
func (r *Redactor) secretValues(values map[string]any) (any, bool) {
	masked, changed := make(map[string]any, len(values)), false
	for key, value := range values {
		text, _ := value.(string)
		switch {
		case text == Masked || text == r.mask(NamedSecret):
			masked[key] = text
		default:
			masked[key], changed = r.count(NamedSecret), true
		}
	}
	return masked, changed
}

// isVolumeSecret reports whether an attribute of a volume, or an option of its
// driver, is secret whatever its value is.
func isVolumeSecret(key string) bool { return oneOf(key, "secret", "token", "pass", "password", "key") }

// nameOfValue returns the name that belongs to the member "value" of an object, ""
// for none; an object that is marked as secret gets a secret's name, and one that is
// the value of a secret's name has that.
func (r *Redactor) nameOfValue(of string, fields map[string]any) string {
	if sensitive, _ := fields["sensitive"].(bool); sensitive || fields["Type"] == "SecureString" {
		return "sensitive_secret"
	}
	if name, is := fields["name"].(string); is {
		return name
	}
	for _, member := range [...]string{"Name", "key", "Key"} {
		if name, is := fields[member].(string); is && r.judge(name).class == certain {
			return name
		}
	}
	if r.judge(of).class == certain {
		return of
	}
	return ""
}

func (r *Redactor) list(name string, list []any) (any, bool) {
	var copied []any
	for i, child := range list {
		value, changed := r.node(name, child)
		if !changed {
			continue
		}
		if copied == nil {
			copied = slices.Clone(list)
		}
		copied[i] = value
	}
	if copied == nil {
		return list, false
	}
	return copied, true
}

// variable marks a name whose value a person set.
const variable = "\x00"

// field redacts the text of a field.
func (r *Redactor) field(name, text string) string {
	if len(text) == 0 {
		return text
	}
	if set, is := strings.CutPrefix(name, variable); is {
		if kind, is := secretOf(set, text); is && text != Masked && text != r.mask(kind) {
			return r.found(text, kind)
		}
		return r.inside(text)
	}
	if name == "runtimeEnvYAML" { // RayJob: YAML in a string, with env_vars in it
		text = r.yamlText(text)
	}
	if r.secretField(name, text) {
		return r.found(text, r.judge(name).kind)
	}
	return r.inside(text)
}

// found masks a value whose name is secret. If the value's shape is known, the shape gives the kind.
func (r *Redactor) found(text string, kind Kind) string {
	if spans := r.finder.find(text, false); len(spans) == 1 && spans[0].to-spans[0].from == len(text) {
		kind = spans[0].kind
	}
	return r.count(kind)
}

// secretField reports whether a field's name makes its text a secret. Objects
// often name Secrets and keys, so only a certain name or a random value counts.
func (r *Redactor) secretField(name, text string) bool {
	j := r.judge(name)
	switch {
	case j.class == innocent || isPlaceholder(text) || text == Masked:
		return false
	case j.class == folder:
		return !isFolder(text)
	case j.class == long:
		return isLongSecret(text)
	case j.class == certain && j.kind == NamedPassword:
		return true
	case j.class == certain:
		return !isObjectName(text) || random(text)
	}
	return looksRandomUnder(j.kind, text)
}

// isObjectName reports whether a text is a valid name in Kubernetes (of a Secret,
// of a key): lower-case letters, digits, dashes and dots.
func isObjectName(text string) bool {
	return len(text) < 64 && strings.IndexFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' }) < 0
}

// judge caches the results for names: a thousand objects have the same ones.
func (r *Redactor) judge(name string) judged {
	if known, is := r.names[name]; is {
		return known
	}
	j := judge(name)
	if len(r.names) < 4096 {
		r.names[strings.Clone(name)] = j
	}
	return j
}

// mostJSON is how many bytes of JSON text in an object are parsed; an object in
// etcd has 1.5 MiB at most.
const mostJSON = 2 << 20

// inside redacts a text by itself: as JSON if it is JSON (kubectl apply stores an
// object this way), else as lines.
func (r *Redactor) inside(text string) string {
	if text[0] == '{' && len(text) > 2 && len(text) <= mostJSON {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var tree any
		if decoder.Decode(&tree) == nil && !decoder.More() {
			if redacted, changed := r.node("", tree); changed {
				text = toJSON(redacted, text)
			}
		}
	}
	return r.Text(text)
}

func toJSON(tree any, was string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(tree) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n") + was[len(strings.TrimRight(was, "\n")):]
}

// yamlEntry matches one "name: value" line of YAML or JSON.
var yamlEntry = regexp.MustCompile(`(?m)([A-Za-z_][A-Za-z0-9_]*)("?\s*:[ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s,{}\[\]]+)`)

// yamlText masks variables in YAML and keeps it valid YAML.
func (r *Redactor) yamlText(text string) string {
	return yamlEntry.ReplaceAllStringFunc(text, func(entry string) string {
		parts := yamlEntry.FindStringSubmatch(entry)
		value := strings.Trim(parts[3], `"'`)
		kind, is := secretOf(parts[1], value)
		if !is || value == Masked {
			return entry
		}
		return parts[1] + parts[2] + `"` + r.found(value, kind) + `"`
	})
}
