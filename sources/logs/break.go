package logs

// Break says that the bytes broke off and will go on at the beginning of a
// line: one that is not complete counts as not read, and what was told of it
// is replaced when it comes again. What the lines before it mean stays known.
func (f *Feed) Break() {
	f.head, f.begun = f.head[:0], false
	f.frame.joined = false
	f.stray.restart()
	f.line.open = false
}
