package recording

import (
	"time"
	"unsafe"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

type streamKey = train.StreamID

// streamDelta is the state that the next lines of a log in a chunk are encoded
// against.
type streamDelta struct {
	id     train.StreamID
	number uint64 // in the chunk, from 0
	line   int64  // number of the newest line
	at     int64  // its time in nanoseconds
	sample lastSample
	// hints are the positions of the previous sample's numbers in its line.
	hints [16]byte
}

// stream writes the ID of a log: 0 and the ID the first time in a chunk, else
// its number plus 1.
func (e *encoder) stream(id train.StreamID) *streamDelta {
	if known := e.streams[id]; known != nil {
		e.uint(known.number + 1)
		return known
	}
	delta := &streamDelta{id: id, number: uint64(len(e.streams))}
	e.streams[id] = delta
	e.byte(0)
	for _, word := range []string{id.Namespace, id.Pod, id.UID, id.Container, id.File} {
		e.word(word)
	}
	e.int(int64(id.Restart))
	return delta
}

func (d *decoder) stream() *streamDelta {
	n := d.uint()
	if n > 0 {
		if n-1 < uint64(len(d.streams)) {
			return d.streams[n-1]
		}
		d.fail()
		return &streamDelta{}
	}
	delta := &streamDelta{at: int64(d.shift), sample: lastSample{millis: d.shift.Milliseconds()}, id: train.StreamID{
		Namespace: d.word(), Pod: d.word(), UID: d.word(), Container: d.word(), File: d.word(), Restart: int(d.int()),
	}}
	if d.err == nil {
		d.streams = append(d.streams, delta)
	}
	return delta
}

// logged encodes a log event. Samples refer to schemas if the chunk has room
// for more.
func (e *encoder) logged(l *store.Logged) recordKind {
	is, sample := recordLogged, e.sample
	if len(l.Samples) > 0 && e.mayAddSchemas(len(l.Samples)) {
		is, sample = recordShapedLog, e.writeSample
	}
	delta := e.stream(l.Stream)
	e.bool(l.Open)
	e.lines(delta, l.Lines)
	e.uint(uint64(len(l.Samples)))
	for i := range l.Samples {
		sample(delta, &l.Samples[i], l.Lines)
	}
	e.uint(uint64(len(l.Marks)))
	for i := range l.Marks {
		e.mark(delta, &l.Marks[i])
	}
	e.bool(l.Hints != nil)
	if l.Hints != nil {
		e.hints(l.Hints)
	}
	e.uint(uint64(len(l.Hits)))
	for i := range l.Hits {
		e.hit(delta, &l.Hits[i])
	}
	if len(l.Broken) > 0 {
		e.uint(uint64(len(l.Broken)))
	}
	for i := range l.Broken {
		e.int(l.Broken[i].Number - delta.line)
		e.text(l.Broken[i].Why)
		e.uint(uint64(max(0, l.Broken[i].Before)))
	}
	return is
}

func (d *decoder) logged(is recordKind) store.Logged {
	delta := d.stream()
	l := store.Logged{Stream: delta.id, Open: d.bool()}
	l.Lines = d.lines(delta)
	if n := d.count(); is == recordShapedLog {
		l.Samples = d.readSamples(delta, l.Lines, n)
	} else {
		l.Samples = d.samples(delta, l.Lines, n)
	}
	if d.err != nil {
		return l
	}
	for range d.count() {
		if l.Marks = append(l.Marks, d.mark(delta)); d.err != nil {
			return l
		}
	}
	if d.bool() {
		l.Hints = d.hints()
	}
	for range d.count() {
		if l.Hits = append(l.Hits, d.hit(delta)); d.err != nil {
			return l
		}
	}
	if len(d.in) > 0 { // earlier versions end here
		l.Broken = d.broken(delta)
	}
	showLines(l.Lines) // after samples have read their numbers from them
	if d.shift != 0 {
		shiftLines(l.Lines, d.shift)
	}
	return l
}

// mostLine bounds a line, in bytes, as sources/logfeed does.
const mostLine = 64 << 10

// showLines makes lines safe for a terminal, as every source of logs does.
func showLines(lines []train.LogLine) {
	for i := range lines {
		line := &lines[i]
		if over := len(line.Text) - mostLine; over > 0 {
			line.Text, line.Cut = line.Text[:mostLine], line.Cut+over
		}
		line.Text = termtext.Log(line.Text)
	}
}

// How the times of lines are encoded.
const (
	noTimes    = 0
	localTimes = 1
	utcTimes   = 2
	someTimes  = 3 // each separately
)

// lines writes lines by column, which compresses better than by row: numbers,
// times, bytes cut, lengths, texts.
func (e *encoder) lines(delta *streamDelta, lines []train.LogLine) {
	e.uint(uint64(len(lines)))
	if len(lines) == 0 {
		return
	}
	cut := false
	for i := range lines {
		e.int(lines[i].Number - delta.line - 1)
		delta.line = lines[i].Number
		cut = cut || lines[i].Cut > 0
	}
	e.lineTimes(delta, lines)
	e.bool(cut)
	for i := range lines {
		if cut {
			e.uint(uint64(max(0, lines[i].Cut)))
		}
		e.uint(uint64(len(lines[i].Text)))
	}
	for i := range lines {
		e.out = append(e.out, lines[i].Text...)
	}
}

func (e *encoder) lineTimes(delta *streamDelta, lines []train.LogLine) {
	mode := timesOf(lines)
	e.byte(mode)
	for i := range lines {
		switch mode {
		case localTimes, utcTimes:
			at := lines[i].Time.UnixNano()
			e.int(at - delta.at)
			delta.at = at
		case someTimes:
			e.time(lines[i].Time)
		}
	}
}

func timesOf(lines []train.LogLine) byte {
	none, all, utc := true, true, lines[0].Time.Location() == time.UTC
	for i := range lines {
		t := lines[i].Time
		is := !t.IsZero() && countable(t)
		none, all = none && !is, all && is && (t.Location() == time.UTC) == utc
	}
	switch {
	case none:
		return noTimes
	case !all:
		return someTimes
	case utc:
		return utcTimes
	}
	return localTimes
}

func (d *decoder) lines(delta *streamDelta) []train.LogLine {
	n := d.count()
	if n == 0 || n*2 > len(d.in) { // each is two bytes at least
		if n > 0 {
			d.fail()
		}
		return nil
	}
	lines := make([]train.LogLine, n)
	for i := range lines {
		delta.line += 1 + d.int()
		lines[i].Number = delta.line
	}
	d.lineTimes(delta, lines)
	cut, total := d.bool(), uint64(0)
	if cap(d.lengths) < n {
		d.lengths = make([]uint64, n)
	}
	lengths := d.lengths[:n]
	for i := range lines {
		if cut {
			lines[i].Cut = int(min(d.uint(), 1<<40))
		}
		lengths[i] = d.uint()
		if total += lengths[i]; total > uint64(len(d.in)) {
			d.fail()
			return nil
		}
	}
	texts := d.bytes(total)
	if d.err != nil {
		return nil
	}
	text := unsafe.String(unsafe.SliceData(texts), len(texts)) // the bytes read from a file never change
	for i := range lines {
		lines[i].Text, text = text[:lengths[i]], text[lengths[i]:]
	}
	return lines
}

func (d *decoder) lineTimes(delta *streamDelta, lines []train.LogLine) {
	mode := d.byte()
	for i := range lines {
		switch mode {
		case localTimes, utcTimes:
			delta.at += d.int()
			if lines[i].Time = time.Unix(0, delta.at); mode == utcTimes {
				lines[i].Time = lines[i].Time.UTC()
			}
		case someTimes:
			lines[i].Time = d.time()
		}
	}
}

func (d *decoder) broken(delta *streamDelta) (all []train.BrokenLine) {
	for range d.count() {
		line := train.BrokenLine{Number: delta.line + d.int(), Why: d.text(), Before: int64(min(d.uint(), 1<<40))}
		if d.err != nil {
			return nil
		}
		all = append(all, line)
	}
	return all
}

func (e *encoder) mark(delta *streamDelta, m *train.Mark) {
	e.word(string(m.Kind))
	e.int(m.Line - delta.line)
	e.time(m.Time)
	e.bool(m.HasStep)
	e.number(m.Step)
}

func (d *decoder) mark(delta *streamDelta) train.Mark {
	return train.Mark{
		Kind: train.MarkKind(d.word()), Line: delta.line + d.int(), Time: d.time(), HasStep: d.bool(), Step: d.number(),
	}
}

func (e *encoder) hints(o *train.ProgressHints) {
	e.number(o.TotalSteps)
	e.number(o.StepsPerEpoch)
	e.number(o.TotalEpochs)
	e.duration(o.Remaining)
	e.int(o.Line)
}

func (d *decoder) hints() *train.ProgressHints {
	return &train.ProgressHints{
		TotalSteps: d.number(), StepsPerEpoch: d.number(), TotalEpochs: d.number(), Remaining: d.duration(), Line: d.int(),
	}
}

func (e *encoder) hit(delta *streamDelta, h *train.LogHit) {
	e.word(h.Signature)
	e.word(string(h.Cause))
	e.int(h.Line - delta.line)
	e.time(h.Time)
	e.text(h.Text)
	e.uint(uint64(len(h.Captures)))
	for _, capture := range h.Captures {
		e.word(capture)
	}
	e.int(int64(h.Rank))
	e.word(h.Frame)
}

func (d *decoder) hit(delta *streamDelta) train.LogHit {
	h := train.LogHit{
		Signature: d.word(), Cause: train.Cause(d.word()), Line: delta.line + d.int(), Time: d.time(), Text: d.text(),
	}
	for range d.count() {
		h.Captures = append(h.Captures, d.word())
	}
	h.Rank, h.Frame = int(d.int()), d.word()
	return h
}

func (e *encoder) streamChanged(s *store.StreamChanged) {
	e.stream(s.Stream)
	e.word(string(s.Status.State))
	e.word(s.Status.Text)
	e.time(s.Status.Since)
	e.time(s.Status.Retry)
	e.bool(s.Status.Partial)
	e.bool(s.Restart)
	e.int(int64(s.Rank))
	e.word(s.Job)
	if s.Status.LacksAt > 0 {
		e.uint(uint64(s.Status.LacksAt))
	}
}

func (d *decoder) streamChanged() store.StreamChanged {
	s := store.StreamChanged{
		Stream: d.stream().id,
		Status: train.StreamStatus{
			State: train.StreamState(d.word()), Text: d.word(), Since: d.time(), Retry: d.time(), Partial: d.bool(),
		},
		Restart: d.bool(), Rank: int(d.int()), Job: d.word(),
	}
	if len(d.in) > 0 { // earlier versions end here
		s.Status.LacksAt = int64(min(d.uint(), 1<<53))
	}
	return s
}
