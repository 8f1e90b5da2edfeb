// Package logfeed turns the bytes of a log into lines that are safe to show, parses
// the samples in them, searches them for signatures of failures, and applies all
// of this to a sink. Every source of logs uses it: the API server's streams and
// files.
//
//	bytes ─► physical lines ─► frame off ─► states (\r) ─► formats.Parser ─► samples
//	         (\n)              (frame.go,                └► clean ─► LogLine
//	                            rfc3339stamp.go)
//
// Promises: memory is bounded for any input (a line of 100 MB, binary data). Of
// every line at most MaxLine bytes are kept; the rest is counted and searched for
// signatures of failures. LogLine.Text contains no byte that a terminal would
// obey, except colours. Secrets that a pod declares are masked before anything is
// parsed.
package logfeed

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// Framing is the format that wraps each line.
type Framing int

const (
	// FramingDetect detects the framing from the first lines: one of those
	// below, Docker's json-file, the CRI format of /var/log/pods, or none.
	FramingDetect Framing = iota
	// FramingTimestamps is "RFC3339Nano text", as the API server answers with
	// timestamps=true.
	FramingTimestamps
)

// MaxLine is how many bytes are kept and parsed of a line, or of one state of
// a line that is redrawn.
const MaxLine = 64 << 10

// Options configure how a log is read.
type Options struct {
	Framing Framing
	Formats formats.Options
	// Accept, when not nil, decides at the beginning of each line, by its time
	// (zero if it has none), whether the line is wanted. A source that resumes
	// a stream uses it to skip lines that it has already read. A line not
	// accepted gets no number.
	Accept func(at time.Time) bool
	// LinesOnly leaves out samples and hits, for callers that only show lines.
	LinesOnly bool
	// Zone applies to times that a program printed in front of its lines
	// without a zone; nil is UTC.
	Zone *time.Location
	// Secrets are the declared secrets that the log may print; nil for none.
	Secrets *declared.Set
	// From is the number of the line before the first one: 0 at the beginning of a log.
	From int64
}

// Feed reads one log. Only one goroutine may use it.
type Feed struct {
	frame  frame
	stamps stampRemover
	line   line
	out    batch
	accept func(time.Time) bool
	// arrival returns the time of lines that arrive as they are printed, nil
	// otherwise; timed is true once a line of the log had a time.
	arrival func() time.Time
	timed   bool

	// parsing configures the parsers until the first bytes come, nil afterwards or
	// where only lines are wanted.
	parsing *formats.Options

	// head buffers the beginning of a physical line until its frame is known.
	head []byte
	// begun is true once the frame of the current physical line is off.
	begun bool

	// of is where the line that is open was printed to, and between are the lines that were
	// printed elsewhere between its parts.
	of      output
	between between
}

// NewFeed makes a feed that applies events about stream to sink.
func NewFeed(sink sources.Sink, stream train.StreamID, o Options) *Feed {
	f := &Feed{accept: o.Accept, out: batch{sink: sink, stream: stream}}
	f.frame.server, f.frame.zone = o.Framing == FramingTimestamps, o.Zone
	f.line.number, f.line.secrets = o.From, o.Secrets
	if !o.LinesOnly {
		f.parsing = &o.Formats
	}
	return f
}

// prepare makes the parsers with the first bytes: of hundreds of logs many wait
// for a long time.
func (f *Feed) prepare() {
	if f.parsing != nil {
		f.line.formats, f.line.where = *f.parsing, textsIn(f.out.stream)
		f.line.newParsers()
		f.parsing = nil
	}
}

// textsIn returns which signatures can match in a log: a container's log holds
// what programs print; a file that is not a pod's log may hold anything.
func textsIn(stream train.StreamID) signatures.Where {
	if stream.File != "" && stream.Pod == "" {
		return signatures.InAnyText
	}
	return signatures.InLog
}

// Write reads the next bytes, cut anywhere. At the end of the call one Apply
// sends the lines that they complete, and the current state of a line that is
// not complete yet. Write never fails.
func (f *Feed) Write(p []byte) (int, error) {
	size := len(p)
	f.prepare()
	if f.frame.undecided() {
		f.frame.decide(append(f.head, p...))
	}
	if f.line.open && size > 0 {
		f.line.time.goesOn(f.now())
	}
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			f.piece(p)
			break
		}
		f.rest(p[:end])
		p = p[end+1:]
	}
	if !f.frame.server || !f.line.time.begun.IsZero() { // a line without a time may not belong to the log
		f.line.sendState(&f.out)
	}
	f.out.publish()
	return size, nil
}

// End ends the log and sends what was held back.
func (f *Feed) End() {
	f.rest(nil)
	if f.line.open {
		f.line.end(&f.out)
	}
	f.release()
	if f.line.open {
		f.line.end(&f.out)
	}
	f.line.endParsers(&f.out)
	f.out.publish()
}

// Lines is the number of the newest complete line that was sent to the sink.
func (f *Feed) Lines() int64 { return f.line.number }

// Missing is what the log's keeper reported of lines that are missing within it.
func (f *Feed) Missing() Missing { return f.line.missing }

// Newest is the time of the newest complete line that has one.
func (f *Feed) Newest() time.Time { return f.line.newest }

// Arrive declares that lines arrive as they are printed from now on. In a file
// without any time in its lines, each then gets the time of its arrival; a line that
// goes on gets later as its parts come.
func (f *Feed) Arrive(now func() time.Time) { f.arrival = now }

// now is the time of arrival, zero where what comes was printed before.
func (f *Feed) now() time.Time {
	if f.arrival == nil {
		return time.Time{}
	}
	return f.arrival()
}

// Unfinished reports whether the newest line may have been printed long after the
// time that it has, of its beginning: it has no end yet, or was drawn with carriage
// returns.
func (f *Feed) Unfinished() bool { return f.line.unfinished() }

// Printed reports when the newest part of the log was printed, which only a reader
// knows that asked for it separately.
func (f *Feed) Printed(at time.Time) {
	f.line.printed(at, f.now(), &f.out)
	f.out.publish()
}

// piece reads a part of a physical line that continues.
func (f *Feed) piece(p []byte) {
	if f.begun {
		f.content(p, false)
		return
	}
	f.head = append(f.head, p...)
	if f.frame.ready(f.head) {
		f.begin(f.head, false)
		f.head = f.head[:0]
	}
}

// rest reads the last part of a physical line.
func (f *Feed) rest(p []byte) {
	whole := p
	if len(f.head) > 0 {
		f.head = append(f.head, p...)
		whole = f.head
	}
	switch {
	case f.begun:
		f.content(p, true)
	case p == nil && len(whole) == 0:
		return // the end of the log, and nothing has come since the last \n
	default:
		f.begin(whole, true)
	}
	f.head, f.begun = f.head[:0], false
	switch {
	case f.between.open:
		f.between.end(f.frame.joined)
	case !f.frame.joined:
		f.line.end(&f.out)
		f.release()
	}
}

// begin takes the frame off a physical line and passes on its text.
func (f *Feed) begin(p []byte, last bool) {
	at, text := f.frame.off(p, last)
	f.timed = f.timed || !at.IsZero()
	if !f.timed && !f.frame.server && f.arrival != nil {
		at = f.arrival()
	}
	f.begun = true
	f.stamps.restart()
	if f.line.open && f.of.differs(f.frame.of) && !f.between.start(at, f.frame.of) {
		f.line.end(&f.out) // it goes on too late
		f.release()
	}
	if !f.between.open {
		f.goOn(at, f.frame.of)
	}
	f.content(text, last)
}

// goOn begins a line, or the next part that a runtime writes of the one that is open.
func (f *Feed) goOn(at time.Time, of output) {
	if f.line.open {
		f.line.time.printed(at, f.now())
		return
	}
	f.of = of
	f.line.start(at, f.now(), f.accept == nil || f.accept(at))
}

func (f *Feed) content(p []byte, last bool) {
	if f.between.open {
		f.between.add(p)
		return
	}
	if f.frame.stamped() {
		f.stamps.remove(p, last, func(p []byte) { f.line.add(p, &f.out) })
		return
	}
	f.line.add(p, &f.out)
}
