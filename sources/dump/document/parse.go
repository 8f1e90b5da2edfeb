// Package document parses the text of one object, YAML or JSON: fast where it is what
// kubectl prints, with a library for everything else. It finds keys that are there twice,
// and takes numbers that JSON does not have (NaN) for null.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// Parse parses the text of one object into a map as the API machinery expects:
// int64 or float64 for numbers; nil where there is nothing in it. line is the line of
// an error in the text, from 1, or 0.
func Parse(text []byte, isJSON bool) (object map[string]any, repeated []RepeatedKey, line int, err error) {
	var value any
	if isJSON {
		if err := utiljson.Unmarshal(text, &value); err != nil && jsonWithNull(text, &value) != nil {
			return nil, nil, jsonErrorLine(text, err), fmt.Errorf("not valid JSON: %w", err)
		}
		repeated = repeatedInJSON(text, value)
	} else if value, repeated, err = parseYAML(text); err != nil {
		return nil, nil, min(yamlErrorLine(err), max(1, bytes.Count(text, []byte{'\n'}))), explainYAML(err)
	}
	switch value := value.(type) {
	case map[string]any:
		return value, repeated, 0, nil
	case nil:
		return nil, nil, 0, nil // "null", or nothing between two markers
	default:
		return nil, nil, 1, fmt.Errorf("not a Kubernetes object but %s", Describe(value))
	}
}

func parseYAML(text []byte) (value any, repeated []RepeatedKey, err error) {
	if value, err = kubectlYAML(text); err == nil {
		return value, nil, nil
	}
	value, repeated, err = strictYAML(text)
	if err != nil && yamlNumber.Match(text) {
		return strictYAML(yamlWithNull(text))
	}
	return value, repeated, err
}

// libraryYAML parses any YAML, slowly.
func libraryYAML(text []byte) (value any, err error) {
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	err = utiljson.Unmarshal(text, &value)
	return value, err
}

// yamlLine matches the line in a message of the YAML library, "yaml: line 3:
// ...".
var yamlLine = regexp.MustCompile(`\bline (\d+): `)

func yamlErrorLine(err error) int {
	found := yamlLine.FindStringSubmatch(err.Error())
	if found == nil {
		return 1
	}
	line, err := strconv.Atoi(found[1])
	if err != nil {
		return 1
	}
	return line
}

// explainYAML removes the line number, which counts from the start of the
// object rather than of the file, and explains an unknown anchor.
func explainYAML(err error) error {
	text := yamlLine.ReplaceAllString(err.Error(), "")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "error converting YAML to JSON: "), "yaml: ")
	if strings.Contains(text, "unknown anchor") {
		text += " in this object (anchors are not followed from one object of a file to another)"
	}
	return fmt.Errorf("not valid YAML: %s", text)
}

func jsonErrorLine(text []byte, err error) int {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 1
	}
	end := min(max(int(syntax.Offset), 0), len(text))
	return 1 + bytes.Count(text[:end], []byte{'\n'})
}

// Describe names the type of a value for a message.
func Describe(value any) string {
	switch value.(type) {
	case string:
		return "text"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	case bool:
		return "true or false"
	}
	return "a number"
}
