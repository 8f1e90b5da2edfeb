package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/termtext"
)

// settingError is a setting of the configuration file that cannot be used.
type settingError struct {
	line int
	text string
}

func (e *settingError) Error() string { return e.text }

// parseConfig is the document of a configuration file, nil for an empty one.
func parseConfig(text []byte) (*goyaml.Node, error) {
	document, err := onlyDocument(text)
	if err != nil {
		return nil, err
	}
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return nil, nil
	}
	root := document.Content[0]
	if root.Kind != goyaml.MappingNode {
		return nil, &settingError{root.Line, "the file has to be a map of settings, as in 'theme: dark', and is " + nodeWords(root)}
	}
	return withoutAnchors(root)
}

// onlyDocument is the YAML document of a text, one without content for an empty
// text. Of a text with several one would count, and the others would be lost. An
// empty one before or behind it is allowed: an editor leaves such separators.
func onlyDocument(text []byte) (*goyaml.Node, error) {
	only := &goyaml.Node{}
	for all := goyaml.NewDecoder(bytes.NewReader(text)); ; {
		next := &goyaml.Node{}
		err := all.Decode(next)
		switch {
		case errors.Is(err, io.EOF):
			return only, nil
		case err != nil:
			return nil, syntaxError(err)
		case len(next.Content) == 0 || next.Content[0].Tag == "!!null":
		case len(only.Content) > 0:
			return nil, &settingError{next.Content[0].Line, "a second document begins here, after '---'; the file has to be one, so take the line '---' out"}
		default:
			only = next
		}
	}
}

// decodeFitting fills into with what fits it, and reports the rest.
func (r *reader) decodeFitting(root *goyaml.Node, into any) (forbids map[string]bool, err error) {
	f := &fitting{reader: r, forbids: map[string]bool{}}
	f.fit(root, "", reflect.TypeOf(into).Elem(), 0)
	text, err := json.Marshal(plainValue(root, 0))
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	return f.forbids, nil
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

// fits reports whether a value can be of a type.
func fits(node *goyaml.Node, t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return node.Kind == goyaml.SequenceNode
	case reflect.Map, reflect.Struct:
		return node.Kind == goyaml.MappingNode
	}
	if node.Kind != goyaml.ScalarNode {
		return false
	}
	switch t.Kind() {
	case reflect.Bool:
		return node.Tag == "!!bool" || node.Style == 0 && slices.Contains(boolWords, strings.ToLower(node.Value))
	case reflect.String:
		return node.Tag == "!!str"
	case reflect.Float64:
		_, finite := plainValue(node, 0).(float64)
		return node.Tag == "!!int" || node.Tag == "!!float" && finite
	}
	_, err := strconv.Atoi(node.Value)
	return node.Tag == "!!int" && err == nil
}

// boolWords are the words of YAML 1.1 for true and false, which Kubernetes
// accepts too.
var boolWords = []string{"yes", "no", "on", "off"}

func isTrue(word string) bool {
	return slices.Contains([]string{"true", "yes", "on"}, strings.ToLower(word))
}

// allowed describes the values of a setting.
func (r *reader) allowed(path string, t reflect.Type) string {
	words := typeWords(t)
	if k, known := keyNamed(settingName(path)); known && t.Kind() == reflect.Int {
		words += ", " + k.kind
	}
	return words
}

// instead returns what is used in place of a wrong setting.
func (r *reader) instead(path string) string {
	name := settingName(path)
	k, known := keyNamed(name)
	switch {
	case name == readOnlyKey || path == contextsKey:
		return "until then nothing can be changed in " + inContexts(path)
	case strings.HasPrefix(path, receiversKey+"."):
		return "the receiver is left out"
	case itemOf(path) != "":
		return itemOf(path) + " is left out"
	case name == path && known && k.preset != "":
		return k.preset + " is used"
	case known && path != name:
		return "the general setting is used"
	}
	return "it is left out"
}

// itemOf is the item of a list that a setting is in, "" for one that is in none, or
// the item itself.
func itemOf(path string) string {
	if end := strings.IndexByte(path, ']') + 1; end > 0 && end < len(path) {
		return path[:end]
	}
	return ""
}

func inContexts(path string) string {
	if name, own := strings.CutPrefix(path, contextsKey+"."); own {
		return "the context " + strings.TrimSuffix(name, "."+readOnlyKey)
	}
	return "any context"
}

// settingName is a path without the context that it is for.
func settingName(path string) string {
	if !strings.HasPrefix(path, contextsKey+".") {
		return path
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

// quoted is the value of a setting as it is written; only its type where it may
// be a secret.
func (r *reader) quoted(node *goyaml.Node, path string) string {
	if node.Kind != goyaml.ScalarNode || strings.Contains(path, "prometheus.") || strings.HasPrefix(path, receiversKey) {
		return nodeWords(node)
	}
	text := termtext.Form{Most: 40}.Of(node.Value)
	if node.Tag == "!!str" {
		return strconv.Quote(text)
	}
	return text
}

func typeWords(t reflect.Type) string {
	if described, is := reflect.Zero(t).Interface().(interface{ allowed() string }); is {
		return described.allowed()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text; in quotes where it looks like something else"
	case reflect.Slice:
		return "a list, as in [a, b]"
	case reflect.Map, reflect.Struct:
		return "a map, as in {name: value}"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// nodeWords describes a value's type without its text.
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
