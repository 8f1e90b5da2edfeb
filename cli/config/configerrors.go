package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
	goyaml "sigs.k8s.io/yaml/goyaml.v3"
)

// settingError is a setting of the configuration file that cannot be used.
type settingError struct {
	line int
	text string
}

func (e *settingError) Error() string { return e.text }

// decodeConfig fills c from the text of a configuration file. An error names
// the setting and its line, and the type that it needs.
func decodeConfig(text []byte, c *Config) error {
	var document goyaml.Node
	if err := goyaml.Unmarshal(text, &document); err != nil {
		return syntaxError(err)
	}
	if len(document.Content) == 0 {
		return nil // an empty file
	}
	root := document.Content[0]
	if root.Kind != goyaml.MappingNode && root.Tag != "!!null" {
		return &settingError{root.Line, "the file has to be a map of settings, as in 'theme: dark', and is " + nodeWords(root)}
	}
	if twice := twiceSet(root, ""); twice != nil {
		return twice
	}
	err := yaml.Unmarshal(text, c)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return typeError(root, wrong)
	}
	return err
}

// typeError is about the first setting of the name in a JSON error whose value
// has another type.
func typeError(root *goyaml.Node, wrong *json.UnmarshalTypeError) error {
	key := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	text := " has to be " + typeWords(wrong.Type)
	path, node := findMisfit(root, "", key, wrong.Type.Kind())
	if node == nil {
		return &settingError{1, key + text + ", and is " + wrong.Value}
	}
	return &settingError{node.Line, path + text + ", and is " + nodeWords(node)}
}

// findMisfit is the first value of a key that does not fit a type, and its
// path: "contexts.prod.ascii", "patterns[0].name".
func findMisfit(node *goyaml.Node, path, key string, kind reflect.Kind) (string, *goyaml.Node) {
	for _, child := range settingsIn(node, path) {
		if child.key == key && !fits(child.value, kind) {
			return misfitItem(child, kind)
		}
		if path, found := findMisfit(child.value, child.path, key, kind); found != nil {
			return path, found
		}
	}
	return "", nil
}

// misfitItem is the first item of a list of texts or numbers that does not fit
// a type, the value itself where all fit or it is no such list.
func misfitItem(of setting, kind reflect.Kind) (string, *goyaml.Node) {
	if kind == reflect.Slice || kind == reflect.Map || kind == reflect.Struct {
		return of.path, of.value
	}
	for _, item := range settingsIn(of.value, of.path) {
		if item.key == "" && !fits(item.value, kind) {
			return item.path, item.value
		}
	}
	return of.path, of.value
}

// setting is a value in the file, its key ("" in a list) and its full path.
type setting struct {
	key, path string
	name      *goyaml.Node
	value     *goyaml.Node
}

func settingsIn(node *goyaml.Node, path string) (all []setting) {
	switch node.Kind {
	case goyaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			name := node.Content[i]
			all = append(all, setting{name.Value, strings.TrimPrefix(path+"."+name.Value, "."), name, node.Content[i+1]})
		}
	case goyaml.SequenceNode:
		for i, item := range node.Content {
			all = append(all, setting{"", path + "[" + strconv.Itoa(i) + "]", nil, item})
		}
	}
	return all
}

// twiceSet is an error where a setting is set twice in one place: it is unclear
// which of the two is meant.
func twiceSet(node *goyaml.Node, path string) error {
	first := map[string]int{}
	for _, child := range settingsIn(node, path) {
		if child.name != nil {
			if line := first[child.key]; line > 0 {
				return &settingError{child.name.Line, fmt.Sprintf("%s is set already in line %d; keep one of the two", child.path, line)}
			}
			first[child.key] = child.name.Line
		}
		if twice := twiceSet(child.value, child.path); twice != nil {
			return twice
		}
	}
	return nil
}

// fits reports whether a value can be of a type. No value fits any.
func fits(node *goyaml.Node, kind reflect.Kind) bool {
	switch kind {
	case reflect.Slice:
		return node.Kind == goyaml.SequenceNode || node.Tag == "!!null"
	case reflect.Map, reflect.Struct:
		return node.Kind == goyaml.MappingNode || node.Tag == "!!null"
	}
	if node.Kind != goyaml.ScalarNode || node.Tag == "!!null" {
		return node.Tag == "!!null"
	}
	switch kind {
	case reflect.Bool:
		return node.Tag == "!!bool"
	case reflect.String:
		return node.Tag == "!!str"
	}
	_, err := strconv.Atoi(node.Value)
	return node.Tag == "!!int" && err == nil
}

func typeWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text; in quotes where it looks like something else"
	case reflect.Slice:
		return "a list, as in [a, b]"
	case reflect.Map, reflect.Struct:
		return "a map, as in {name: value}"
	}
	return "a whole number"
}

// nodeWords describes a value's type. It does not quote the value: it may be a
// secret.
func nodeWords(node *goyaml.Node) string {
	switch {
	case node.Kind == goyaml.SequenceNode:
		return "a list"
	case node.Kind == goyaml.MappingNode:
		return "a map"
	}
	switch node.Tag {
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	case "!!null":
		return "empty"
	case "!!timestamp":
		return "a date"
	}
	return "text"
}

var syntaxLine = regexp.MustCompile(`\bline (\d+): `)

// syntaxWords maps messages of the YAML library (go.yaml.in/yaml v3 scannerc.go
// and parserc.go) to plain ones.
var syntaxWords = []struct{ library, plain string }{
	{"mapping values are not allowed", "a colon too many, or lines that do not begin in the same column; put text with a colon in quotes"},
	{"did not find expected node content", "a value or a closing bracket is missing"},
	{"cannot start any token", "a tab where blanks indent, or a character such as @ or % that text in quotes may begin with"},
	{"could not find expected ':'", "a colon is missing behind the name of a setting"},
	{"did not find expected key", "lines that do not begin in the same column, or a quote that is not closed"},
	{"did not find expected ','", "a bracket is not closed"},
	{"did not find expected '-'", "lines of a list that do not begin in the same column"},
	{"unexpected end of stream", "a quote is not closed"},
	{"unknown anchor", "text that begins with * has to stand in quotes"},
}

// syntaxError is the error of a text that is not YAML.
func syntaxError(err error) error {
	text, line := err.Error(), 1
	if found := syntaxLine.FindStringSubmatch(text); found != nil {
		line, _ = strconv.Atoi(found[1]) // a number of digits
		text = strings.Replace(text, found[0], "", 1)
	}
	text = strings.TrimPrefix(text, "yaml: ")
	for _, words := range syntaxWords {
		if strings.Contains(text, words.library) {
			text = words.plain
		}
	}
	return &settingError{line, "not valid YAML: " + text}
}
