package cli

import (
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/views"
)

// alertState is the file of what was sent about the jobs of a context
// ($XDG_STATE_HOME/traintop/watch/CONTEXT.json).
func alertState(context string) string { return alertFile(context, ".json") }

// alertMarks is the file of the incidents of a context that people took or muted
// ($XDG_STATE_HOME/traintop/watch/CONTEXT.marks.json).
func alertMarks(context string) string { return alertFile(context, ".marks.json") }

func alertFile(context, ending string) string {
	return filepath.Join(xdg.StateHome, "traintop", "watch", views.FileName(context)+ending)
}
