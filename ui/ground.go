package ui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/traintop/traintop/themes"
)

// ground are the terminal's own colours while a theme that brings a ground is
// in use; nil leaves the terminal's.
func ground(t *themes.Theme) (background, foreground color.Color) {
	if t.Background == "" {
		return nil, nil
	}
	return lipgloss.Color(t.Background), lipgloss.Color(t.Foreground)
}
