package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

// headPair learns the position of records that begin with two whole numbers and no name: "3:100
// loss=0.5", "(3, 100) => loss 0.5". They are the epoch and the step once they have grown from
// record to record as those do.
type headPair struct {
	epoch, step, by float64
	seen, failed    int
	sure, proven    bool // sure: they are no times of day and no dates
	rereads         bool // while lines whose numbers are no position are read as all others
	held            [leastPairs - 1]heldPair
}

// heldPair is a record that waits for its position, and its line.
type heldPair struct {
	sample      train.Sample
	epoch, step float64
	line        line
}

const (
	leastPairs  = 3 // records that prove the numbers
	mostUnequal = 8 // records with other numbers, after which none are looked for
)

// read parses a record behind two numbers. The first ones wait for the one that proves them.
// It reports whether the line is such a record.
func (h *headPair) read(p *Parser, l *line) bool {
	if h.failed == mostUnequal || h.rereads {
		return false
	}
	epoch, step, clock, rest, ok := pairAtHead(l.text)
	if !ok || clock && !h.sure {
		return false
	}
	whole := l.text
	pt := p.pairs.read(rest)
	if pt.positioned() || pt.strength < metric || pt.strength < loss && !h.proven || pt.eval && !h.proven || summarizes(&p.pairs, rest) {
		p.pairs.read(whole)
		return false
	}
	if !h.grow(epoch, step) {
		if h.failed++; epoch > h.epoch && step == h.step {
			h.failed = mostUnequal // a counter and its total
		}
		h.give(p)
		if h.seen, h.proven = 0, false; h.failed == mostUnequal {
			p.pairs.read(whole)
			return false
		}
		pt = p.pairs.read(rest)
		h.grow(epoch, step)
	}
	h.sure = true
	pt.hasEpoch, pt.epoch, pt.hasStep, pt.step = true, epoch, true, step
	pt.scope, pt.scopeKnown = train.ScopeEpoch, false
	if !h.proven && h.seen < leastPairs {
		pt.hasEpoch, pt.hasStep = false, false
		h.held[h.seen-1] = heldPair{p.sample(l, pt), epoch, step, l.keep()}
		return true
	}
	if !h.proven {
		h.proven = true
		h.give(p)
	}
	p.accept(l, pt)
	return true
}

// grow takes the numbers of the next record, and reports whether they go on as those of epochs
// and steps do.
func (h *headPair) grow(epoch, step float64) bool {
	by := step - h.step
	switch {
	case h.seen == 0:
		h.by = 0
	case epoch == h.epoch && (by <= 0 || h.by > 0 && by != h.by && !h.proven), epoch < h.epoch, epoch > h.epoch && by == 0:
		return false
	case epoch == h.epoch:
		h.by = by
	}
	h.epoch, h.step = epoch, step
	h.seen++
	return true
}

// give emits what waits: with its position once that is proven, else as it is read without.
func (h *headPair) give(p *Parser) {
	for i := range h.held {
		held := h.held[i]
		if held.sample.Line == 0 {
			continue
		}
		h.held[i] = heldPair{}
		if !h.proven {
			h.rereads = true
			p.general(&held.line)
			h.rereads = false
			continue
		}
		held.sample.Epoch, held.sample.HasEpoch = held.epoch, true
		held.sample.Step, held.sample.HasStep, held.sample.Scope = held.step, true, train.ScopeEpoch
		p.emit(held.sample)
	}
}

// keep returns a line that does not share its text with what is read next.
func (l *line) keep() line {
	kept := *l
	kept.text, kept.whole = bytes.Clone(l.text), bytes.Clone(l.whole)
	return kept
}

// pairAtHead splits two whole numbers off the beginning of a text. clock: they may be a time of
// day or a date.
func pairAtHead(text []byte) (first, second float64, clock bool, rest []byte, ok bool) {
	const joints, closers, behind, mostDigits = " :-,;_|])(<>[", " ])>}", ":,;|-=>. \t", 9
	from := 0
	for from < len(text) && (text[from] == ' ' || isPairOpener(text[from])) {
		from++
	}
	if from > 2 || from == len(text) || !isDigit(text[from]) {
		return 0, 0, false, nil, false
	}
	end := digitsEnd(text, from)
	joint := end
	for joint < len(text) && bytes.IndexByte([]byte(joints), text[joint]) >= 0 {
		joint++
	}
	to := digitsEnd(text, joint)
	if joint == end || joint-end > 3 || to == joint || end-from > mostDigits || to-joint > mostDigits || to == len(text) {
		return 0, 0, false, nil, false
	}
	if joint-end == 1 && text[end] == ',' && to-joint == 3 {
		return 0, 0, false, nil, false // "1,300" is one number
	}
	at := to
	for at < len(text) && bytes.IndexByte([]byte(closers), text[at]) >= 0 {
		at++
	}
	if at == len(text) || at == to && bytes.IndexByte([]byte(behind), text[at]) < 0 || text[to] == '.' && to+1 < len(text) && isDigit(text[to+1]) {
		return 0, 0, false, nil, false
	}
	rest = bytes.TrimLeft(text[at:], behind)
	if len(rest) == 0 || isDigit(rest[0]) {
		return 0, 0, false, nil, false
	}
	first, second = float64(atoi(text[from:end])), float64(atoi(text[joint:to]))
	clock = to-joint == 2 && second < 60 && (text[end] == ':' || text[end] == '-')
	return first, second, clock, rest, true
}

func isPairOpener(c byte) bool { return c == '(' || c == '[' || c == '<' || c == '{' }
