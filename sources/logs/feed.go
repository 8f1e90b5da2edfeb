// Package logs turns the bytes of a log into lines that are safe to show and
// the samples they hold, finds what tells of a failure, and tells a sink. Every source of logs uses it: the
// API server's streams and files.
//
//	bytes ─► physical lines ─► frame off ─► states (\r) ─► formats.Parser ─► samples
//	         (\n)              (stamp.go,                └► clean ─► LogLine
//	                            frame.go)
//
// Promises: memory is bounded whatever comes (a line of 100 MB, binary data);
// of every line at most MaxLine bytes are kept, the rest is counted and searched
// for what tells of a failure; no
// byte reaches LogLine.Text that a terminal would obey, colours excepted.
package logs

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// Framing is what stands around each line.
type Framing int

const (
	// FramingDetect finds out from the first lines: the framings below,
	// Docker's json-file, the CRI format of /var/log/pods, or none.
	FramingDetect Framing = iota
	// FramingTimestamps is "RFC3339Nano text", as the API server answers
	// with timestamps=true.
	FramingTimestamps
)

// MaxLine is how many bytes of a line, or of one state of a line that is
// redrawn, are kept and parsed.
const MaxLine = 64 << 10

// Options say how a log is read.
type Options struct {
	Framing Framing
	Formats formats.Options
	// Accept, when not nil, is asked at the beginning of each line with its
	// time (zero without one) whether it is wanted. A source that resumes a
	// stream skips this way what it has told before. A line not accepted
	// gets no number.
	Accept func(at time.Time) bool
	// LinesOnly leaves out samples and hits, for who only shows lines.
	LinesOnly bool
	// Zone is that of times which a program printed in front of its lines
	// without saying their zone; nil is UTC.
	Zone *time.Location
	// From is the number before that of the first line: 0 at the beginning of a log.
	From int64
}

// Feed reads one log. It belongs to one goroutine.
type Feed struct {
	frame  frame
	stray  stray
	line   line
	out    batch
	accept func(time.Time) bool
	// arrival tells the time of lines that arrive as they are printed, nil
	// otherwise; timed is true once the log itself told a time.
	arrival func() time.Time
	timed   bool

	// head holds the beginning of a physical line until its frame is known.
	head []byte
	// begun is true once the frame of the physical line under way is off.
	begun bool
}

// NewFeed makes a feed that tells sink about stream.
func NewFeed(sink sources.Sink, stream train.StreamID, o Options) *Feed {
	f := &Feed{accept: o.Accept, out: batch{sink: sink, stream: stream}}
	f.frame.server, f.frame.zone = o.Framing == FramingTimestamps, o.Zone
	f.line.number = o.From
	if !o.LinesOnly {
		f.line.where = textsIn(stream)
		f.line.parser, f.line.scanner = formats.New(o.Formats), signatures.NewScanner(f.line.where)
	}
	return f
}

// textsIn says what may stand in a log: in one of a container what programs
// print, in a file that is no pod's anything that people save.
func textsIn(stream train.StreamID) signatures.Where {
	if stream.File != "" && stream.Pod == "" {
		return signatures.InAnyText
	}
	return signatures.InLog
}

// Write takes the next bytes, cut anywhere. What they complete, and the state
// of a line that is not complete yet, is told in one Apply at the end of the
// call. It never fails.
func (f *Feed) Write(p []byte) (int, error) {
	size := len(p)
	if f.frame.undecided() {
		f.frame.decide(append(f.head, p...))
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
	if !f.frame.server || !f.line.at.IsZero() { // a line without a time may be no line of the log
		f.line.tellState(&f.out)
	}
	f.out.tell()
	return size, nil
}

// End says that the log is at its end: what was held back is told.
func (f *Feed) End() {
	f.rest(nil)
	if f.line.open {
		f.line.end(&f.out)
	}
	if f.line.parser != nil {
		f.out.read(f.line.parser.End())
		f.out.hits(f.line.scanner.End())
	}
	f.out.tell()
}

// Lines is the number of the newest line that is complete and told.
func (f *Feed) Lines() int64 { return f.line.number }

// Newest is the time of the newest complete line that has one.
func (f *Feed) Newest() time.Time { return f.line.newest }

// Arrive says that lines arrive as they are printed from now on. In a log
// where no line has told a time, they get that of their arrival.
func (f *Feed) Arrive(now func() time.Time) { f.arrival = now }

// piece takes a part of a physical line that goes on.
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

// rest takes the last part of a physical line.
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
	if !f.frame.joined {
		f.line.end(&f.out)
	}
}

// begin takes the frame off a physical line and hands on what it holds.
func (f *Feed) begin(p []byte, last bool) {
	at, text := f.frame.off(p, last)
	f.timed = f.timed || !at.IsZero()
	if !f.timed && f.arrival != nil {
		at = f.arrival()
	}
	f.begun = true
	f.stray.restart()
	if !f.line.open {
		f.line.start(at, f.accept == nil || f.accept(at))
	}
	f.content(text, last)
}

func (f *Feed) content(p []byte, last bool) {
	if f.frame.stamped() {
		f.stray.remove(p, last, func(p []byte) { f.line.add(p, &f.out) })
		return
	}
	f.line.add(p, &f.out)
}
