package logs

// Line takes a whole line without its \n under a number of the caller's: a
// file that holds the lines of several logs is read this way, with one feed
// for each. Nothing is told until Tell. Do not mix it with Write.
func (f *Feed) Line(number int64, p []byte) {
	f.number(number, p)
	f.rest(p)
}

// Part takes the next part of a line, of which Line is the end.
func (f *Feed) Part(number int64, p []byte) {
	f.number(number, p)
	f.piece(p)
}

func (f *Feed) number(number int64, p []byte) {
	if f.frame.undecided() {
		f.frame.decide(append(p[:len(p):len(p)], '\n'))
	}
	if !f.line.open {
		f.line.number = number - 1
	}
}

// Tell tells what Line has gathered.
func (f *Feed) Tell() { f.out.tell() }
