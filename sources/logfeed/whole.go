package logfeed

// Line reads a whole line without its \n and gives it the caller's number. A
// file that mixes the lines of several logs is read this way, with one feed per
// log. Tell sends the result to the sink. Do not mix Line with Write.
func (f *Feed) Line(number int64, p []byte) {
	f.number(number, p)
	f.rest(p)
}

// Part reads the next part of a line that Line ends.
func (f *Feed) Part(number int64, p []byte) {
	f.number(number, p)
	f.piece(p)
}

func (f *Feed) number(number int64, p []byte) {
	f.prepare()
	if f.frame.undecided() {
		f.frame.decide(append(p[:len(p):len(p)], '\n'))
	}
	if !f.line.open {
		f.line.number = number - 1
	}
}

// Flush sends what Line has gathered to the sink.
func (f *Feed) Flush() { f.out.publish() }
