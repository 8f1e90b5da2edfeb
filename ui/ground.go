package ui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/traintop/traintop/themes"
)

// ground returns the terminal's colours while a theme with a background is in
// use; nil leaves the terminal's own.
func ground(t *themes.Theme) (background, foreground color.Color) {
	if t.Background == "" {
		return nil, nil
	}
	return lipgloss.Color(t.Background), lipgloss.Color(t.Foreground)
}
