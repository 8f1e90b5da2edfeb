package loglines

import (
	"context"
	"sort"
)

// Match calls visit with the index of each line from an index on (backward
// when step is -1) whose text match accepts, until visit returns false. match
// gets the text, without colours, as bytes that it must not keep or change.
// With a Matcher, Search is faster.
func (l Lines) Match(from, step int, match func(text []byte) bool, visit func(i int) bool) {
	for i := from; i >= 0 && i < l.lines; {
		if l.isNewest(i) {
			if match([]byte(plain(l.newest.Text))) && !visit(i) {
				return
			}
			i += step
			continue
		}
		n := l.chunkWith(i)
		c, start := l.chunk(n), l.start(n)
		for at := i - start; at >= 0 && at < c.len(); at += step {
			if match(c.line(at)) && !visit(start+at) {
				return
			}
			i = start + at + step
		}
	}
}

// Search calls visit with the index of each matching line, from an index on
// (backward when step is -1), until visit returns false or ctx ends. It
// searches whole chunks for a part of the pattern that every match contains,
// at the speed of memory; it tries a pattern without such a part on each line.
func (l Lines) Search(ctx context.Context, m *Matcher, from, step int, visit func(i int) bool) {
	for i := from; i >= 0 && i < l.lines && ctx.Err() == nil; {
		if l.isNewest(i) {
			if m.Match([]byte(plain(l.newest.Text))) && !visit(i) {
				return
			}
			i += step
			continue
		}
		n := l.chunkWith(i)
		c, start := l.chunk(n), l.start(n)
		if step > 0 {
			if !c.search(m, i-start, c.len(), func(at int) bool { return visit(start + at) }) {
				return
			}
			i = start + c.len()
		} else {
			if !c.searchBack(m, i-start+1, func(at int) bool { return visit(start + at) }) {
				return
			}
			i = start - 1
		}
	}
}

// search visits the matching lines between two offsets; it returns false when
// visit did.
func (c *chunk) search(m *Matcher, from, to int, visit func(int) bool) bool {
	end := c.end(to)
	literals := m.seek(c.text[:end])
	for offset := c.end(from); offset < end; {
		at := literals.next(offset)
		if at < 0 {
			return true
		}
		i := c.lineAt(at)
		switch {
		case !m.matchesAt(c, i, at):
			offset = c.end(i + 1)
			if m.there != nil {
				offset = at + 1 // it may occur later in the line
			}
		case !visit(i):
			return false
		default:
			offset = c.end(i + 1)
		}
	}
	return true
}

// matchesAt reports whether a line matches that contains a literal at an
// offset.
func (m *Matcher) matchesAt(c *chunk, line, at int) bool {
	switch {
	case m.whole:
		return true
	case m.there != nil:
		return m.there.Match(c.text[at:c.marks[line].end])
	}
	return m.pattern.Match(c.line(line))
}

// searchBack visits the matching lines before an index, the last one first. It
// finds all of them first: there is no fast way backward.
func (c *chunk) searchBack(m *Matcher, to int, visit func(int) bool) bool {
	var found []int
	c.search(m, 0, to, func(i int) bool {
		found = append(found, i)
		return true
	})
	for i := len(found) - 1; i >= 0; i-- {
		if !visit(found[i]) {
			return false
		}
	}
	return true
}

// end returns the offset at which the lines before an index end in the text.
func (c *chunk) end(line int) int {
	if line == 0 {
		return 0
	}
	return int(c.marks[line-1].end) + 1
}

// lineAt returns the index of the line that contains an offset.
func (c *chunk) lineAt(offset int) int {
	return sort.Search(len(c.marks), func(i int) bool { return int(c.marks[i].end) >= offset })
}

func (l *Lines) isNewest(i int) bool { return l.any && i == l.lines-1 }
