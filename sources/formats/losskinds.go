package formats

import (
	"cmp"
	"math"
	"slices"

	"github.com/traintop/traintop/train"
)

// lossKinds learns the positions of losses from the log itself, where no word that a table
// knows names one. Lines with the same words and other numbers are one kind of record.
// Within a kind the number that grows by steady steps is the step; where none does, the
// records are counted. A kind that comes before any position, and right before the line
// that has it, belongs to that line.
type lossKinds struct {
	known    map[uint64]*lossKind
	learning int       // how many kinds have samples that wait for their position
	collects *lossKind // gets the samples that emit is given, nil for none
	leader   *lossKind // the first kind that came before any position
	counted  bool      // some kind has its step in a number of its own
}

// mostKinds bounds how many kinds are learned, mostNumbers the numbers of a line, and
// leastRecords is after how many records the position of a kind is decided.
const (
	mostKinds    = 64
	mostNumbers  = 8
	leastRecords = 5
)

// lossKind is one kind of record with a loss and without a known position.
type lossKind struct {
	seen     int
	position kindPosition
	counts   int                     // the index of the number that is the step
	numbers  [mostNumbers]steadyStep // of the line
	first    [leastRecords]record
	waiting  []train.Sample // their position is not decided
	line     int64          // the newest record
	serial   uint64         // of the stream at the newest record
	leads    bool           // each record is above the line that has its position
	next     train.Sample   // the newest record, which waits for that line
	hasNext  bool
}

// record is the line of one of the first records, and its numbers.
type record struct {
	line   int64
	values [mostNumbers]float64
}

// kindPosition is where the records of a kind have their position.
type kindPosition uint8

const (
	undecided kindPosition = iota
	inNumber               // in a number that grows by steady steps
	inOrder                // nowhere: the records are counted
	elsewhere              // in other lines
)

// steadyStep follows one number of a kind.
type steadyStep struct {
	first, last, by float64
	seen            int
	broken          bool
	restarts        bool
}

// add takes the next value: NaN for one that is no whole number.
func (n *steadyStep) add(v float64) {
	switch {
	case n.broken:
		return
	case v != v:
		n.broken = true
	case n.seen == 0:
		n.first = v
	case n.seen == 1:
		n.by = v - n.first
		n.broken = n.by <= 0
	case v == n.first:
		n.restarts = true
	default:
		n.broken = v != n.last+n.by
	}
	n.last = v
	n.seen++
}

// holdLoss handles a loss without a position of its own. It is held back as other records
// are; in a log without any position it then waits until its kind shows where it is.
func (ks *lossKinds) holdLoss(p *Parser, l *line, pt *point) {
	s := l.stream
	located := s.hasStep || s.hasEpoch
	var values [mostNumbers]float64
	k := ks.at(kindKey(l.text, l.prefix.stream, &values), located)
	if k == nil {
		if located || !pt.guessed {
			p.holdUntilProven(l, pt)
		}
		return
	}
	k.add(l.number, &values)
	switch {
	case pt.guessed && !located:
		ks.holdGuess(p, l, pt, k)
	case k.position == inNumber:
		ks.acceptStep(p, l, pt, k, values[k.counts])
	case k.position == inOrder && !located:
		sample := p.sample(l, pt)
		sample.Step, sample.HasStep, sample.Scope = float64(k.seen), true, train.ScopeRecords
		p.emit(sample)
	case located:
		ks.holdBelow(p, l, pt, k)
	case k.position == undecided:
		ks.collect(p, l, pt, k)
	default:
		p.holdUntilProven(l, pt)
	}
	k.line, k.serial = l.number, s.serial
}

// takeCounted accepts a record of a kind that has its step in a number of its own, whatever
// is above it.
func (ks *lossKinds) takeCounted(p *Parser, l *line, pt *point) bool {
	if !ks.counted {
		return false
	}
	var values [mostNumbers]float64
	k := ks.known[kindKey(l.text, l.prefix.stream, &values)]
	if k == nil || k.position != inNumber || values[k.counts] != values[k.counts] {
		return false
	}
	k.add(l.number, &values)
	ks.acceptStep(p, l, pt, k, values[k.counts])
	k.line, k.serial = l.number, l.stream.serial
	return true
}

// holdGuess holds the first record of an error back: it counts only if it leads. Solvers and
// benchmarks print errors too.
func (ks *lossKinds) holdGuess(p *Parser, l *line, pt *point, k *lossKind) {
	if k.seen == 1 {
		if _, again := p.layouts.known[pt.key(l.prefix.stream)]; !again { // other words with the same names prove nothing
			p.holdUntilProven(l, pt)
		}
		return
	}
	k.position = elsewhere
	if known, _ := p.layouts.at(pt.key(l.prefix.stream)); !known.proven {
		known.held, known.has = train.Sample{}, false
	}
}

// acceptStep accepts a record whose step is a number of its kind.
func (ks *lossKinds) acceptStep(p *Parser, l *line, pt *point, k *lossKind, step float64) {
	if step != step {
		p.holdUntilProven(l, pt)
		return
	}
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown = true, step, k.scope(), true
	p.accept(l, pt)
}

// scope is what the steps of a kind count.
func (k *lossKind) scope() train.StepScope {
	if k.numbers[k.counts].restarts {
		return train.ScopeEpoch
	}
	return train.ScopeRun
}

// collect holds a record back, keeps what that gives, and decides once there are enough
// records.
func (ks *lossKinds) collect(p *Parser, l *line, pt *point, k *lossKind) {
	before := len(k.waiting)
	ks.collects = k
	p.holdUntilProven(l, pt)
	ks.collects = nil
	if before == 0 && len(k.waiting) > 0 {
		ks.learning++
	}
	if k.seen < leastRecords || len(k.waiting) == 0 {
		return
	}
	if k.decide(); k.position == inOrder && (p.hints.TotalSteps > 0 || p.hints.StepsPerEpoch > 0) {
		k.position = elsewhere // a count of records is none of the steps that were announced
	}
	ks.counted = ks.counted || k.position == inNumber
	for i := range k.waiting {
		k.place(&k.waiting[i])
	}
	ks.release(p, k)
}

// decide chooses the number of a kind that is its step.
func (k *lossKind) decide() {
	k.position = inOrder
	for i := range k.numbers {
		if n := &k.numbers[i]; !n.broken && n.seen == k.seen {
			k.position, k.counts = inNumber, i
			return
		}
	}
}

// place gives a sample of the first records its step.
func (k *lossKind) place(sample *train.Sample) {
	if k.position == elsewhere {
		return
	}
	for i := range k.first {
		if k.first[i].line != sample.Line {
			continue
		}
		sample.Step, sample.HasStep, sample.Scope = float64(i+1), true, train.ScopeRecords
		if k.position == inNumber {
			sample.Step, sample.Scope = k.first[i].values[k.counts], k.scope()
		}
		return
	}
}

// release emits the samples of a kind that wait.
func (ks *lossKinds) release(p *Parser, k *lossKind) {
	for i := range k.waiting {
		p.emit(k.waiting[i])
	}
	if len(k.waiting) > 0 {
		ks.learning--
	}
	k.waiting = nil
}

// placeWaiting emits the samples that wait for a position, now that the log has one.
func (ks *lossKinds) placeWaiting(p *Parser, l *line) {
	if ks.leader == nil {
		return
	}
	ks.follow(p, l)
	ks.releaseAll(p)
}

// releaseAll emits what waits for a position: the log has one, or ends.
func (ks *lossKinds) releaseAll(p *Parser) {
	if ks.learning == 0 {
		return
	}
	waiting := make([]*lossKind, 0, ks.learning)
	for _, k := range ks.known {
		if len(k.waiting) > 0 {
			waiting = append(waiting, k)
		}
	}
	slices.SortFunc(waiting, func(a, b *lossKind) int { return cmp.Compare(a.waiting[0].Line, b.waiting[0].Line) })
	for _, k := range waiting {
		k.position = elsewhere
		ks.release(p, k)
	}
}

// leastEvaluations is how many losses of evaluation are a curve where nothing else has a loss or a position.
const leastEvaluations = 3

// onlyEvaluations reports whether what waits at the end of a log without any position are few losses
// of evaluation alone: results of two runs, and no curve.
func (ks *lossKinds) onlyEvaluations() bool {
	for _, k := range ks.known {
		if k.position == inOrder || k.position == inNumber || k.seen >= leastEvaluations {
			return false
		}
		for i := range k.waiting {
			if hasMetric(k.waiting[i].Metrics, train.MetricLoss) {
				return false
			}
		}
	}
	return ks.learning > 0
}

func hasMetric(metrics []train.Metric, name string) bool {
	return slices.ContainsFunc(metrics, func(m train.Metric) bool { return m.Name == name })
}

// leadReach is how many lines above its position a leading record may be.
const leadReach = 2

// holdBelow handles a record of a kind that came before any position was known. The first
// kind leads if a line with a position and a measurement followed its first record.
func (ks *lossKinds) holdBelow(p *Parser, l *line, pt *point, k *lossKind) {
	s := l.stream
	if k.position == undecided {
		ks.release(p, k)
		k.position = elsewhere
		at := s.locatedAt
		if s.trailing {
			at = s.header
		}
		k.leads = ks.leader == k && k.seen == 2 && (s.header == 0 || s.trailing) && s.serial > k.serial && at-k.line <= leadReach
	}
	if !k.leads {
		p.holdUntilProven(l, pt)
		return
	}
	if k.seen == 2 {
		ks.emitFirst(p, l, pt)
	}
	ks.follow(p, l)
	k.next, k.hasNext = p.sample(l, pt), true
}

// leads reports whether a line below a record that ends with its position belongs to the
// next one, as the first record of its kind did.
func (ks *lossKinds) leads(l *line) bool {
	k := ks.leader
	if k == nil || !k.leads && (k.seen != 1 || l.stream.header-k.line > leadReach) {
		return false
	}
	var values [mostNumbers]float64
	return ks.known[kindKey(l.text, l.prefix.stream, &values)] == k
}

// emitFirst emits the first record of a kind that leads, with the position that is now
// known.
func (ks *lossKinds) emitFirst(p *Parser, l *line, pt *point) {
	known, seen := p.layouts.at(pt.key(l.prefix.stream))
	if known.proven = true; !seen || !known.has {
		return
	}
	s := l.stream
	known.held.Step, known.held.HasStep, known.held.Scope = s.step, s.hasStep, s.scope
	known.held.Epoch, known.held.HasEpoch = s.epoch, s.hasEpoch
	p.emit(known.held)
	known.held, known.has = train.Sample{}, false
}

// follow emits the leading record that waits, with the stream's position if that is right
// below it.
func (ks *lossKinds) follow(p *Parser, l *line) {
	k := ks.leader
	if k == nil || !k.hasNext {
		return
	}
	sample, s := k.next, l.stream
	k.next, k.hasNext = train.Sample{}, false
	if s.serial != k.serial && l.number-sample.Line <= leadReach {
		sample.Step, sample.HasStep, sample.Scope = s.step, s.hasStep, s.scope
		sample.Epoch, sample.HasEpoch = s.epoch, s.hasEpoch
	}
	p.emit(sample)
}

// at returns the kind for a hash. A new one is learned only in a log without a position.
func (ks *lossKinds) at(key uint64, located bool) *lossKind {
	if k := ks.known[key]; k != nil || located || len(ks.known) >= mostKinds {
		return k
	}
	if ks.known == nil {
		ks.known = map[uint64]*lossKind{}
	}
	k := &lossKind{}
	ks.known[key] = k
	if ks.leader == nil {
		ks.leader = k
	}
	return k
}

// add takes the numbers of the next record.
func (k *lossKind) add(line int64, values *[mostNumbers]float64) {
	if k.seen < leastRecords {
		k.first[k.seen] = record{line, *values}
		for i := range values {
			k.numbers[i].add(values[i])
		}
	} else if n := &k.numbers[k.counts]; k.position == inNumber {
		n.restarts = n.restarts || values[k.counts] == n.first
	}
	k.seen++
}

// kindKey is a hash of a line without its numbers and blanks, and without the words behind the
// last number but the phase that they name: samples and remarks are there. It sets the values
// of its first numbers, NaN for those that are not whole and for those that it has not.
func kindKey(text []byte, stream int, values *[mostNumbers]float64) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) ^ uint64(stream+2)
	for i := range values {
		values[i] = math.NaN()
	}
	tail := lastDigit(text) + 1
	h ^= uint64(labelPhase(text[tail:]))
	for i, found := 0, 0; i < tail; {
		v, end := numberAt(text, i)
		if end == i {
			if !isBlank(text[i]) {
				h = (h ^ uint64(text[i])) * prime
			}
			i++
			continue
		}
		if found < mostNumbers {
			values[found] = v
		}
		found++
		h = (h ^ '#') * prime
		i = end
	}
	return h
}

// lastDigit returns where the last digit of a line is, the end of a line that has none.
func lastDigit(text []byte) int {
	for i := len(text) - 1; i >= 0; i-- {
		if isDigit(text[i]) {
			return i
		}
	}
	return len(text) - 1
}

// numberAt reads a number that is not part of a word: NaN for one that is not whole. end
// is at if there is none.
func numberAt(text []byte, at int) (v float64, end int) {
	if at > 0 && isWordByte(text[at-1]) {
		return 0, at
	}
	if _, after, ok := readWordNumber(text, at); ok && !isDigit(text[at]) {
		return math.NaN(), after
	}
	i := at
	if text[i] == '-' || text[i] == '+' {
		i++
	}
	digits := i
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	if i == digits {
		return 0, at
	}
	const longest = 15
	whole := text[digits:i]
	decimals := i
	for i+1 < len(text) && (text[i] == '.' || text[i] == 'e' || text[i] == 'E') && (isDigit(text[i+1]) || i+2 < len(text) && text[i] != '.' && isDigit(text[i+2])) {
		for i += 2; i < len(text) && isDigit(text[i]); {
			i++
		}
	}
	if i > decimals || digits > at || len(whole) > longest || i < len(text) && (text[i] == '%' || isWordByte(text[i])) {
		return math.NaN(), i
	}
	return float64(wholeNumber(whole)), i
}
