package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/termtext"
)

// Summary describes in one line what a request sends: the fields that it sets, and their
// values if they are numbers or booleans. Texts are left out: one may be a secret.
func Summary(r actions.Request) string {
	parts := []string{string(r.Verb)}
	if r.Subresource != "" {
		parts = append(parts, r.Subresource)
	}
	if r.Verb == actions.Delete && r.Propagation != "" {
		parts = append(parts, "propagation="+string(r.Propagation))
	}
	if r.Grace != nil {
		parts = append(parts, fmt.Sprintf("grace=%ds", *r.Grace))
	}
	if r.DryRun {
		parts = append(parts, "dry run")
	}
	switch {
	case r.Body == nil:
	case r.Verb == actions.Patch:
		parts = append(parts, fields(r.Body)...)
	default:
		parts = append(parts, fmt.Sprintf("object of %d bytes", len(r.Body)))
	}
	return strings.Join(parts, " ")
}

// maxFields bounds how many fields a summary names.
const maxFields = 32

// fields names what a patch sets; it is a merge patch or a list of operations.
func fields(body []byte) []string {
	var patch any
	if json.Unmarshal(body, &patch) != nil {
		return []string{fmt.Sprintf("patch of %d bytes", len(body))}
	}
	var found []string
	if operations, is := patch.([]any); is {
		for _, entry := range operations {
			operation, _ := entry.(map[string]any)
			path, _ := operation["path"].(string)
			if kind, _ := operation["op"].(string); kind != "test" {
				found = append(found, strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")+value(operation["value"]))
			}
		}
	} else {
		found = leaves("", patch)
	}
	return termtext.FewLines(found, maxFields)
}

func leaves(path string, node any) []string {
	tree, is := node.(map[string]any)
	if !is {
		return []string{path + value(node)}
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		below := name
		if path != "" {
			below = path + "." + name
		}
		found = append(found, leaves(below, tree[name])...)
	}
	return found
}

// value formats a number, a boolean or a removal; other values are left out.
func value(v any) string {
	switch v := v.(type) {
	case bool, float64:
		return fmt.Sprintf("=%v", v)
	case nil:
		return "=null"
	}
	return ""
}
