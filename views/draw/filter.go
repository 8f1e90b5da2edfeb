package draw

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sahilm/fuzzy"
	"k8s.io/apimachinery/pkg/labels"
)

// Filter narrows rows the way k9s does: a regular expression without regard to
// case, "!" before it for rows that do not match, "-f" before it for a fuzzy
// match, "-l" for a label selector. The zero Filter passes everything.
type Filter struct {
	Text string // as typed

	expression *regexp.Regexp
	inverse    bool
	fuzzy      string
	selector   labels.Selector
}

// ParseFilter parses a typed filter. An error names what is wrong with it.
func ParseFilter(text string) (Filter, error) {
	f := Filter{Text: text}
	body := strings.TrimSpace(text)
	switch {
	case body == "":
		return Filter{}, nil
	case isFlag(body, "-f"):
		f.fuzzy = strings.TrimSpace(body[2:])
		return f, nil
	case isFlag(body, "-l"):
		selector, err := labels.Parse(strings.TrimSpace(body[2:]))
		if err != nil {
			return Filter{}, fmt.Errorf("read %q as a label selector: %w", body[2:], err)
		}
		f.selector = selector
		return f, nil
	}
	body, f.inverse = strings.CutPrefix(body, "!")
	if body == "" {
		return Filter{Text: text}, nil
	}
	expression, err := regexp.Compile("(?i)" + body)
	if err != nil {
		return Filter{}, fmt.Errorf("read %q as a regular expression: %w", body, err)
	}
	f.expression = expression
	return f, nil
}

func isFlag(text, flag string) bool {
	rest, found := strings.CutPrefix(text, flag)
	return found && (rest == "" || rest[0] == ' ')
}

// Empty reports whether everything passes.
func (f Filter) Empty() bool {
	return f.expression == nil && f.fuzzy == "" && (f.selector == nil || f.selector.Empty())
}

// NeedsText reports whether Match reads a row's text.
func (f Filter) NeedsText() bool { return f.expression != nil || f.fuzzy != "" }

// Match reports whether a row passes: line is its columns, joined.
func (f Filter) Match(line string, of labels.Set) bool {
	if f.selector != nil {
		return f.selector.Matches(of)
	}
	return !f.NeedsText() || f.hits(line) != f.inverse
}

// hits reports whether a text has what the filter looks for, also where it is
// inverse.
func (f *Filter) hits(text string) bool {
	if f.fuzzy != "" {
		return len(fuzzy.Find(f.fuzzy, []string{text})) > 0
	}
	return f.expression != nil && f.expression.MatchString(text)
}
