package mergedlogs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/train"
)

// LineFilter selects lines by --grep, --exclude and -C.
type LineFilter struct {
	grep, exclude []*regexp.Regexp
	around        int
	// last is how many of the selected lines of each log are kept, 0 for all.
	last int
	// unsearched is nil where no line is looked for.
	unsearched *unsearched
}

// unsearched counts, by log, the lines that were cut and have no match in what is left of
// them.
type unsearched struct {
	mu   sync.Mutex
	logs map[train.StreamID]unsearchedLog
}

// unsearchedLog is what of one log was not searched, up to the line newest: a line may pass
// a sieve and a merge, and counts once.
type unsearchedLog struct{ newest, lines, bytes int64 }

func (u *unsearched) add(id train.StreamID, line *train.LogLine) {
	u.mu.Lock()
	defer u.mu.Unlock()
	of := u.logs[id]
	if line.Number <= of.newest {
		return
	}
	u.logs[id] = unsearchedLog{line.Number, of.lines + 1, of.bytes + int64(line.Cut)}
}

// Unsearched counts the lines of the merged logs that --grep did not find and of which it saw
// the beginning alone, and the bytes that it did not see.
func (m *Merge) Unsearched() (lines int, bytes int64) {
	u := m.filter.unsearched
	if u == nil {
		return 0, 0
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, of := range u.logs {
		if _, merged := m.Source(id); merged {
			lines, bytes = lines+int(of.lines), bytes+of.bytes
		}
	}
	return lines, bytes
}

// Selects reports whether it leaves any line out.
func (f *LineFilter) Selects() bool { return len(f.grep) > 0 || len(f.exclude) > 0 }

// KeepLast keeps only so many of the last selected lines of each log, and what is
// printed around them. Lines of
// a log then come when it has ended, or when too many wait (lastlines.go).
func (f *LineFilter) KeepLast(lines int) { f.last = lines }

// NewLineFilter compiles the expressions of --grep and --exclude.
func NewLineFilter(grep, exclude []string, around int, ignoreCase bool) (LineFilter, error) {
	f := LineFilter{around: around}
	var err error
	if f.grep, err = patterns("--grep", grep, ignoreCase); err != nil {
		return f, err
	}
	if len(grep) > 0 {
		f.unsearched = &unsearched{logs: map[train.StreamID]unsearchedLog{}}
	}
	f.exclude, err = patterns("--exclude", exclude, ignoreCase)
	return f, err
}

func patterns(flag string, typed []string, ignoreCase bool) ([]*regexp.Regexp, error) {
	var compiled []*regexp.Regexp
	for _, text := range typed {
		if ignoreCase {
			text = "(?i)" + text
		}
		pattern, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("%s %q is no regular expression: %w", flag, text, err)
		}
		compiled = append(compiled, pattern)
	}
	return compiled, nil
}

// logFilter passes the lines of one log that a filter selects.
type logFilter struct {
	filter *LineFilter
	log    train.StreamID
	// before are the last lines that did not match: one more than is shown,
	// since the newest of them may grow into a match.
	before []heldLine
	after  int // how many more come with the last match
}

// pass calls keep for each selected line: the line itself, after lines before
// it where it is a match.
func (s *logFilter) pass(line heldLine, keep func(heldLine)) {
	f := s.filter
	if len(f.grep) == 0 && len(f.exclude) == 0 {
		keep(line)
		return
	}
	if n := len(s.before); n > 0 && s.before[n-1].Number == line.Number {
		s.before = s.before[:n-1] // the same line before it grew
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
		for _, earlier := range s.before[max(0, len(s.before)-f.around):] {
			earlier.beside = true
			keep(earlier)
		}
		s.before, s.after = s.before[:0], f.around
		keep(line)
		return
	case s.after > 0:
		s.after--
		line.beside = true
		keep(line)
	case f.around > 0:
		if len(s.before) > f.around {
			s.before = slices.Delete(s.before, 0, 1)
		}
		s.before = append(s.before, line)
	}
	if line.Cut > 0 && f.unsearched != nil && !matchesAny(f.exclude, text) {
		f.unsearched.add(s.log, &line.LogLine)
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
