package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/train"
)

// sieve lets the lines of one log through that a filter asks for.
type sieve struct {
	filter *lineFilter
	before []train.LogLine // the last lines that did not match
	after  int             // how many more come with the last match
}

// pass calls keep with what a line lets through: itself, with lines before it
// where it is a match.
func (s *sieve) pass(line train.LogLine, keep func(train.LogLine)) {
	f := s.filter
	if len(f.grep) == 0 && len(f.exclude) == 0 {
		keep(line)
		return
	}
	text := line.Text
	if strings.IndexByte(text, 0x1b) >= 0 {
		text = ansi.Strip(text)
	}
	switch {
	case matchesAny(f.exclude, text):
	case len(f.grep) == 0:
		keep(line)
	case matchesAny(f.grep, text):
		for _, earlier := range s.before {
			keep(earlier)
		}
		s.before, s.after = s.before[:0], f.around
		keep(line)
	case s.after > 0:
		s.after--
		keep(line)
	case f.around > 0:
		if len(s.before) == f.around {
			s.before = slices.Delete(s.before, 0, 1)
		}
		s.before = append(s.before, line)
	}
}

func matchesAny(patterns []*regexp.Regexp, text string) bool {
	for _, p := range patterns {
		if p.MatchString(text) {
			return true
		}
	}
	return false
}
