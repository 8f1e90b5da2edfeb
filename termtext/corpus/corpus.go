// Package corpus contains texts for tests of everything that writes to a terminal: hostile
// ones, honest ones, and a check of the output, which is independent of package termtext.
package corpus

import (
	"embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed testdata
var files embed.FS

// Text is one of the corpus.
type Text struct{ Name, Text string }

// Hostile returns texts that try to change, hide or break what a person sees.
func Hostile() []Text { return read("testdata/hostile.txt") }

// Honest returns texts that people write and that stay unchanged.
func Honest() []Text { return read("testdata/honest.txt") }

// flood matches a text of many equal parts: "before" * 300 of "part" "after".
var flood = regexp.MustCompile(`^(".*") \* (\d+) of (".*") (".*")$`)

func read(name string) []Text {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // embedded
	}
	var texts []Text
	for line := range strings.Lines(string(content)) {
		if name, written, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); found {
			texts = append(texts, Text{name, unquote(written)})
		}
	}
	return texts
}

func unquote(written string) string {
	if parts := flood.FindStringSubmatch(written); parts != nil {
		times, _ := strconv.Atoi(parts[2])
		return unquote(parts[1]) + strings.Repeat(unquote(parts[3]), times) + unquote(parts[4])
	}
	text, err := strconv.Unquote(written)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", written, err))
	}
	return text
}

// sgr matches the only sequences that may begin with ESC.
var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// Check returns an error for what may harm or mislead in a written text: an escape
// sequence other than a colour, a control character other than tab and line feed, what
// reverses or hides text, or more marks on a letter than any script has.
func Check(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("not valid UTF-8: %s", around(text, strings.IndexRune(text, utf8.RuneError)))
	}
	marks, last := 0, rune(0)
	for at, r := range sgr.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("m", len(s)) }) {
		if marks++; !unicode.Is(unicode.M, r) && (r < 0x1f3fb || r > 0x1f3ff) {
			marks = 0
		}
		if harm(r) || marks > 10 || joiner(r) && joiner(last) {
			return fmt.Errorf("%U came through: %s", r, around(text, at))
		}
		last = r
	}
	return nil
}

func harm(r rune) bool {
	switch {
	case r == '\n', r == '\t', joiner(r):
		return false
	case unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point):
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

func joiner(r rune) bool { return r == 0x200c || r == 0x200d }

func around(text string, at int) string {
	return strconv.QuoteToASCII(text[max(0, at-40):min(len(text), max(0, at)+40)])
}
