package config

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/termtext"
)

// deepest bounds how deep settings lie in each other: an anchor may refer to
// itself.
const deepest = 20

// fitting removes from a document what does not fit a type, so that one wrong
// setting does not keep the others from being used.
type fitting struct {
	*reader
	// context is the one whose settings are read, "" for the general ones.
	context string
	// forbids are the contexts in which nothing may be changed, because a
	// setting that may forbid it cannot be read; "" is all of them.
	forbids map[string]bool
}

// fit prepares a value for a type. It is false where the value cannot be used,
// which it has reported then.
func (f *fitting) fit(node *goyaml.Node, path string, t reflect.Type, depth int) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if node.Kind == goyaml.AliasNode {
		node = node.Alias
	}
	switch {
	case depth > deepest:
		f.add(path, "%s lies too deep in other settings; it is left out", path)
		return false
	case t == reflect.TypeFor[receiverSettings]():
		return f.fitReceiver(node, path, depth)
	case node.Tag == "!!null" && settingName(path) == readOnlyKey: // as a template leaves it whose variable is unset
		f.wrongType(node, path, t)
		return false
	case node.Tag == "!!null", t.Kind() == reflect.Interface, reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return true
	case !fits(node, t):
		f.wrongType(node, path, t)
		return false
	}
	switch t.Kind() {
	case reflect.Bool:
		node.Value, node.Tag = strconv.FormatBool(isTrue(node.Value)), "!!bool"
	case reflect.Struct:
		return f.fitFields(node, path, t, depth)
	case reflect.Map:
		f.fitValues(node, path, t.Elem(), depth)
	case reflect.Slice:
		f.keepItems(node, path, func(item setting) bool { return f.fit(item.value, item.path, t.Elem(), depth+1) })
	}
	return true
}

// wrongType reports a value of another type.
func (f *fitting) wrongType(node *goyaml.Node, path string, t reflect.Type) {
	is := f.quoted(node, path)
	if node.Tag == "!!null" {
		is = "empty"
	}
	f.add(path, "%s is %s; it has to be %s; %s", path, is, f.allowed(path, t), f.instead(path))
}

// fitFields prepares the settings of a struct. Of the items of a list one with
// something wrong in a field is left out as a whole.
func (f *fitting) fitFields(node *goyaml.Node, path string, t reflect.Type, depth int) bool {
	fields := jsonFields(t)
	good := true
	f.keepFields(node, path, func(child setting) bool {
		field, known := fields[child.key]
		if !known {
			f.unknown(path, child.key, sortedKeys(fields))
			f.forbidFor(strings.ToLower(child.key))
			good = good && !inRule(child.path)
			return false
		}
		before := len(f.problems)
		fitted := f.fit(child.value, child.path, field, depth+1)
		if !fitted {
			f.forbidFor(child.key)
		}
		good = good && len(f.problems) == before
		return fitted
	})
	return good || !strings.HasSuffix(path, "]")
}

// fitValues prepares the values of a map.
func (f *fitting) fitValues(node *goyaml.Node, path string, t reflect.Type, depth int) {
	f.keepFields(node, path, func(child setting) bool {
		if path != contextsKey {
			return f.fit(child.value, child.path, t, depth+1)
		}
		f.context = child.key
		defer func() { f.context = "" }()
		fitted := f.fit(child.value, child.path, t, depth+1)
		if !fitted {
			f.forbids[child.key] = true
		}
		return fitted
	})
}

// Settings that may forbid changes.
const (
	readOnlyKey = "readonly"
	contextsKey = "contexts"
)

// forbidFor forbids changes where a setting that may forbid them cannot be
// read: a typing error must not allow what a person meant to forbid.
func (f *fitting) forbidFor(key string) {
	if key == readOnlyKey || key == contextsKey && f.context == "" {
		f.forbids[f.context] = true
	}
}

// keepFields removes the settings of a map that are set twice, or that keep
// does not accept.
func (f *fitting) keepFields(node *goyaml.Node, path string, keep func(setting) bool) {
	first := map[string]int{}
	var left []*goyaml.Node
	for _, child := range settingsIn(node, path) {
		if line, twice := first[child.key]; twice {
			f.problems = append(f.problems, Problem{File: f.file, Line: child.name.Line, Key: child.path, Text: termtext.Line(
				fmt.Sprintf("%s is set already in line %d, which is used; keep one of the two", child.path, line))})
			f.forbidFor(child.key)
			continue
		}
		first[child.key] = child.name.Line
		if keep(child) {
			left = append(left, child.name, child.value)
		}
	}
	node.Content = left
}

// keepItems removes the items of a list that keep does not accept.
func (f *fitting) keepItems(node *goyaml.Node, path string, keep func(setting) bool) {
	var left []*goyaml.Node
	for _, item := range settingsIn(node, path) {
		if keep(item) {
			left = append(left, item.value)
			f.kept[path] = append(f.kept[path], item.path)
		}
	}
	node.Content = left
}

// jsonFields are the types of a struct's fields by their names in the file.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			fields[name] = field.Type
		}
	}
	return fields
}

func sortedKeys(fields map[string]reflect.Type) []string {
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// plainValue is a document as encoding/json writes it.
func plainValue(node *goyaml.Node, depth int) any {
	if depth > deepest {
		return nil
	}
	switch node.Kind {
	case goyaml.AliasNode:
		return plainValue(node.Alias, depth+1)
	case goyaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			object[node.Content[i].Value] = plainValue(node.Content[i+1], depth+1)
		}
		return object
	case goyaml.SequenceNode:
		list := []any{}
		for _, item := range node.Content {
			list = append(list, plainValue(item, depth+1))
		}
		return list
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return node.Value
	}
	switch value := value.(type) {
	case float64:
		if math.IsInf(value, 0) || math.IsNaN(value) {
			return node.Value // JSON has no such numbers, and no setting takes them
		}
		return value
	case nil, bool, int, int64, uint64, string:
		return value
	}
	return node.Value // a date, as it is written
}
