package formats

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/traintop/traintop/train"
)

// counters learns the position of records that name none: a number at the beginning of the
// line, or the counter of a loop, is the position once it has grown from record to record.
// Records are alike that have the same names.
type counters struct {
	known   map[uint64]*counter
	holding int // how many counters hold samples back
}

const (
	mostCounters    = 64
	leastCounted    = 3  // records that prove a counter with a name
	leastUnnamed    = 5  // that prove a number without one
	leastLossCounts = 2  // that prove a counter with a name beside a loss
	leastTasks      = 10 // that prove a number of each line, if it may be that of a task and grows by 1
)

// counter follows one number of one kind of record.
type counter struct {
	seen           int
	last           float64
	byOne          bool // it grew by 1 each time
	broken, proven bool
	restarted      bool
	tasks          bool // it may number tasks
	held           []heldRecord
}

// heldRecord is a record that waits for its counter.
type heldRecord struct {
	sample train.Sample
	at     float64 // what its counter counts
	task   int     // the rank that its line begins with, -1 for none
	layout uint64  // of the line of that task
}

// loopNames are variables of loops, which count records where they begin a line.
var loopNames = map[string]bool{"t": true, "n": true, "k": true, "i": true, "I": true, "j": true, "idx": true, "index": true, "count": true, "Count": true, "counter": true}

// countNames state how many of something are done, or how many there are.
var countNames = map[string]bool{
	"epochs": true, "Epochs": true, "EPOCHS": true, "iterations": true, "Iterations": true, "iters": true, "Iters": true,
	"episodes": true, "Episodes": true, "games": true, "Games": true, "generations": true, "Generations": true, "gens": true, "num_gens": true,
	"cycle": true, "Cycle": true, "trained": true, "Trained": true, "processed": true, "Processed": true, "pass": true, "Pass": true,
	"timesteps": true, "Timesteps": true, "frame": true, "Frame": true, "frames": true, "Frames": true, "frame_idx": true,
}

// counterAt returns the field that may count the records of a line, -1 for none.
func counterAt(r *pairs) int {
	for i := range r.fields {
		f := &r.fields[i]
		if f.fraction || f.clock || f.unit != unitNone || f.null || f.number < 0 || f.number != math.Trunc(f.number) || r.kinds[i].class.meter() || bytes.IndexByte(bytes.TrimRight(r.text[f.lo:f.hi], "."), '.') >= 0 {
			continue
		}
		if i == 0 && f.name.empty() && f.bracket != '(' && r.startsLine(0) && len(r.fields) > 1 {
			return i
		}
		if !f.separated && (i > 0 || !startsWithName(r)) || f.name.hi-f.name.lo > len("generations") {
			continue
		}
		if name := f.name.of(r.text); countNames[string(name)] || loopNames[string(name)] && beginsRecord(r, i) && (len(name) == 1 || learns(r)) {
			return i
		}
	}
	return -1
}

// countsEpochs reports whether a counter counts epochs, or what old programs call
// them.
func countsEpochs(r *pairs, i int) bool {
	return r.kinds[i].class == classTotalEpochs || hasFold(r.fields[i].name.of(r.text), "pass")
}

// startsWithName reports whether a line begins with the name of its first field.
func startsWithName(r *pairs) bool {
	return len(bytes.Trim(r.text[:r.fields[0].name.lo], " \t[(-*#|>")) == 0
}

// beginsRecord reports whether a field is the first of its line, or behind the tag that begins it.
func beginsRecord(r *pairs, i int) bool {
	at, from := behindTag(r.text, r.fields)
	return i == at && len(bytes.Trim(r.text[from:r.fields[i].name.lo], " \t'\"{(")) == 0
}

// noCounter and inPrefix are no fields: nothing counts the records, or the number in front of the
// line that may be that of a task.
const (
	noCounter = -1
	inPrefix  = -2
)

// counterOf returns the field that may count the records of a line.
func counterOf(r *pairs, l *line) int {
	at := counterAt(r)
	if at < 0 && countsByAnyName(r, l.stream) {
		return 0
	}
	if at < 0 && l.prefix.numbered {
		return inPrefix
	}
	return at
}

// countsByAnyName reports whether the first number of a line with a loss may count its records
// though no table has its name: "Train 159, loss: 0.5", or below an epoch "trained times: 300, loss:
// 0.5".
func countsByAnyName(r *pairs, s *stream) bool {
	f := &r.fields[0]
	if r.lossAt <= 0 && r.evalAt <= 0 || r.kinds[0].class != classUnknown || f.name.empty() || f.fraction || f.clock || f.unit != unitNone || f.null || f.quoted ||
		f.number < 0 || f.number != math.Trunc(f.number) || f.hi >= len(r.text) || bytes.IndexByte(r.text[f.lo:f.hi], '.') >= 0 || !startsWithName(r) {
		return false
	}
	if wordPhase(f.name.of(r.text)) != phaseNone {
		return !f.separated && bytes.IndexByte([]byte(",:|;"), r.text[f.hi]) >= 0
	}
	return f.separated && s.hasEpoch && (!s.hasStep || s.countedByName) && plainWords(f.name.of(r.text))
}

// plainWords reports whether a name is words alone: that of a file or a host is none.
func plainWords(name []byte) bool {
	for _, c := range name {
		if c < 0x80 && !isLetter(c) && c != ' ' && c != '_' {
			return false
		}
	}
	return true
}

// measuresLearning reports whether a line has a number with decimals that something learns by.
// Services count what they did too, and print errors and rates beside it.
func measuresLearning(r *pairs) bool {
	for i := range r.kinds {
		k, f := &r.kinds[i], &r.fields[i]
		if !k.class.meter() || f.unit.ofRate() || bytes.IndexByte(r.text[f.lo:f.hi], '.') < 0 {
			continue
		}
		if k.class != classEvidence {
			return k.class == classLoss || k.class == classEvalLoss || k.class == classObjective || k.class == classAccuracy || k.class == classEvalAccuracy
		}
		name := f.name.of(r.text)
		if k.train || k.eval {
			return true
		}
		served := false
		for _, word := range [...]string{"err", "score", "hits", "speed", "throughput", "fps", "ips"} {
			served = served || containsFold(name, word)
		}
		if !served {
			return true
		}
	}
	return false
}

// countOf is what may count a record.
type countOf struct {
	field         int // noCounter, inPrefix, or a field
	number        float64
	named, epochs bool
	any           bool // no table has its name
	stream        int
}

// readCount returns what may count the record on a line.
func readCount(r *pairs, l *line) countOf {
	c := countOf{field: counterOf(r, l), number: float64(l.prefix.stream), stream: -1}
	if c.field >= 0 {
		f := &r.fields[c.field]
		c.number, c.named, c.epochs, c.stream = f.number, !f.name.empty(), countsEpochs(r, c.field), l.prefix.stream
		c.any = c.named && r.kinds[c.field].class == classUnknown && !countNames[string(f.name.of(r.text))] && !loopNames[string(f.name.of(r.text))] && f.separated
	}
	return c
}

// takeCounted handles a record without a position that has a counter. The first ones wait until
// the counter has grown; it reports whether the record is accepted or waits.
func (c *counters) takeCounted(p *Parser, l *line, pt *point) bool {
	r := &p.pairs
	n := readCount(r, l)
	if n.field == noCounter || n.field >= 0 && !n.named && pt.strength == loss || summarizes(r, l.text) || !measuresLearning(r) {
		return false // the kind of a loss shows where its step is
	}
	k := c.at(recordKey(r, n.stream, n.field))
	if k == nil || k.broken || !n.named && !k.proven && l.stream.serial > 0 || !c.grow(p, k, n) {
		return false
	}
	if n.named {
		pt.remove(string(r.fields[n.field].name.of(r.text)), n.number)
	}
	if n.field == inPrefix {
		return c.takeNumbered(p, l, pt, k, n.number)
	}
	if !k.proven && (k.seen < k.least(n, pt) || !n.named && k.byOne && !learns(r)) {
		return c.hold(p, l, pt, k, n.number)
	}
	c.accept(p, l, pt, k, n)
	return true
}

// takeNumbered handles a record behind a number that may be that of a task. It is the step if it
// grows by other steps than 1, and beside a loss where many lines go on without beginning anew.
func (c *counters) takeNumbered(p *Parser, l *line, pt *point, k *counter, number float64) bool {
	if !k.proven && k.byOne && k.seen > 1 && pt.strength != loss {
		c.reject(p, k)
		return false
	}
	task, layout := l.prefix.rank, pt.key(l.prefix.stream)
	if task < 0 {
		task = l.prefix.stream
	}
	l.prefix.stream, l.prefix.rank = -1, -1
	l.stream = p.streamOf(-1)
	if k.proven || k.seen >= leastTasks || k.seen >= leastUnnamed && !k.byOne {
		c.accept(p, l, pt, k, countOf{field: inPrefix, number: number})
		return true
	}
	if k.tasks = pt.strength == loss; c.hold(p, l, pt, k, number) {
		last := &k.held[len(k.held)-1]
		last.task, last.layout = task, layout
	}
	return true
}

// grow takes the next number of a counter, and gives the counter up if that is not greater. One
// that is proven may start anew.
func (c *counters) grow(p *Parser, k *counter, n countOf) bool {
	if k.seen > 0 && n.number <= k.last && !(k.proven && n.number < k.last && n.field != inPrefix) {
		c.reject(p, k)
		return false
	}
	k.restarted = k.restarted || k.seen > 0 && n.number < k.last
	k.byOne = k.seen == 0 || k.byOne && n.number == k.last+1
	k.last = n.number
	k.seen++
	return true
}

// accept accepts a record at what a proven counter counts, and those that waited for it.
func (c *counters) accept(p *Parser, l *line, pt *point, k *counter, n countOf) {
	k.proven = true
	l.stream.countedByName = l.stream.countedByName || n.any
	c.emitHeld(p, k, n.epochs)
	if n.epochs {
		pt.hasEpoch, pt.epoch = true, n.number
	} else {
		pt.hasStep, pt.step = true, n.number
		if k.restarted && l.stream.hasEpoch {
			pt.scope, pt.scopeKnown = train.ScopeEpoch, true
		}
	}
	p.accept(l, pt)
}

// least is how many records prove a counter.
func (k *counter) least(n countOf, pt *point) int {
	switch {
	case !n.named:
		return leastUnnamed
	case n.any:
		return leastCounted
	case pt.strength == loss:
		return leastLossCounts
	}
	return leastCounted
}

// learns reports whether a line measures what only learning has: a table of classes or of
// samples has accuracies and scores too, and numbers its rows.
func learns(r *pairs) bool {
	for i := range r.kinds {
		if k := &r.kinds[i]; k.class.meter() && (k.train || k.class == classLR || containsFold(r.fields[i].name.of(r.text), "reward") || containsFold(r.fields[i].name.of(r.text), "fitness")) {
			return true
		}
	}
	return false
}

// hold keeps the sample of a record until its counter is proven.
func (c *counters) hold(p *Parser, l *line, pt *point, k *counter, at float64) bool {
	if len(k.held) == leastTasks {
		return false
	}
	if len(k.held) == 0 {
		c.holding++
	}
	k.held = append(k.held, heldRecord{sample: p.sample(l, pt), at: at, task: -1})
	return true
}

// emitHeld emits what waits for a counter that is proven now.
func (c *counters) emitHeld(p *Parser, k *counter, epochs bool) {
	for i := range k.held {
		sample := &k.held[i].sample
		if epochs {
			sample.Epoch, sample.HasEpoch = k.held[i].at, true
		} else {
			sample.Step, sample.HasStep, sample.Scope = k.held[i].at, true, train.ScopeRun
		}
		p.emit(*sample)
	}
	c.drop(k)
}

// reject gives a counter up that does not grow. A record that waits for it counts without it
// where it is a loss, or where the log has another position.
func (c *counters) reject(p *Parser, k *counter) {
	k.broken = true
	for i := range k.held {
		s := &k.held[i].sample
		if task := k.held[i].task; task >= 0 {
			s.Rank = task
			known, _ := p.layouts.at(k.held[i].layout)
			known.proven = true
		}
		if s.HasStep || s.HasEpoch || hasLossMetric(s.Metrics) {
			p.emit(*s)
		}
	}
	c.drop(k)
}

func hasLossMetric(metrics []train.Metric) bool {
	return slices.ContainsFunc(metrics, func(m train.Metric) bool { return m.Name == train.MetricLoss || m.Name == train.MetricEvalLoss })
}

// drop forgets what waits.
func (c *counters) drop(k *counter) {
	if len(k.held) > 0 {
		c.holding--
	}
	k.held = nil
}

// end gives up what is not proven when the log ends.
func (c *counters) end(p *Parser) {
	if c.holding == 0 {
		return
	}
	var waiting []*counter
	for _, k := range c.known {
		if len(k.held) > 0 {
			waiting = append(waiting, k)
		}
	}
	slices.SortFunc(waiting, func(a, b *counter) int { return cmp.Compare(a.held[0].sample.Line, b.held[0].sample.Line) })
	for _, k := range waiting {
		switch {
		case !k.tasks:
			c.reject(p, k)
		case k.seen >= leastUnnamed: // no task came twice
			c.emitHeld(p, k, false)
		default:
			c.drop(k)
		}
	}
}

// at returns the counter for a hash, a new one if needed, nil where there are too many.
func (c *counters) at(key uint64) *counter {
	k := c.known[key]
	if k != nil || len(c.known) >= mostCounters {
		return k
	}
	if c.known == nil {
		c.known = map[uint64]*counter{}
	}
	k = &counter{}
	c.known[key] = k
	return k
}

// recordKey is a hash of the names on a line.
func recordKey(r *pairs, stream, counter int) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) ^ uint64(stream+2)
	for i := range r.fields {
		for _, c := range r.fields[i].name.of(r.text) {
			h = (h ^ uint64(c)) * prime
		}
		if i == counter {
			h = (h ^ '#') * prime
		}
	}
	return h
}
