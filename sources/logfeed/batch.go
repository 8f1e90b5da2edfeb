package logfeed

import (
	"strconv"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// batch gathers the output of one Write: one event, and one text that all its
// lines share.
type batch struct {
	sink   sources.Sink
	stream train.StreamID

	text  []byte
	spans []span
	event store.Logged
}

// span is a line whose text ends at offset end of the batch's text.
type span struct {
	number int64
	at     time.Time
	end    int
	cut    int
}

// usualBatch is how many bytes of text buffer are kept from one Write to the next.
const usualBatch = 256 << 10

func (b *batch) line(number int64, at time.Time, s *state) {
	var left int
	b.text, left = termtext.AppendLog(b.text, s.text, MaxLine)
	cut := s.left + left
	if cut > 0 {
		b.text = append(b.text, " [cut: "...)
		b.text = strconv.AppendInt(b.text, int64(cut), 10)
		b.text = append(b.text, " more bytes]"...)
	}
	b.spans = append(b.spans, span{number, at, len(b.text), cut})
}

func (b *batch) read(r formats.Reading) {
	if r.Empty() {
		return
	}
	b.event.Samples = append(b.event.Samples, r.Samples...)
	b.event.Marks = append(b.event.Marks, r.Marks...)
	if r.Hints != nil {
		b.event.Hints = r.Hints
	}
}

func (b *batch) hits(found []train.LogHit) {
	if len(found) > 0 {
		b.event.Hits = append(b.event.Hits, found...)
	}
}

func (b *batch) publish() {
	e := &b.event
	if len(b.spans) == 0 && len(e.Samples) == 0 && len(e.Marks) == 0 && e.Hints == nil && len(e.Hits)+len(e.Broken) == 0 {
		return
	}
	e.Stream = b.stream
	text, start := string(b.text), 0
	e.Lines = make([]train.LogLine, len(b.spans))
	for i, s := range b.spans {
		e.Lines[i] = train.LogLine{Number: s.number, Time: s.at, Text: text[start:s.end], Cut: s.cut}
		start = s.end
	}
	b.sink.Apply(*e)
	b.event = store.Logged{}
	if b.text, b.spans = b.text[:0], b.spans[:0]; cap(b.text) > usualBatch {
		b.text, b.spans = nil, nil
	}
}
