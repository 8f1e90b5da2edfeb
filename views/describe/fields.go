package describe

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

// hiddenFields are fields that the head of the page shows, or whose data must not be
// shown.
var hiddenFields = []string{"apiVersion", "kind", "metadata", "data", "stringData", "binaryData"}

// keysOf describes the keys of a ConfigMap with their texts, and how much binary
// data it has.
func (p *page) keysOf(object map[string]any) {
	data, _ := object["data"].(map[string]any)
	if binary, _ := object["binaryData"].(map[string]any); len(data) == 0 && len(binary) == 0 {
		p.section("Data")
		p.add(dim(draw.Spaces(indent) + "none"))
		return
	}
	for _, part := range []string{"data", "binaryData"} {
		values, _ := object[part].(map[string]any)
		if len(values) == 0 {
			continue
		}
		p.section(label(part))
		for i, key := range slices.Sorted(maps.Keys(values)) {
			if i == maxItems {
				p.add(dim(draw.Spaces(indent) + "and " + draw.More(len(values)-i, "")))
				break
			}
			text, _ := values[key].(string)
			if part == "binaryData" {
				p.leaf(1, keyWidth(values), key, draw.Plural(base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(text, "="))), "byte"))
				continue
			}
			p.text(key, redact.Text(text))
		}
	}
}

// text is a key with its text, on lines of their own where there are several.
func (p *page) text(name, text string) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) == 1 {
		p.add(key(1, name+":", draw.Width(name)+2), plain(p.shortened(text)))
		return
	}
	p.add(key(1, name+":", 0))
	for _, line := range lines {
		p.add(plain(draw.Spaces(2*indent) + p.shortened(line)))
	}
}

// fields describes an object of any kind: its conditions as a table, its other
// fields as a tree, as kubectl describe does.
func (p *page) fields(object map[string]any) {
	if status, is := object["status"].(map[string]any); is {
		if conditions, is := status["conditions"].([]any); is && p.conditions(object, conditions) {
			delete(status, "conditions") // object is our own copy
		}
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if slices.Contains(hiddenFields, key) || empty(object[key]) {
			continue
		}
		p.section(label(key))
		switch value := object[key].(type) {
		case map[string]any, []any:
			p.tree(value, 1)
		default:
			p.add(plain(draw.Spaces(indent) + p.shortened(scalar(value))))
		}
	}
}

// conditions is a table of the conditions in an object's status; it reports whether they could
// be read as such.
func (p *page) conditions(object map[string]any, all []any) bool {
	var rows [][]draw.Span
	for _, entry := range all {
		condition, is := entry.(map[string]any)
		if !is {
			return false
		}
		text := func(name string) string { s, _ := condition[name].(string); return s }
		at, _ := time.Parse(time.RFC3339, text("lastTransitionTime"))
		rows = append(rows, []draw.Span{
			{Text: text("type"), Role: themes.Strong}, plain(text("status")), dim(p.age(kinds.HeldSince(&unstructured.Unstructured{Object: object}, at))), plain(text("reason")), plain(text("message")),
		})
	}
	if len(rows) > 0 {
		p.section("Conditions")
		p.table([]string{"TYPE", "STATUS", "SINCE", "REASON", "MESSAGE"}, rows)
	}
	return true
}

// maxDepth and maxItems bound the tree; a note replaces what is beyond.
const (
	maxDepth = 40
	maxItems = 500
)

// tree writes the value of a field, one value on a line.
func (p *page) tree(value any, depth int) {
	if depth > maxDepth {
		p.add(dim(draw.Spaces(depth*indent) + "deeper levels are not shown"))
		return
	}
	switch value := value.(type) {
	case map[string]any:
		cells := keyWidth(value)
		for i, key := range slices.Sorted(maps.Keys(value)) {
			if i == maxItems {
				p.add(dim(draw.Spaces(depth*indent) + "and " + draw.More(len(value)-i, "")))
				break
			}
			p.branch(key, value[key], depth, cells)
		}
	case []any:
		p.list(value, depth)
	}
}

// branch is one field with its name.
func (p *page) branch(key string, value any, depth, cells int) {
	if empty(value) {
		return
	}
	switch value := value.(type) {
	case map[string]any, []any:
		p.add(draw.Span{Text: draw.Spaces(depth*indent) + label(key) + ":", Role: themes.YAMLKey})
		p.tree(value, depth+1)
	case string:
		if strings.Contains(strings.TrimSpace(value), "\n") {
			p.block(key, value, depth)
			return
		}
		p.leaf(depth, cells, label(key), p.shortened(value))
	default:
		p.leaf(depth, cells, label(key), scalar(value))
	}
}

// keyWidth is the width of the names of a level's plain values, so that the
// values are aligned.
func keyWidth(level map[string]any) int {
	cells := 0
	for key, value := range level {
		switch value.(type) {
		case map[string]any, []any:
		default:
			cells = max(cells, draw.Width(draw.Clean(label(key)))+len(":  "))
		}
	}
	return min(cells, maxCell)
}

// list puts a mark before each item, to show where the next begins.
func (p *page) list(items []any, depth int) {
	for i, item := range items {
		if i == maxItems {
			p.add(dim(draw.Spaces(depth*indent) + "and " + draw.More(len(items)-i, "")))
			return
		}
		mark := draw.Span{Text: draw.Spaces(depth*indent) + "- ", Role: themes.Dim}
		switch item := item.(type) {
		case map[string]any, []any:
			first := len(p.lines)
			p.tree(item, depth+1)
			if first < len(p.lines) {
				p.lines[first][0].Text = strings.TrimPrefix(p.lines[first][0].Text, draw.Spaces((depth+1)*indent))
				p.lines[first] = append(draw.TextLine{mark}, p.lines[first]...)
			}
		default:
			p.add(mark, plain(p.shortened(scalar(item))))
		}
	}
}

// maxBlock bounds the lines shown of a text within an object.
const maxBlock = 40

// block is a text of several lines.
func (p *page) block(key, value string, depth int) {
	p.add(draw.Span{Text: draw.Spaces(depth*indent) + label(key) + ":", Role: themes.YAMLKey})
	lines := strings.Split(strings.TrimSpace(value), "\n")
	for i, line := range lines {
		if i == maxBlock {
			p.add(dim(draw.Spaces((depth+1)*indent) + draw.More(len(lines)-i, "line")))
			return
		}
		p.add(plain(draw.Spaces((depth+1)*indent) + p.shortened(line)))
	}
}

func scalar(value any) string {
	if value == nil {
		return "<none>"
	}
	return fmt.Sprint(value)
}

func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	case string:
		return value == ""
	}
	return false
}

// label is a field's name as kubectl describe writes it (smartLabelFor of
// k8s.io/kubectl): "pytorchReplicaSpecs" is "Pytorch Replica Specs". A name
// with anything but letters and dashes stays as it is.
func label(field string) string {
	if field == "" || strings.ContainsFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		return field
	}
	runes := []rune(field)
	words := []rune{unicode.ToUpper(runes[0])}
	for i := 1; i < len(runes); i++ {
		begins := unicode.IsUpper(runes[i]) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			words = append(words, ' ')
		}
		words = append(words, runes[i])
	}
	return string(words)
}
