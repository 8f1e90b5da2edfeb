package loglines

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
)

// Options control how a pattern is interpreted.
type Options struct {
	// Plain treats the pattern as text, not as a regular expression.
	Plain bool
	// MatchCase distinguishes upper from lower case. Otherwise ASCII letters
	// match in either case; other letters do so when the pattern is a regular
	// expression without a literal part.
	MatchCase bool
}

// Matcher finds a pattern in lines. It is safe for use by several goroutines.
type Matcher struct {
	pattern *regexp.Regexp
	// literals are texts of which every match contains one; none when a match
	// need not. whole is true when matching a literal is enough.
	literals []*literal
	whole    bool
	// there is not nil when every match begins with one of the literals: it is
	// the expression anchored where a literal begins, which is much cheaper
	// than trying it at every offset of a line.
	there *regexp.Regexp
}

// maxLiterals bounds the texts that are searched for at once.
const maxLiterals = 16

// Compile builds a matcher from user input: a regular expression (RE2, as Go's
// regexp) or plain text. An empty pattern matches every line.
func Compile(pattern string, o Options) (*Matcher, error) {
	expression := pattern
	if o.Plain {
		expression = regexp.QuoteMeta(pattern)
	}
	if !o.MatchCase {
		expression = "(?i)" + expression
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("reading the pattern %q: %w", pattern, err)
	}
	m := &Matcher{pattern: compiled}
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("reading the pattern %q: %w", pattern, err)
	}
	tree = tree.Simplify()
	texts := required(tree)
	for _, text := range texts {
		m.literals = append(m.literals, newLiteral(text.text, text.fold))
	}
	m.whole = tree.Op == syntax.OpLiteral && len(texts) == 1 && len(texts[0].text) == len(string(tree.Rune))
	if !m.whole && len(texts) > 0 && slices.EqualFunc(texts, leading(tree), needle.equal) {
		m.there = regexp.MustCompile(`\A(?:` + expression + `)`)
	}
	return m, nil
}

// Match reports whether a line matches. text is without colours.
func (m *Matcher) Match(text []byte) bool {
	if len(m.literals) == 0 {
		return m.pattern.Match(text)
	}
	literals := m.seek(text)
	for at := literals.next(0); at >= 0; at = literals.next(at + 1) {
		if m.whole || m.there == nil {
			return m.whole || m.pattern.Match(text)
		}
		if m.there.Match(text[at:]) {
			return true
		}
	}
	return false
}

// FindAll returns the parts of a text (without colours) that match, as byte
// offsets of beginning and end, at most most of them. It omits empty matches.
func (m *Matcher) FindAll(text string, most int) [][]int {
	var found [][]int
	for _, match := range m.pattern.FindAllStringIndex(text, most) {
		if match[1] > match[0] {
			found = append(found, match)
		}
	}
	return found
}

// String returns the regular expression of the pattern.
func (m *Matcher) String() string { return m.pattern.String() }

// seeker finds the offsets at which a match may begin, one after another. at
// is the next offset of each literal.
type seeker struct {
	*Matcher
	text []byte
	at   [maxLiterals]int
}

func (m *Matcher) seek(text []byte) seeker {
	s := seeker{Matcher: m, text: text}
	for i := range m.literals {
		s.at[i] = -1
	}
	return s
}

// next returns the first such offset at or after from, -1 without one.
func (s *seeker) next(from int) int {
	if len(s.literals) == 0 {
		return from
	}
	first := len(s.text)
	for i, l := range s.literals {
		if s.at[i] < from {
			s.at[i] = len(s.text)
			if at := l.index(s.text[from:]); at >= 0 {
				s.at[i] = from + at
			}
		}
		first = min(first, s.at[i])
	}
	if first == len(s.text) {
		return -1
	}
	return first
}
