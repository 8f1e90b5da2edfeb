package keymap

import (
	"fmt"
	"strings"
)

// Markdown prints the whole table for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Keys\n\nPrinted from the rows in `keymap/`; `go test ./keymap -update` writes it anew.\n")
	for _, scope := range Scopes() {
		if rows := rowsOf(scope); rows != "" {
			fmt.Fprintf(&b, "\n## %s\n\n| Key | Action | Meaning |\n|---|---|---|\n%s", heading(scope), rows)
		}
	}
	return b.String()
}

func rowsOf(scope Scope) string {
	var b strings.Builder
	for _, binding := range bindings {
		if binding.Scope != scope {
			continue
		}
		var named []string
		for _, k := range binding.Keys {
			named = append(named, "`"+k+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Join(named, " "), binding.Action, binding.Long)
	}
	return b.String()
}

func heading(scope Scope) string {
	switch scope {
	case Global:
		return "Everywhere"
	case Table:
		return "Every table"
	case Pager:
		return "Every text"
	case Typing:
		return "Every line that is typed"
	}
	return strings.ToUpper(string(scope[:1])) + string(scope[1:])
}

// Print is a key as people write it: "ctrl-s", "shift-left", "G".
func Print(key string) string { return strings.ReplaceAll(key, "+", "-") }
