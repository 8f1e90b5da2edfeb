package logfeed

import "time"

// mostBetween bounds the bytes that are kept of lines printed between the parts of
// another. A runtime writes the next part soon, since it has read it already.
const mostBetween = 1 << 20

// between holds what a program printed to one of its two outputs while a line of the
// other had come in parts and not to its end. A runtime reads both at once, so that whole
// lines of one may be between two parts of the other; they come after that line.
type between struct {
	parts []part
	size  int
	of    output
	// open is true while a physical line is read that belongs here.
	open bool
}

// part is the text of a physical line.
type part struct {
	at     time.Time
	text   []byte
	joined bool
}

// start begins a part; it refuses one beyond the limit.
func (b *between) start(at time.Time, of output) bool {
	if b.size >= mostBetween {
		return false
	}
	b.parts, b.of, b.open = append(b.parts, part{at: at}), of, true
	return true
}

func (b *between) add(p []byte) {
	newest := &b.parts[len(b.parts)-1]
	n := min(len(p), max(0, mostBetween-b.size))
	newest.text = append(newest.text, p[:n]...)
	b.size += max(n, 1)
}

// end ends a part, which the next one goes on with if it is joined.
func (b *between) end(joined bool) {
	b.parts[len(b.parts)-1].joined, b.open = joined, false
}

// release hands on the parts when the line between whose parts they were has ended.
func (f *Feed) release() {
	held := f.between
	f.between = between{}
	for i := range held.parts {
		p := &held.parts[i]
		f.stamps.restart()
		f.goOn(p.at, held.of)
		f.content(p.text, true)
		if !p.joined {
			f.line.end(&f.out)
		}
	}
}
