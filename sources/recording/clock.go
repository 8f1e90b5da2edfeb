package recording

import "time"

// clockTolerance is how far the clock may go back without being corrected: up
// to it, times do not advance until the clock has caught up.
const clockTolerance = 5 * time.Second

// Turn is an instant at which the recorder's clock went back.
type Turn struct {
	At time.Time
	By time.Duration
}

// setClockRight shifts all times recorded before the clock went back, so that
// they end where the later ones begin. It trusts the later clock, since
// somebody set that one.
func (f *File) setClockRight(notes map[int]*Note) {
	var turned []int
	var by []int64
	newest := int64(0) // since the clock went back last
	for i := range f.pieces {
		p := &f.pieces[i]
		turns := i > 0 && p.kind == kindHead || notes[i] != nil && notes[i].ClockBack > 0
		if back := newest - p.from; turns && newest > 0 && back > clockTolerance.Microseconds() {
			turned, by, newest = append(turned, i), append(by, back), 0
		}
		if p.kind != kindHead {
			newest = max(newest, p.to)
		}
	}
	for k, at := range turned {
		for i := range at {
			f.pieces[i].move(-by[k])
		}
		f.info.Turns = append(f.info.Turns, Turn{instant(f.pieces[at].from).UTC(), time.Duration(by[k]) * time.Microsecond})
	}
	for k := range f.info.Turns { // a later turn may have moved the pieces behind an earlier one
		f.info.Turns[k].At = instant(f.pieces[turned[k]].from).UTC()
	}
}

// move shifts the times of a piece.
func (p *piece) move(by int64) {
	p.from, p.to, p.moved = p.from+by, p.to+by, p.moved+by
}

// resetClock continues recording at earlier times after the clock was set back.
func (w *Writer) resetClock(b *batch) {
	w.flushAll()
	for _, l := range []*chunkWriter{w.events, w.measures, w.marks} {
		l.end()
	}
	w.last, w.since.at = b.at, b.at
	w.note(Note{ClockBack: b.back})
}
