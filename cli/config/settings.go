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
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/views"
)

// Rows are all settings of a context with their values.
func Rows(c Config, context string) []views.Setting {
	fields := jsonFields(reflect.TypeFor[Config]())
	var rows []views.Setting
	for _, k := range Keys() {
		name := strings.TrimSuffix(k.name, ".NAME")
		row := views.Setting{Key: name, Preset: k.preset, Kind: k.kind, Meaning: k.meaning, Simple: isSimple(fields[name])}
		switch {
		case name == "theme":
			row.Choices = ThemeNames()
		case k.kind == "true or false":
			row.Choices = []string{"true", "false"}
		}
		if value := c.writtenIn(context, name); value != nil {
			row.Value, row.From = valueText(name, value), c.placeOf(context, name)
		}
		if k.atStart {
			row.Meaning += " (read at the start)"
		}
		rows = append(rows, row)
	}
	return rows
}

// isSimple reports whether a setting is one text, number or choice.
func isSimple(t reflect.Type) bool {
	if t == nil {
		return false
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int:
		return true
	}
	return t == reflect.TypeFor[interval]() || t == reflect.TypeFor[rewindSize]()
}

// valueText is a value on one line. What may be a secret is not shown.
func valueText(name string, value any) string {
	switch value := value.(type) {
	case map[string]any:
		if name == "prometheus" {
			return "set"
		}
		return termtext.Count(len(value), "entry")
	case []any:
		var texts []string
		for _, item := range value {
			text, isText := item.(string)
			if !isText {
				return termtext.Count(len(value), "entry")
			}
			texts = append(texts, text)
		}
		return termtext.Line(strings.Join(texts, ", "))
	}
	return termtext.Line(fmt.Sprint(value))
}

// placeOf is where the file has a setting.
func (c *Config) placeOf(context, name string) string {
	file := filepath.Base(Path())
	for _, path := range []string{contextsKey + "." + context + "." + name, name} {
		if line := c.lines[path]; line > 0 {
			return fmt.Sprintf("%s:%d", file, line)
		}
	}
	return file
}

// Set writes a general setting into a configuration file, "" takes it out. The
// rest of the file stays, comments too. A value that cannot be used is refused.
func Set(path, key, value string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a file of somebody's dotfiles stays a link
	}
	text, err := localfile.Read(path, localfile.Settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the configuration: %w", err)
	}
	changed, err := withSetting(text, key, value)
	if err != nil {
		return err
	}
	_, problems, err := parse(path, changed)
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	for _, problem := range problems {
		if problem.Key == key {
			return errors.New(problem.Text)
		}
	}
	return replaceFile(path, changed)
}

// withSetting is the text of a file with another value of a setting.
func withSetting(text []byte, key, value string) ([]byte, error) {
	var document goyaml.Node
	if err := goyaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("change the configuration: %w", syntaxError(err))
	}
	if len(document.Content) == 0 {
		document = goyaml.Node{Kind: goyaml.DocumentNode, HeadComment: document.HeadComment, Content: []*goyaml.Node{{Kind: goyaml.MappingNode, Tag: "!!map"}}}
	}
	root := document.Content[0]
	if root.Kind != goyaml.MappingNode {
		return nil, errors.New("change the configuration: the file is no map of settings")
	}
	node := &goyaml.Node{Kind: goyaml.ScalarNode, Value: value}
	if t := jsonFields(reflect.TypeFor[Config]())[key]; t != nil {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.String {
			node.Tag = "!!str"
		}
	}
	at := slices.IndexFunc(settingsIn(root, ""), func(s setting) bool { return s.key == key })
	switch {
	case value == "" && at >= 0:
		root.Content = slices.Delete(root.Content, 2*at, 2*at+2)
	case value == "":
	case at >= 0:
		node.LineComment = root.Content[2*at+1].LineComment
		root.Content[2*at+1] = node
	default:
		root.Content = append(root.Content, &goyaml.Node{Kind: goyaml.ScalarNode, Value: key}, node)
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	encoder := goyaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(&document), encoder.Close()); err != nil {
		return nil, fmt.Errorf("change the configuration: %w", err)
	}
	return out.Bytes(), nil
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
	err = errors.Join(err, temporary.Chmod(mode), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", errors.Join(err, os.Remove(temporary.Name())))
	}
	return nil
}
