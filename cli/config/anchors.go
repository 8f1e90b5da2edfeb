package config

import (
	"fmt"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"
)

// mostSettings bounds the settings of a file, those among them that anchors
// repeat: a hundred times those of a long one.
const mostSettings = 200_000

// mergeKey takes the settings of other maps into one (yaml.org/type/merge.html).
const mergeKey = "<<"

// anchors replaces aliases, and maps that are merged into others, by copies of
// what they refer to: a setting is then checked in each place where it counts.
type anchors struct {
	left int
	// line is that of the setting at which there were too many, 0 for none.
	line int
}

// withoutAnchors is a document without aliases and merged maps.
func withoutAnchors(root *goyaml.Node) (*goyaml.Node, error) {
	a := anchors{left: mostSettings}
	resolved := a.resolve(root, 0)
	if a.line > 0 {
		return nil, &settingError{a.line, fmt.Sprintf("with what its anchors repeat, the file has more than %d settings", mostSettings)}
	}
	return resolved, nil
}

// resolve returns a copy of a value without aliases. Values that lie too deep keep
// them: an anchor may refer to itself.
func (a *anchors) resolve(node *goyaml.Node, depth int) *goyaml.Node {
	if a.left--; a.left < 0 {
		if a.line == 0 {
			a.line = node.Line
		}
		return &goyaml.Node{Kind: goyaml.ScalarNode, Tag: "!!null", Line: node.Line}
	}
	if depth > deepest+1 {
		return node
	}
	if node.Kind == goyaml.AliasNode {
		return a.resolve(node.Alias, depth+1)
	}
	resolved := *node
	resolved.Content = nil
	if node.Kind == goyaml.MappingNode {
		resolved.Content = a.fields(node, depth)
		return &resolved
	}
	for _, item := range node.Content {
		resolved.Content = append(resolved.Content, a.resolve(item, depth+1))
	}
	return &resolved
}

// fields are the settings of a map, with those of the maps that are merged into it
// behind its own, which win; of several the first wins. Values that are no maps
// stay where they are written.
func (a *anchors) fields(node *goyaml.Node, depth int) (all []*goyaml.Node) {
	known, merged := map[string]bool{}, []*goyaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], a.resolve(node.Content[i+1], depth+1)
		if from := mergedMaps(value); name.Value == mergeKey && from != nil {
			merged = append(merged, from...)
			continue
		}
		known[name.Value] = true
		all = append(all, name, value)
	}
	for _, from := range merged {
		for i := 0; i+1 < len(from.Content); i += 2 {
			if name := from.Content[i]; !known[name.Value] {
				known[name.Value] = true
				all = append(all, name, from.Content[i+1])
			}
		}
	}
	return all
}

// mergedMaps are the maps that a merge names, nil where one is no map.
func mergedMaps(value *goyaml.Node) []*goyaml.Node {
	maps := []*goyaml.Node{value}
	if value.Kind == goyaml.SequenceNode {
		maps = value.Content
	}
	for _, one := range maps {
		if one.Kind != goyaml.MappingNode {
			return nil
		}
	}
	return maps
}
