package terminal

import (
	"image/color"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/traintop/traintop/themes"
)

// ThemeColours returns the colours that a theme with a background sets in the
// terminal; nil leaves the terminal's own.
func ThemeColours(t *themes.Theme) (background, foreground color.Color) {
	if t.Background == "" {
		return nil, nil
	}
	return lipgloss.Color(t.Background), lipgloss.Color(t.Foreground)
}

// ColoursOf is how many colours the terminal has.
func ColoursOf(m tea.ColorProfileMsg) themes.Colours {
	switch {
	case m.Profile >= colorprofile.TrueColor || m.Profile == colorprofile.Unknown:
		return themes.AllColours
	case m.Profile == colorprofile.ANSI256:
		return themes.Of256
	case m.Profile == colorprofile.ANSI:
		return themes.Of16
	}
	return themes.NoColours
}

// LightBackground reports whether COLORFGBG names a light background, for
// terminals that do not answer when they are asked for it. Its value is
// "FOREGROUND;BACKGROUND", with something between in some terminals; colours
// are the 16 of ANSI, of which 7 and those above 8 are light (Vim's
// term_bg_default and Emacs' frame.el read it so).
func LightBackground(colorFgBg string) bool {
	background := colorFgBg[strings.LastIndexByte(colorFgBg, ';')+1:]
	n, err := strconv.Atoi(background)
	return err == nil && (n == 7 || n > 8 && n < 16)
}
