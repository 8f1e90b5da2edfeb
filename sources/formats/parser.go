package formats

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/train"
)

// Parser reads one log. Only one goroutine may use it. Its memory is bounded for any
// log.
type Parser struct {
	patterns  Patterns
	formats   []format // those with a reader of their own
	cleaner   cleaner
	pairs     pairs
	streams   map[int]*stream
	newest    *stream // that of the newest line, nil before the first one
	newestKey int
	layouts   *lineLayouts
	kinds     lossKinds
	counters  counters
	table     table
	box       box
	block     jsonBlock
	below     belowHeading
	head      headPair
	scratch   []byte
	commas    decimalComma
	scalars   scalars
	learned   learnedPrefix
	learner   *prefixLearner // nil once a prefix was looked for long enough

	line    line
	took    string // the reader of the newest line
	reading Reading
	hints   train.ProgressHints
	samples []train.Sample // a chunk of which readings get parts
	metrics []train.Metric // the same
}

// line is one state of one line, as the formats' readers get it.
type line struct {
	number int64
	at     time.Time
	text   []byte // clean, without prefixes
	whole  []byte // clean
	prefix prefix
	stream *stream
}

// New makes a parser for one log.
func New(o Options) *Parser {
	p := newParser(o)
	p.learner = &prefixLearner{read: map[int64]contents{}}
	return p
}

// newParser makes a parser that learns no prefix.
func newParser(o Options) *Parser {
	p := &Parser{patterns: o.Patterns, formats: readers(), streams: map[int]*stream{}, layouts: newLineLayouts()}
	p.pairs.names = newNameBook()
	return p
}

// Line parses one line, or one state of a line that is redrawn with carriage returns
// (then it is called with the same number again). text is raw, with escape sequences,
// without \n and \r; Line does not keep it. at is the time of the line, zero if
// unknown.
func (p *Parser) Line(number int64, at time.Time, text []byte) Reading {
	p.reading = Reading{}
	p.line = line{number: number, at: at}
	p.cleaner.states(text, p.state)
	return p.reading
}

// End ends the log, and returns what was held back.
func (p *Parser) End() Reading {
	p.reading = Reading{}
	p.closeBox()
	dropBlock(p)
	if p.learner != nil {
		p.learn(true)
		p.closeBox()
		dropBlock(p)
	}
	releaseFirsts(p)
	p.head.give(p)
	p.counters.end(p)
	if !p.kinds.onlyEvaluations() {
		p.kinds.releaseAll(p)
	}
	if k := p.kinds.leader; k != nil && k.hasNext {
		p.emit(k.next)
	}
	return p.reading
}

func (p *Parser) state(text []byte) {
	l := &p.line
	before := len(p.reading.Samples)
	l.whole = text
	l.text, l.prefix = strip(text)
	stripped := l.text
	p.cutLearned(l)
	if l.prefix.rank < 0 {
		if rank := train.RecordRank(l.text); rank >= 0 {
			l.prefix.rank, l.prefix.stream = rank, rank
		}
	}
	l.text = p.commas.apply(l.text)
	l.stream = p.streamOf(l.prefix.stream)
	p.records(l)
	if p.learner == nil {
		return
	}
	p.learner.add(l, text, stripped, p.reading.Samples[before:])
	if now, last := p.learner.due(); now {
		p.learn(last)
	}
}

// records parses the records of a line, which is mostly one.
func (p *Parser) records(l *line) {
	text := l.text
	before := beforeText(l.whole, text)
	at, behind := gluedAt(text, before)
	if at == 0 {
		if apart := repeatedRecords(text); apart != nil {
			for _, l.text = range apart {
				p.content(l)
			}
			return
		}
	}
	for n := 0; at > 0 && n < mostGlued; n++ {
		l.text = text[:at]
		p.content(l)
		text = text[behind:]
		at, behind = gluedAt(text, before)
	}
	l.text = text
	p.content(l)
}

// cutLearned removes the learned prefix, and those that are known behind it.
func (p *Parser) cutLearned(l *line) {
	if len(p.learned.parts) == 0 {
		return
	}
	rest, process, ok := p.learned.cut(l.text)
	if !ok {
		return
	}
	before := l.prefix
	l.whole = rest
	l.text, l.prefix = strip(rest)
	if l.prefix.stream < 0 {
		l.prefix.stream = before.stream
	}
	if l.prefix.stream < 0 && process > 0 {
		l.prefix.stream = process
	}
	if l.prefix.rank < 0 {
		l.prefix.rank = before.rank
	}
}

// learn looks for a prefix of the lines so far, and reads them again without it
// where that gives more. last: it is the last time.
func (p *Parser) learn(last bool) {
	learner := p.learner
	if last {
		p.learner = nil
	}
	if len(learner.lines) < leastLines {
		return
	}
	read := func(prefix *learnedPrefix) worth {
		trial := p.without(prefix)
		samples := append(trial.replay(learner.lines), trial.End().Samples...)
		return worthOf(samples, trial.hints)
	}
	if prefix := learner.preferred(read, last); prefix != nil {
		trial := p.without(prefix)
		p.adopt(trial, learner, trial.replay(learner.lines))
	}
}

// without is a new parser that removes a prefix.
func (p *Parser) without(prefix *learnedPrefix) *Parser {
	trial := newParser(Options{Patterns: p.patterns})
	trial.learned = *prefix
	return trial
}

// replay reads kept lines, and returns their samples.
func (p *Parser) replay(lines []keptLine) (samples []train.Sample) {
	for i := range lines {
		p.reading = Reading{}
		p.line = line{number: lines[i].number, at: lines[i].at}
		p.state(lines[i].whole)
		samples = append(samples, p.reading.Samples...)
	}
	return samples
}

// adopt goes on as the parser that knows the prefix. Lines that gave a sample
// before keep it, unless more is known of them now.
func (p *Parser) adopt(trial *Parser, learner *prefixLearner, samples []train.Sample) {
	reading, cleaner := p.reading, p.cleaner
	*p = *trial
	p.reading, p.cleaner = reading, cleaner
	for i := range samples {
		if contentsOf(&samples[i]).showsMoreThan(learner.read[samples[i].Line]) {
			p.reading.Samples = append(p.reading.Samples, samples[i])
		}
	}
	if hints := p.hints; hints != (train.ProgressHints{}) {
		p.reading.Hints = &hints
	}
}

// content parses a line without its prefixes.
func (p *Parser) content(l *line) {
	if len(l.text) < 2 && len(p.box.rows) == 0 && !p.block.open() && !isBrace(l.text) {
		return
	}
	if p.personal(l) {
		p.took = "a pattern of the configuration"
		return
	}
	l.text = p.scalars.apply(l.text)
	for i := range p.formats {
		if p.formats[i].read(p, l) {
			p.took = p.formats[i].name
			return
		}
	}
	p.took = "the general reader"
	before := len(p.reading.Samples)
	p.general(l)
	if len(p.reading.Samples) == before {
		p.mark(l)
	}
}

func (p *Parser) streamOf(key int) *stream {
	if p.newest != nil && p.newestKey == key {
		return p.newest
	}
	s := p.streams[key]
	if s == nil && len(p.streams) >= maxStreams {
		key = -1
		s = p.streams[key]
	}
	if s == nil {
		s = &stream{}
		p.streams[key] = s
	}
	p.newest, p.newestKey = s, key
	return s
}

// accept adds a point to the reading and moves the stream to its position.
func (p *Parser) accept(l *line, pt *point) {
	s := l.stream
	if s.first.waits {
		releaseFirst(p, s, pt)
	}
	if pt.positioned() {
		s.settle(pt)
		s.locate(pt)
		s.header, s.locatedAt = 0, l.number
		p.kinds.placeWaiting(p, l)
	}
	if pt.strength == loss {
		s.proven = true
	}
	if s.pendingRate > 0 {
		pt.add(train.MetricLR, s.pendingRate)
		s.pendingRate = 0
	}
	s.remember(pt)
	if pt.positioned() && !pt.objective && pt.has(train.MetricLoss) {
		s.total = printedLoss{name: train.MetricLoss, serial: s.serial}
	}
	p.emit(p.sample(l, pt))
	p.updateHints(l, pt)
}

// sample returns the point with its own position or the stream's.
func (p *Parser) sample(l *line, pt *point) train.Sample {
	s := l.stream
	sample := train.Sample{Line: l.number, Time: l.at, Rank: l.prefix.rank, Metrics: p.keepMetrics(pt.metrics), LeftOut: pt.leftOut}
	if p.commas.left {
		sample.LeftOut++
	}
	if pt.hasStep {
		sample.Step, sample.HasStep, sample.Scope = pt.step, true, pt.scope
	} else if !pt.positioned() && s.hasStep {
		sample.Step, sample.HasStep, sample.Scope = s.step, true, s.scope
	}
	if pt.hasEpoch {
		sample.Epoch, sample.HasEpoch = pt.epoch, true
	} else if s.hasEpoch {
		sample.Epoch, sample.HasEpoch = s.epoch, true
	}
	if !sample.HasStep && sample.HasEpoch && bytes.HasPrefix(l.text, []byte("{")) {
		s.stepOfBar(&sample)
	}
	return sample
}

// emit adds a sample to the reading.
func (p *Parser) emit(sample train.Sample) {
	if k := p.kinds.collects; k != nil {
		k.waiting = append(k.waiting, sample)
		return
	}
	if len(p.reading.Samples) == 0 {
		if cap(p.samples) == len(p.samples) {
			p.samples = make([]train.Sample, 0, nextChunk(cap(p.samples)))
		}
		p.samples = append(p.samples, sample)
		n := len(p.samples)
		p.reading.Samples = p.samples[n-1 : n : n]
		return
	}
	p.reading.Samples = append(p.reading.Samples, sample)
}

func (p *Parser) keepMetrics(metrics []train.Metric) []train.Metric {
	if cap(p.metrics)-len(p.metrics) < len(metrics) {
		p.metrics = make([]train.Metric, 0, max(nextChunk(cap(p.metrics)), len(metrics)))
	}
	n := len(p.metrics)
	p.metrics = append(p.metrics, metrics...)
	return p.metrics[n:len(p.metrics):len(p.metrics)]
}

// nextChunk is how many items to allocate at once: few for the many ranks that print
// little, more for one that prints much.
func nextChunk(before int) int {
	const least, most = 8, 512
	return min(max(2*before, least), most)
}
