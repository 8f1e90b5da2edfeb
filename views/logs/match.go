package logs

import (
	"context"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/views/draw"
)

// match decides about lines: they must match all of want and none of not, and
// be errors where errors is set.
type match struct {
	want, not []*loglines.Matcher
	errors    bool
}

// expression parses a typed regular expression, without regard to case.
func expression(text string) (*loglines.Matcher, error) {
	return loglines.Compile(text, loglines.Options{})
}

// mayTell is part of every line that draw.LevelOf classifies as an error.
const mayTell = `error|fatal|critical|panic|severe|emerg|exception|traceback|segmentation fault|\berr\b|\[[efc][ 01]|^[efc][01]`

// errorMatch accepts lines that are errors.
func errorMatch() (match, error) {
	m, err := expression(mayTell)
	return match{want: []*loglines.Matcher{m}, errors: true}, err
}

// and accepts what both accept.
func (m match) and(other match) match {
	return match{
		want:   append(append([]*loglines.Matcher{}, m.want...), other.want...),
		not:    append(append([]*loglines.Matcher{}, m.not...), other.not...),
		errors: m.errors || other.errors,
	}
}

// each calls visit with the indices of accepted lines from an index on (back
// when step is -1) until it returns false or ctx ends.
func (m *match) each(ctx context.Context, lines *loglines.Lines, from, step int, visit func(int) bool) {
	if len(m.want) == 0 {
		looked := 0
		lines.Match(from, step, func([]byte) bool { return true }, func(i int) bool {
			looked++
			return (looked%stopEvery != 0 || ctx.Err() == nil) && (!m.rest([]byte(lines.Plain(i)), 0) || visit(i))
		})
		return
	}
	alone := len(m.want) == 1 && len(m.not) == 0 && !m.errors
	lines.Search(ctx, m.want[0], from, step, func(i int) bool {
		return !alone && !m.rest([]byte(lines.Plain(i)), 1) || visit(i)
	})
}

// stopEvery is the number of lines between two checks for cancellation.
const stopEvery = 4096

// rest matches a line against all but the first of want.
func (m *match) rest(text []byte, first int) bool {
	if m.errors && draw.LevelOf(string(text[:min(len(text), levelBytes)])) != draw.LevelError {
		return false
	}
	for _, e := range m.want[min(first, len(m.want)):] {
		if !e.Match(text) {
			return false
		}
	}
	for _, e := range m.not {
		if e.Match(text) {
			return false
		}
	}
	return true
}

// levelBytes is more than the part of a line that draw.LevelOf reads.
const levelBytes = 512

// first is the index of the first accepted line from an index on, before end.
func (m *match) first(ctx context.Context, lines *loglines.Lines, from, end, step int) (index int, found bool) {
	if (end-from)*step <= 0 {
		return 0, false
	}
	m.each(ctx, lines, from, step, func(i int) bool {
		index, found = i, (end-i)*step > 0
		return false
	})
	return index, found
}
