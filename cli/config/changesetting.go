package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/sources/localfile"
)

// Set writes a setting into a configuration file: path is "theme", or that of a
// context which has its own, "contexts.prod.theme". The value "" takes it out.
// The rest of the file stays as it is written. A value that cannot be used is
// refused.
func Set(file, path, value string) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // a file of somebody's dotfiles stays a link
	}
	text, err := localfile.Read(file, localfile.Settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the configuration: %w", err)
	}
	changed, err := withSetting(text, path, value)
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	_, problems, err := parse(file, changed)
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	for _, problem := range problems {
		if problem.Key == path {
			return errors.New(problem.Text)
		}
	}
	return replaceFile(file, changed)
}

// withSetting is the text of a file with another value of a setting: only its
// line differs, or where that is not enough, the file is written anew with its
// comments.
func withSetting(text []byte, path, value string) ([]byte, error) {
	document, root, err := settingsRoot(text)
	if err != nil {
		return nil, err
	}
	edit := settingEdit{path: path, value: value}
	edit.parent, edit.at = findSetting(root, "", path)
	if edit.parent == nil && settingName(path) != path {
		return nil, fmt.Errorf("%s is no longer in the file", path)
	}
	inLine := edit.inLine(text, root)
	edit.inTree(root)
	if inLine != nil && sameSettings(inLine, root) {
		return inLine, nil
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	return written(document)
}

// settingsRoot parses a file and returns its map of settings, an empty one where
// the file has nothing.
func settingsRoot(text []byte) (document, root *goyaml.Node, err error) {
	if document, err = onlyDocument(text); err != nil {
		return nil, nil, err
	}
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		document = &goyaml.Node{Kind: goyaml.DocumentNode, Content: []*goyaml.Node{{Kind: goyaml.MappingNode, Tag: "!!map", Line: 1, Column: 1}}}
	}
	root = document.Content[0]
	if root.Kind != goyaml.MappingNode {
		return nil, nil, errors.New("the file is no map of settings")
	}
	return document, root, nil
}

// written is the text of a document.
func written(document *goyaml.Node) ([]byte, error) {
	var out bytes.Buffer
	encoder := goyaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(document), encoder.Close()); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return out.Bytes(), nil
}

// findSetting is the map that has a setting, and the index of its name in it;
// nil where the file has none.
func findSetting(node *goyaml.Node, at, path string) (parent *goyaml.Node, index int) {
	for i, child := range settingsIn(node, at) {
		if child.path == path && node.Kind == goyaml.MappingNode {
			return node, 2 * i
		}
		if strings.HasPrefix(path, child.path+".") {
			if parent, index := findSetting(child.value, child.path, path); parent != nil {
				return parent, index
			}
		}
	}
	return nil, 0
}

// sameSettings reports whether a text has the settings of a document.
func sameSettings(text []byte, root *goyaml.Node) bool {
	var document goyaml.Node
	if err := goyaml.Unmarshal(text, &document); err != nil {
		return false
	}
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return len(root.Content) == 0
	}
	return reflect.DeepEqual(plainValue(document.Content[0], 0), plainValue(root, 0))
}

// settingEdit gives a setting another value.
type settingEdit struct {
	path, value string
	// parent is the map that has the setting, at the index of its name; nil
	// where it is not in the file.
	parent *goyaml.Node
	at     int
}

// node is the new value. A text that looks like a number stays a text.
func (e *settingEdit) node() *goyaml.Node {
	node := &goyaml.Node{Kind: goyaml.ScalarNode, Value: e.value}
	if t := jsonFields(reflect.TypeFor[Config]())[settingName(e.path)]; t != nil {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.String {
			node.Tag = "!!str"
		}
	}
	return node
}

// inTree changes the document.
func (e *settingEdit) inTree(root *goyaml.Node) {
	switch {
	case e.parent == nil && e.value == "":
	case e.parent == nil:
		root.Content = append(root.Content, &goyaml.Node{Kind: goyaml.ScalarNode, Value: e.path}, e.node())
	case e.value == "":
		e.parent.Content = slices.Delete(e.parent.Content, e.at, e.at+2)
	default:
		node := e.node()
		node.LineComment = e.parent.Content[e.at+1].LineComment
		e.parent.Content[e.at+1] = node
	}
}

// inLine is the text with the one line changed, added or taken out; nil where
// the setting is not alone on a line.
func (e *settingEdit) inLine(text []byte, root *goyaml.Node) []byte {
	scalar, err := goyaml.Marshal(e.node())
	if err != nil {
		return nil
	}
	written := strings.TrimSuffix(string(scalar), "\n")
	lines := strings.SplitAfter(string(text), "\n")
	if e.parent == nil {
		switch {
		case e.value == "":
			return text
		case root.Column != 1 || root.Style&goyaml.FlowStyle != 0:
			return nil
		case len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")):
			lines = append(lines, "\n")
		}
		return []byte(strings.Join(lines, "") + e.path + ": " + written + "\n")
	}
	name, value := e.parent.Content[e.at], e.parent.Content[e.at+1]
	line := value.Line - 1
	if value.Kind != goyaml.ScalarNode || name.Line != value.Line || line < 0 || line >= len(lines) {
		return nil
	}
	if e.value == "" {
		if e.parent.Style&goyaml.FlowStyle != 0 {
			return nil
		}
		return []byte(strings.Join(slices.Delete(lines, line, line+1), ""))
	}
	runes := []rune(lines[line])
	begin := value.Column - 1
	end := scalarEnd(runes, begin, value)
	if end < 0 {
		return nil
	}
	lines[line] = string(runes[:begin]) + written + string(runes[end:])
	return []byte(strings.Join(lines, ""))
}

// scalarEnd is the index behind a value that is written on one line, -1 where it
// is not.
func scalarEnd(line []rune, begin int, value *goyaml.Node) int {
	if begin < 0 || begin >= len(line) {
		return -1
	}
	quote := line[begin]
	if quote != '"' && quote != '\'' {
		end := begin + len([]rune(value.Value))
		if end > len(line) || string(line[begin:end]) != value.Value {
			return -1
		}
		return end
	}
	for i := begin + 1; i < len(line); i++ {
		switch {
		case quote == '"' && line[i] == '\\', quote == '\'' && line[i] == quote && i+1 < len(line) && line[i+1] == quote:
			i++ // what is escaped
		case line[i] == quote:
			return i + 1
		}
	}
	return -1
}

// replaceFile writes a file completely or not at all.
func replaceFile(path string, text []byte) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".config-*")
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", errors.Join(err, os.Remove(temporary.Name())))
	}
	return nil
}
