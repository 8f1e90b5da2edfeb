package formats

import (
	"bytes"
	"math"
	"time"

	"github.com/traintop/traintop/train"
)

var tqdmBar = format{
	name:   `tqdm`,
	source: `tqdm 4.x, and the bars that programs draw themselves`,
	about:  `n/N, time, rate and what the program appends`,
	read:   (*Parser).readBarLine,
	examples: []example{
		{lines: []string{
			`steps:  29%|███▋      | 943/3280 [18:48<46:37,  1.20s/it, avr_loss=nan]`,
		}, want: `step=943 loss=nan`},
		{lines: []string{
			`Epoch 1:  39%|███▉      | 4846/12331 [05:59<09:15, 13.47it/s, loss=0.0136, v_num=1]`,
		}, want: `step=4846 epoch=1 loss=0.0136`},
		{lines: []string{
			`  1%|          | 1.07k/100k [00:29<10:20, 3.50it/s, loss=2.71]`,
		}, want: `step=1070 loss=2.71 it_per_second=3.5`},
		{lines: []string{
			`Training [===                 ] 8.5% 5000/58874 | 4.62 it/s | ETA: 11664.8 s | loss=3.910492 | validation_loss=3.908841`,
		}, want: `step=5000 loss=3.910492 eval_loss=3.908841 it_per_second=4.62`},
	},
}

// bar is the state of a progress bar as tqdm draws it:
//
//	DESC:  22%|██▏       | 4/18 [00:17<01:02,  4.47s/it, loss=9.926]TEXT
type bar struct {
	description []byte
	n, of       float64
	postfix     []byte // the text after the rate
	behind      []byte // text right after a closed bar
	apart       bool   // a blank is before that text
	rate        float64
	hasRate     bool // the rate is in steps per second
	remaining   time.Duration
	hasLeft     bool
	runStep     float64 // of a description that has it
	transfer    bool    // it counts bytes, files or examples, not steps
}

// readBar parses a bar in text.
func readBar(text []byte) (b bar, ok bool) {
	mark := bytes.IndexByte(text, '%')
	for mark >= 0 && !barFollows(text, mark) {
		next := bytes.IndexByte(text[mark+1:], '%')
		if next < 0 {
			return readOpenBar(text)
		}
		mark += next + 1
	}
	if mark < 1 || !isDigit(text[mark-1]) {
		return readOpenBar(text)
	}
	lo := mark
	for lo > 0 && (isDigit(text[lo-1]) || text[lo-1] == '.') {
		lo--
	}
	b.description = bytes.TrimRight(text[:lo], " :|")
	rest := text[mark+1:]
	if start, drawn := drawnBar(text, mark); drawn {
		b.description = bytes.TrimRight(text[:start], " :|")
		return b, b.readDrawn(rest)
	}
	if rest[0] == '|' {
		end := bytes.IndexByte(rest[1:], '|')
		if end < 0 {
			return b, false
		}
		rest = rest[end+2:]
	}
	rest = bytes.TrimLeft(rest, " ")
	if _, after, numeric := readFloat(rest, 0); !numeric || after >= len(rest) {
		return b, false
	}
	stop, scaled := b.readCount(rest)
	if stop == 0 {
		b.transfer = true // 1.2G/4.9G
		return b, true
	}
	b.transfer = stop < len(rest) && isLetter(rest[stop])
	b.readBrackets(rest[stop:])
	b.transfer = b.transfer || scaled && !b.hasRate // only the rate shows that it counts steps
	return b, true
}

// readCount parses n/N, also where both are rounded as with unit_scale: "1.07k/100k". end is 0
// without it.
func (b *bar) readCount(text []byte) (end int, scaled bool) {
	n, end, _ := readFloat(text, 0)
	if end < len(text) && isCountLetter(text[end]) {
		n, end, scaled = n*countScale(text, end+1), end+1, true
	}
	of, stop, whole := readOf(text, end)
	if !whole {
		return 0, false
	}
	if stop < len(text) && isCountLetter(text[stop]) && (stop+1 == len(text) || !isWordByte(text[stop+1])) {
		of, stop, scaled = of*countScale(text, stop+1), stop+1, true
	}
	b.n, b.of = math.Round(n), math.Round(of)
	return stop, scaled
}

// readOpenBar parses a bar without a total, which tqdm draws over what has no length:
//
//	DESC: 299it [02:00,  2.49it/s, v_num=1, loss=1.12]
func readOpenBar(text []byte) (b bar, ok bool) {
	const unit = "it ["
	mark := indexBy(text, unit, len("it "))
	scaled := mark > 1 && isCountLetter(text[mark-1]) && isDigit(text[mark-2])
	if mark < 1 || !isDigit(text[mark-1]) && !scaled || mark+len(unit) >= len(text) || !isDigit(text[mark+len(unit)]) {
		return b, false
	}
	lo := mark
	if scaled {
		lo--
	}
	for lo > 0 && (isDigit(text[lo-1]) || scaled && text[lo-1] == '.') {
		lo--
	}
	n, end, numeric := readFloat(text, lo)
	if scaled {
		n, end = math.Round(n*countScale(text, mark)), end+1
	}
	if _, _, clock := readClock(text, mark+len(unit)); !numeric || end != mark || !clock || lo > 0 && text[lo-1] != ' ' {
		return b, false
	}
	b.description, b.n = bytes.TrimRight(text[:lo], " :|"), n
	b.readBrackets(text[mark+len(unit)-1:])
	b.transfer = b.transfer || scaled && !b.hasRate
	return b, b.postfix != nil && !containsFold(b.postfix, "step")
}

// barFollows reports whether the percent sign at mark belongs to a bar: "%|███ | 4/18
// [", or "% 4/18 [" if a notebook drew the bar itself.
func barFollows(text []byte, mark int) bool {
	rest := text[mark+1:]
	if len(rest) > 1 && rest[0] == '|' {
		return true
	}
	if _, drawn := drawnBar(text, mark); drawn {
		return true
	}
	if len(rest) < 8 || rest[0] != ' ' || !isDigit(rest[1]) {
		return false
	}
	i := 1
	for i < len(rest) && (isDigit(rest[i]) || rest[i] == '/') {
		i++
	}
	return i+2 < len(rest) && rest[i] == ' ' && rest[i+1] == '[' && isDigit(rest[i+2])
}

// readBrackets parses [elapsed<remaining, rate, postfix] and what follows.
func (b *bar) readBrackets(text []byte) {
	open := bytes.IndexByte(text, '[')
	if open < 0 || open > 2 {
		b.behind = bytes.TrimSpace(text)
		return
	}
	text = text[open+1:]
	closing := closingBracket(text)
	inside := text[:closing]
	if closing < len(text) {
		b.apart = closing+1 < len(text) && isBlank(text[closing+1])
		b.behind = bytes.TrimSpace(text[closing+1:])
	}
	parts := inside
	if left := bytes.IndexByte(inside, '<'); left >= 0 {
		parts = inside[left+1:]
		if v, _, ok := readClock(parts, 0); ok {
			b.remaining, b.hasLeft = time.Duration(v.number*float64(time.Second)), true
		}
	}
	comma := bytes.IndexByte(parts, ',')
	if comma < 0 {
		return
	}
	rate := bytes.TrimLeft(parts[comma+1:], " ")
	end := bytes.IndexByte(rate, ',')
	if named := bytes.IndexByte(rate, '='); named >= 0 && (end < 0 || named < end) {
		b.postfix = rate // NeMo 1 omits the rate
		return
	}
	if end >= 0 {
		b.postfix = rate[end+1:]
		rate = rate[:end]
	}
	b.readRate(rate)
}

func (b *bar) readRate(text []byte) {
	if len(text) == 0 || text[0] == '?' {
		return
	}
	const fastest = 1e5 // steps in a second
	v, _, ok := readValue(text, 0)
	switch {
	case !ok || v.unit == unitItsSecond && v.number > fastest:
		b.transfer = true // 300MB/s, 900.00 examples/s, 1.5Mit/s
	case v.unit == unitItsSecond:
		b.rate, b.hasRate = v.number, true
	case v.unit == unitSecondsIt && v.number > 0:
		b.rate, b.hasRate = 1/v.number, true
	default:
		b.transfer = true
	}
}

// closingBracket returns the offset of the bracket that closes the one before text,
// or the end of text.
func closingBracket(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(text)
}

// done reports whether a bar is at its end.
func (b *bar) done() bool { return b.of > 0 && b.n >= b.of }

// readBarLine parses a line with a bar, and then the text right after the bar.
func (p *Parser) readBarLine(l *line) bool {
	b, ok := readBar(l.text)
	if !ok {
		return false
	}
	if !b.transfer {
		p.appendBehind(&b)
		p.bar(l, &b)
	}
	if len(b.behind) > 2 {
		glued := *l
		glued.text, _ = strip(b.behind)
		p.content(&glued)
	}
	return true
}

// appendBehind takes losses behind a closed bar that has no values for what the program
// appends: "60/500 [00:12<01:28,  4.98it/s] loss: 0.51". With a position of their own they are
// another record, as a dict is.
func (p *Parser) appendBehind(b *bar) {
	if !b.apart || len(b.postfix) > 0 || len(b.behind) < 3 || b.behind[0] == '{' {
		return
	}
	if pt := p.pairs.read(b.behind); (pt.strength == loss || pt.part) && !pt.positioned() && len(p.pairs.fields) > 0 && p.pairs.fields[0].name.lo <= len("**") {
		b.postfix, b.behind = b.behind, nil
	}
}

func (p *Parser) bar(l *line, b *bar) {
	p.scratch = append(p.scratch[:0], b.description...)
	p.scratch = append(p.scratch, " | "...)
	p.scratch = append(p.scratch, b.postfix...)
	pt := p.pairs.read(p.scratch)
	s := l.stream
	b.runStep = torchtuneBar(b.description, pt)
	if pt.strength < loss && ofInference(b.description) {
		return
	}
	said := labelPhase(b.description)
	if said == phaseEval && pt.has(train.MetricLoss) && pt.has(train.MetricEvalLoss) { // "train_loss 0.5, val_loss 0.6:  50%|"
		said = phaseTrain
	}
	if said == phaseTrain { // "Train epoch 1:  50%|" below the bar of an evaluation
		s.evaluating = false
	}
	if said == phaseEval || s.evaluating {
		if b.done() {
			s.evaluating = false
		}
		p.evaluationBar(l, pt)
		return
	}
	p.barPosition(s, pt, b)
	if b.hasLeft {
		pt.fromBar = true
		pt.setRemaining(b.remaining)
	}
	counts := pt.strength >= metric
	if b.hasRate {
		pt.add(train.MetricItsSecond, b.rate)
	}
	if counts || s.training(b) {
		p.accept(l, pt)
		if counts && pt.scope == train.ScopeRun && pt.stepOf == b.of {
			s.barTotal = b.of
		}
		return
	}
	if pt.hasEpoch { // metrics of the epoch may follow on later lines
		pt.hasStep = false
		s.locate(pt)
		s.header, s.proven, s.pending = l.number, false, s.pending[:0]
	}
	s.seeBar(b)
}

// ofInference reports whether a bar counts what a model answers, as that of vLLM 0.4 and
// newer does ("Processed prompts", with tokens per second), which the trainers of RLHF draw
// between their steps.
func ofInference(description []byte) bool {
	for _, word := range [...]string{"prompts", "generating", "inference", "requests", "predicting"} {
		if containsFold(description, word) {
			return true
		}
	}
	return false
}

// barPosition sets the step from the bar, or from fairseq's num_updates, which the
// program appends and which counts through the whole run. Lightning's global_step is
// ignored: it is rounded to two digits.
func (p *Parser) barPosition(s *stream, pt *point, b *bar) {
	if pt.hasStep && string(p.pairs.stepName()) == "num_updates" {
		pt.scope, pt.scopeKnown, pt.stepOf, pt.stepFraction = train.ScopeRun, true, 0, false
		return
	}
	if b.runStep > b.of { // the bar began anew with the epoch
		pt.hasStep, pt.step, pt.stepOf, pt.stepFraction = true, b.runStep, 0, false
		pt.scope, pt.scopeKnown = train.ScopeRun, true
		return
	}
	if p.stepInDescription(pt, b) {
		pt.scope, pt.scopeKnown = train.ScopeRun, true
		return
	}
	pt.hasStep, pt.step, pt.stepOf, pt.stepFraction = true, b.n, b.of, true
	pt.scope, pt.scopeKnown = train.ScopeRun, true
	if pt.hasEpoch || s.epochBar(b) {
		pt.scope = train.ScopeEpoch
	}
}

// evaluationBar adds the metrics of an evaluation's bar. Its n counts batches of the
// evaluation and is no step.
func (p *Parser) evaluationBar(l *line, pt *point) {
	if pt.strength < loss {
		return
	}
	pt.evaluate()
	pt.hasStep = false
	p.accept(l, pt)
}

// stepInDescription reports whether the text in front of the bar itself states at
// which step the run is: "Step: 28363. Epoch: 399/400:  48%|████▊     | 34/71".
func (p *Parser) stepInDescription(pt *point, b *bar) bool {
	const named = 92 // the priority of "step"
	return pt.hasStep && pt.stepPrio >= named && !pt.stepFraction && pt.step > b.of &&
		p.pairs.stepAt >= 0 && p.pairs.fields[p.pairs.stepAt].hi <= len(b.description)
}
