package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
)

// maxText bounds how much of one text is read: no cell is wider than a
// terminal, and an annotation may have 256 KiB.
const maxText = 4096

// Clean makes a text safe for one line of a terminal, by the rules of package
// termtext.
func Clean(s string) string {
	if len(s) > maxText {
		s = cutBytes(s, maxText)
	}
	if printable(s) {
		return s
	}
	return termtext.Line(s)
}

// ASCII replaces signs of typography, by the rules of package termtext.
func ASCII(s string) string { return termtext.ASCII(s) }

// printable is the quick check for nearly every text.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// cutBytes cuts at a whole rune.
func cutBytes(s string, n int) string {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Width is how many cells a clean text takes.
func Width(s string) int {
	if printable(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Cut shortens a clean text to at most width cells; ellipsis marks the cut.
func Cut(s string, width int, ellipsis string) string {
	if width <= 0 {
		return ""
	}
	if printable(s) {
		switch {
		case len(s) <= width:
			return s
		case width == 1:
			return ellipsis
		}
		return s[:width-1] + ellipsis
	}
	return ansi.Truncate(s, width, ellipsis)
}

// Fit cuts or pads a clean text to exactly width cells.
func Fit(s string, width int, right bool, ellipsis string) string {
	s = Cut(s, width, ellipsis)
	gap := Spaces(width - Width(s))
	if right {
		return gap + s
	}
	return s + gap
}

const manySpaces = "                                                                                                                                "

// Spaces is n spaces, without allocating for any usual n.
func Spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(manySpaces) {
		return manySpaces[:n]
	}
	return strings.Repeat(" ", n)
}

// Wrap breaks a clean text into lines of at most width cells, at spaces where
// there are any.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(s, width, ""), "\n")
}
