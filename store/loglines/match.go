package loglines

// Match calls visit with the place of each line from place on (backward when
// step is -1) whose text match accepts, until visit returns false. match sees
// the text as bytes that it must not keep or change. Search is faster where
// there is a Matcher.
func (l Lines) Match(from, step int, match func(text []byte) bool, visit func(i int) bool) {
	for i := from; i >= 0 && i < l.lines; {
		if i == l.lines-1 && l.any {
			if match([]byte(l.newest.Text)) && !visit(i) {
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
