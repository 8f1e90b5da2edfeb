package logfeed

import (
	"bytes"
	"fmt"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// parse reads the samples and signatures of a state of a line. A parser that
// panics is a bug: the log goes on with new parsers, and that the line was not
// read is kept.
func (l *line) parse(text []byte, out *batch) {
	defer l.survive(out)
	got := l.parser.Line(l.number+1, l.time.newest, text)
	if got.Empty() || bytes.HasSuffix(text, iopubEnd) { // a line with values is the program's
		l.missing.note(l.number+1, text)
	}
	out.read(got)
	out.hits(l.scanner.Line(l.number+1, l.time.newest, text))
}

// endParsers reads what the parsers held back.
func (l *line) endParsers(out *batch) {
	if l.parser == nil {
		return
	}
	defer l.survive(out)
	out.read(l.parser.End())
	out.hits(l.scanner.End())
}

func (l *line) survive(out *batch) {
	if what := recover(); what != nil {
		why := termtext.Short(fmt.Sprint(what), mostWhy)
		out.event.Broken = append(out.event.Broken, train.BrokenLine{Number: l.number + 1, Why: why})
		l.newParsers()
	}
}

// mostWhy bounds the words of a panic, in runes: it may quote a line.
const mostWhy = 200

func (l *line) newParsers() {
	l.parser, l.scanner = formats.New(l.formats), signatures.NewScanner(l.where)
}
