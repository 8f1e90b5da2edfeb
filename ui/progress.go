package ui

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// progressBar is the screen's progress, for the terminal to show; nil when it
// is unknown.
func (m *model) progressBar() (bar *tea.ProgressBar) {
	screen, is := m.top().(views.Progressing)
	if !is || m.height < leastHeight || m.width < leastWidth {
		return nil
	}
	defer func() {
		if recover() != nil {
			bar = nil // drawing the screen reports the panic
		}
	}()
	share, known := screen.Progress(m.frame())
	if !known || math.IsNaN(share) {
		return nil
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, int(math.Round(100*min(1, max(0, share)))))
}
