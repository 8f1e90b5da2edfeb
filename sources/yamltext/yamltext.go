// Package yamltext writes objects and answers as YAML.
package yamltext

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/termtext"
)

// Marshal writes a value as YAML with the names of its JSON fields. It accepts
// every text: characters that may not reach a terminal, or that YAML forbids, are
// written as escapes (\u202E), so that reading the YAML gives the same value.
func Marshal(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	held := hold(termtext.EscapeJSON(text))
	written, err := yaml.JSONToYAML(held)
	if err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return release(written), nil
}
