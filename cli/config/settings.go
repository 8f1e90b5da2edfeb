package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/views"
)

// Rows are all settings of a context with their values, as :settings lists them.
func Rows(c Config, context string) []views.Setting {
	fields := jsonFields(reflect.TypeFor[Config]())
	var rows []views.Setting
	for _, k := range Keys() {
		name := strings.TrimSuffix(k.name, ".NAME")
		row := views.Setting{
			Key: name, Path: c.pathOf(context, name), Preset: unmarked(k.preset), Kind: unmarked(k.kind), Meaning: unmarked(k.meaning),
			Simple: isSimple(fields[name]), AtStart: k.atStart,
		}
		switch {
		case name == "theme":
			row.Choices = ThemeNames()
		case k.kind == "true or false":
			row.Choices = []string{"true", "false"}
		}
		if value := c.writtenIn(context, name); value != nil {
			row.Written = valueText(name, value)
			row.Value, row.From = row.Written, c.placeOf(row.Path)
			if row.Value == "" {
				row.Value = `""`
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// unmarked is a text of the documentation without the marks of Markdown, and
// without what points to another place of the page.
func unmarked(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "`", ""), ", see below", "")
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

// valueText is a value on one line. A possible secret is not shown.
func valueText(name string, value any) string {
	switch value := value.(type) {
	case map[string]any:
		if name == "prometheus" {
			return "set"
		}
		return entries(len(value))
	case []any:
		var texts []string
		for _, item := range value {
			text, isText := item.(string)
			if !isText {
				return entries(len(value))
			}
			texts = append(texts, text)
		}
		return termtext.Line(strings.Join(texts, ", "))
	}
	return termtext.Line(fmt.Sprint(value))
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// pathOf is the path of a setting in the file: that of the context where it has
// its own.
func (c *Config) pathOf(context, name string) string {
	if own := contextsKey + "." + context + "." + name; c.lines[own] > 0 {
		return own
	}
	return name
}

// placeOf is the line of the file that has a setting.
func (c *Config) placeOf(path string) string {
	file := filepath.Base(Path())
	if line := c.lines[path]; line > 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return file
}
