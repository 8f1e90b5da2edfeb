package logfeed

// Break reports that the bytes broke off and will continue at the beginning of
// a line. An incomplete line counts as not read: when it comes again, the new
// version replaces it. The parsers keep what they learned from the lines before.
func (f *Feed) Break() {
	f.head, f.begun = f.head[:0], false
	f.frame.joined = false
	f.between = between{}
	f.stamps.restart()
	f.line.open = false
}

// TakeBack removes the newest bytes, which are none of the log, from an incomplete
// line.
func (f *Feed) TakeBack(bytes int) {
	if bytes == 0 || !f.line.open {
		return
	}
	f.line.takeBack(bytes)
	f.line.sendState(&f.out)
	f.out.publish()
}
