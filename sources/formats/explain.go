package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// Explanation describes how one line of a log was read.
type Explanation struct {
	// Line is what the readers got: without escape sequences and prefixes.
	// Redrawn lines have several states; this is the last one.
	Line string
	// Prefix was taken off; Learned is the beginning of it that all lines of this
	// log share, where no logger is known that writes it.
	Prefix, Learned string
	// Reader took the line: a format of the list, a pattern of one's own, or the
	// general reader. "" where none did.
	Reader string
	// Samples are of the line, also those that only later lines confirmed.
	Samples []train.Sample
	// Why is the reason why there is no sample; "" where there is.
	Why string
}

// Explain reads a whole log, and reports how line number was read. The lines count
// from 1.
func Explain(log io.Reader, number int64, o Options) (Explanation, error) {
	var e Explanation
	p := New(o)
	positioned := map[int]bool{} // ranks whose lines print a position
	take := func(r Reading) {
		for _, s := range r.Samples {
			if s.Scope != train.ScopeRecords && (s.HasStep || s.HasEpoch) {
				positioned[s.Rank] = true
			}
			if s.Line == number {
				e.Samples = append(e.Samples, s)
			}
		}
	}
	count, asked := int64(0), []byte(nil)
	lines := bufio.NewReaderSize(log, maxLine)
	for {
		raw, cut, err := lines.ReadLine()
		if cut {
			raw = bytes.Clone(raw) // reading on overwrites it
		}
		for err == nil && cut { // the rest of a long line is not read
			_, cut, err = lines.ReadLine()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return e, err
		}
		if err != nil {
			break
		}
		count++
		for state := range bytes.SplitSeq(raw, []byte("\r")) {
			take(p.Line(count, time.Time{}, state))
			if count == number {
				asked = bytes.Clone(state)
			}
		}
	}
	take(p.End())
	if number < 1 || number > count {
		return e, fmt.Errorf("there is no line %d; the log has %d lines", number, count)
	}
	for i := range e.Samples {
		// Counts of records are no steps where the log prints a position.
		if s := &e.Samples[i]; s.Scope == train.ScopeRecords && positioned[s.Rank] {
			s.HasStep, s.Step = false, 0
		}
	}
	p.explain(asked, &e)
	return e, nil
}

// explain reads a line once more, after the whole log, and notes what became of it.
func (p *Parser) explain(raw []byte, e *Explanation) {
	p.learner, p.took = nil, ""
	p.Line(0, time.Time{}, raw)
	l := &p.line
	e.Line, e.Reader = string(l.text), p.took
	raw = bytes.TrimRight(raw, " \t")
	if before, found := bytes.CutSuffix(raw, l.text); found {
		e.Prefix = string(before)
	}
	if before, found := bytes.CutSuffix(raw, l.whole); found && len(p.learned.parts) > 0 {
		e.Learned = string(before)
	}
	if len(e.Samples) == 0 {
		e.Why = p.whyNone(l)
	}
}

// whyNone returns what a line lacks to be a measurement.
func (p *Parser) whyNone(l *line) string {
	pt := p.pairs.read(l.text)
	var unknown []string
	for i := range p.pairs.fields {
		f, k := &p.pairs.fields[i], p.pairs.kinds[i].class
		if name := string(f.name.of(l.text)); name != "" && (k == classUnknown || k == classNone) {
			unknown = append(unknown, name)
		}
	}
	switch {
	case p.commas.left:
		return "the comma in its loss may separate thousands or decimals, and no line shows which"
	case len(p.pairs.fields) == 0:
		return "it has no number with a name"
	case setting(l.text, pt):
		return "it reads like a setting"
	case pt.strength >= loss && !pt.positioned() && belowZero(&p.pairs) != "":
		return fmt.Sprintf("its %s is below 0, as programs mark what has none, and no line above it says at which step or epoch it is; from the fifth such line on they are counted", belowZero(&p.pairs))
	case pt.strength >= loss && !pt.positioned():
		return "it has a loss, and neither it nor a line above it says at which step or epoch; from the fifth such line on they are counted"
	case pt.strength < loss && len(unknown) > 0:
		return fmt.Sprintf("nobody knows what it measures: %s; such a line counts when the same names come again with other values beside a step or an epoch", strings.Join(unknown, ", "))
	case pt.positioned():
		return "it says where the run is, and measures nothing"
	}
	return "it measures nothing beside a step or an epoch"
}

// belowZero is the name of a step or an epoch of the line that is below 0, "" for none.
func belowZero(r *pairs) string {
	for i := range r.fields {
		if f, k := &r.fields[i], r.kinds[i].class; f.number < 0 && (k == classStep || k == classEpoch) {
			return string(f.name.of(r.text))
		}
	}
	return ""
}
