package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxText bounds what is looked at of one text: no cell is wider than a
// terminal, and an annotation may have 256 KiB.
const maxText = 4096

// Clean makes a text safe for one line of a terminal: escape sequences and
// control bytes go, tabs and line ends become spaces, invalid UTF-8 is shown
// escaped.
func Clean(s string) string {
	if len(s) > maxText {
		s = cutBytes(s, maxText)
	}
	if printable(s) {
		return s
	}
	s = ansi.Strip(escapeInvalid(s))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unsafeRune(r):
			return -1
		}
		return r
	}, s)
}

// printable is the quick answer for nearly every text there is.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// unsafeRune names what a terminal might act upon or what turns the order of
// the letters around it.
func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

// escapeInvalid writes bytes that are no UTF-8 as \xNN.
func escapeInvalid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	const digits = "0123456789abcdef"
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			b.WriteString(`\x`)
			b.WriteByte(digits[s[0]>>4])
			b.WriteByte(digits[s[0]&15])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
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

// Cut shortens a clean text to at most width cells; ellipsis stands for what
// was cut.
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
