package views

import (
	"encoding/json"

	"github.com/traintop/traintop/train"
)

// Arranged is a screen about one job that a person arranges: panes, axes. Its
// layout is kept for each job.
type Arranged interface {
	// LayoutOf is the job that the layout is for.
	LayoutOf() train.JobID
	// Layout is the layout as JSON, nil where nothing was arranged.
	Layout() json.RawMessage
	// Arrange applies a layout; one that cannot be read changes nothing.
	Arrange(json.RawMessage)
}

// WriteLayout is a layout as JSON, nil for one in which nothing is set.
func WriteLayout[L any](layout L) json.RawMessage {
	text, err := json.Marshal(layout)
	if err != nil || string(text) == "{}" {
		return nil
	}
	return text
}

// ReadLayout reads a layout; false for a text that is none.
func ReadLayout[L any](text json.RawMessage) (layout L, ok bool) {
	return layout, json.Unmarshal(text, &layout) == nil
}
