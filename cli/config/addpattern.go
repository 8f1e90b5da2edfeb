package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/localfile"
)

// AddPattern adds a format of one's own to a configuration file; one of the same
// name takes another. The rest of the file stays, with its comments. A pattern
// that does not read its example is refused.
func AddPattern(file string, p formats.Pattern) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	text, err := localfile.Read(file, localfile.Settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the configuration: %w", err)
	}
	changed, err := withPattern(text, p)
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	if _, _, err := parse(file, changed); err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	return replaceFile(file, changed)
}

func withPattern(text []byte, p formats.Pattern) ([]byte, error) {
	document, root, err := settingsRoot(text)
	if err != nil {
		return nil, err
	}
	parent, at := findSetting(root, "", "patterns")
	if parent == nil {
		root.Content = append(root.Content, textNode("patterns"), &goyaml.Node{Kind: goyaml.SequenceNode})
		parent, at = root, len(root.Content)-2
	}
	list := parent.Content[at+1]
	if list.Tag == "!!null" {
		*list = goyaml.Node{Kind: goyaml.SequenceNode}
	}
	if list.Kind != goyaml.SequenceNode {
		return nil, errors.New("patterns is no list")
	}
	list.Style = 0
	p.Name = freeName(list, p.Name)
	list.Content = append(list.Content, &goyaml.Node{Kind: goyaml.MappingNode, Content: []*goyaml.Node{
		textNode("name"), textNode(p.Name), textNode("match"), textNode(p.Match), textNode("example"), textNode(p.Example),
	}})
	return written(document)
}

// freeName is the name, numbered where a pattern of the list has it.
func freeName(list *goyaml.Node, name string) string {
	var taken []string
	for _, one := range list.Content {
		for i := 0; i+1 < len(one.Content); i += 2 {
			if one.Content[i].Value == "name" {
				taken = append(taken, one.Content[i+1].Value)
			}
		}
	}
	free := name
	for n := 2; slices.Contains(taken, free); n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

func textNode(text string) *goyaml.Node {
	return &goyaml.Node{Kind: goyaml.ScalarNode, Tag: "!!str", Value: text}
}
