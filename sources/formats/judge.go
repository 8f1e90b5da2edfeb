package formats

import (
	"bytes"
	"math"

	"github.com/traintop/traintop/train"
)

// general parses a line that no format claims: it finds names with values and decides
// whether they are a measurement.
func (p *Parser) general(l *line) {
	if ofNCCL(l.text) || request(l.text) { // before its many numbers are read
		p.pairs.fields = p.pairs.fields[:0]
		_ = l.stream.traceback(l.text) || l.stream.finalMetrics(l.text)
		return
	}
	pt := p.pairs.read(l.text)
	if len(p.pairs.fields) == 0 {
		l.stream.sourceNext = false
		l.stream.finalMetrics(l.text)
		if !p.table.head(l.text, &p.pairs.words) && !p.table.secondHead(l.text, &p.pairs.words) {
			l.stream.notePhase(l.number, l.text)
		}
		p.below.head(l, &p.pairs.words)
		return
	}
	if l.stream.traceback(l.text) || l.stream.finalMetrics(l.text) {
		return
	}
	if !(pt.hasStep && pt.hasEpoch) && p.head.read(p, l) {
		return
	}
	p.announce(l, pt)
	if pt.strength <= unknown && (pt.hasEpoch && pt.epoch > maxEpoch || logfmt(l.text)) {
		return
	}
	if pt.strength <= unknown && (p.pairs.signs().physical() || allocations(l.text) || len(pt.metrics) > 0 && ofTensorFlow(l.whole)) {
		return
	}
	counted := pt.strength >= metric && !pt.positioned() && counterOf(&p.pairs, l) != noCounter
	if l.prefix.parameter || pt.strength < loss && !pt.positioned() && !counted && l.stream.serial == 0 || setting(l.text, pt) {
		return
	}
	if counted && (p.counters.takeCounted(p, l, pt) || pt.strength < loss && l.stream.serial == 0) {
		return
	}
	finishDict(pt)
	paddleSeg(l.text, pt)
	deepSpeedTimer(l.text, pt)
	estimatorDict(l.text, pt)
	if p.vitsPosition(l, pt) {
		return
	}
	l.stream.epochOfBoth(&p.pairs, pt)
	judgeIndex(&p.pairs, l.stream, pt)
	l.stream.settle(pt)
	if pt.positioned() {
		p.judgePositioned(l, pt)
	} else {
		p.judgeRecord(l, pt)
	}
}

// judgePositioned decides whether a line with a step or an epoch of its own counts.
func (p *Parser) judgePositioned(l *line, pt *point) {
	switch pt.strength {
	case loss, metric:
		if pt.hasEpoch && wasBest(&p.pairs) || pt.strength == metric && playful(pt) && countsErrors(&p.pairs) {
			return
		}
		if l.stream.sized.hold(p, l, pt) || l.stream.stepped.hold(p, l, pt) {
			return
		}
		l.stream.pairPhases(pt)
		if !p.pairs.signs().saysTrain() {
			if holdFirst(p, l, pt) {
				return
			}
			l.stream.pairTwins(l.number, pt)
		}
		l.stream.pairTotals(pt)
		l.stream.pairBars(l.text, pt)
		l.stream.namePart(&p.pairs, pt)
		p.accept(l, pt)
	case rateOnly:
		if pt.leading {
			p.accept(l, pt)
		} else {
			p.holdBack(l, pt)
		}
	case unknown:
		if !playful(pt) { // games are played for other ends too
			p.holdBack(l, pt)
		}
		p.header(l, pt)
		l.stream.trailing = l.stream.header == l.number && !pt.leading
	default:
		p.header(l, pt)
	}
}

// playful reports whether the only position of a line is a game or a generation: "joined group at
// generation 3" of Kafka has one too.
func playful(pt *point) bool {
	return pt.hasStep && !pt.hasEpoch && (pt.stepPrio == playPrio || pt.stepPrio == namedPlayPrio)
}

// countsErrors reports whether nothing but whole numbers of errors is measured on a line.
func countsErrors(r *pairs) bool {
	for i := range r.kinds {
		if f := &r.fields[i]; r.kinds[i].class.meter() && (!containsFold(f.name.of(r.text), "err") || f.number != math.Trunc(f.number)) {
			return false
		}
	}
	return true
}

// logfmt reports whether a line is of a service written in Go, logrus's and slog's:
// its steps and epochs count many things, and only a metric makes it training.
func logfmt(text []byte) bool {
	return bytes.Contains(text, []byte("level=")) && bytes.Contains(text, []byte(" msg="))
}

// signs are what the fields of a line show beside their values: whether they are
// numbers of training at all, and of which phase.
type signs struct{ *pairs }

func (r *pairs) signs() signs { return signs{r} }

// physical reports whether a value has a unit of physics: a simulation iterates too, and
// prints energies at each iteration ("ecut=    60.00 Ry" of Quantum ESPRESSO). The loss
// of packets is that of a network.
func (r signs) physical() bool {
	for i := range r.fields {
		if name := r.fields[i].name.of(r.text); containsFold(name, "packet") && containsFold(name, "loss") {
			return true
		}
		rest := bytes.TrimLeft(r.text[r.fields[i].hi:], " ")
		end := 0
		for end < len(rest) && (isLetter(rest[end]) || rest[end] == '/') {
			end++
		}
		switch string(rest[:end]) {
		case "Ry", "Ha", "Hartree", "hartree", "eV", "kJ/mol", "kcal/mol", "GPa", "kbar", "Bohr", "bohr", "a.u":
			return true
		}
	}
	return false
}

// allocations reports whether a line is what @time of Julia prints: "1.008728 seconds (1.45 M
// allocations: 254.741 MiB, 3.22% gc time)".
func allocations(text []byte) bool {
	_, rest, found := bytes.Cut(text, []byte(" seconds ("))
	return found && bytes.Contains(rest, []byte(" allocations: "))
}

// request reports whether a line is of an access log: the step and the loss in a query
// are what somebody sent, not measurements.
func request(text []byte) bool {
	at := indexBy(text, " HTTP/", len(" "))
	return at >= 0 && at+6 < len(text) && isDigit(text[at+6])
}

// ofNCCL reports whether a line is of NCCL's log, or of RCCL's: "[0] NCCL INFO AllReduce:
// opCount 0 ..." (NCCL 2, src/debug.cc). The number in brackets is a device.
func ofNCCL(text []byte) bool {
	const lead = 80 // the host, its processes and the device
	_, rest, found := bytes.Cut(text[:min(len(text), lead)], []byte("] NCCL "))
	return found && level(rest) > 0
}

// ofTensorFlow reports whether a line is of TensorFlow's runtime, which counts what it does
// and measures nothing: "I tensorflow/core/kernels/data/shuffle_dataset_op.cc:422] ...".
func ofTensorFlow(whole []byte) bool {
	const lead = 120
	_, source, found := bytes.Cut(whole[:min(len(whole), lead)], []byte(" tensorflow/"))
	return found && bytes.Contains(source, []byte(".cc:"))
}

// maxEpoch bounds epochs on lines without a metric: greater ones count blocks of a
// chain or leases of a store.
const maxEpoch = 100_000

// blockReach is how many lines below a header its block may have.
const blockReach = 12

// phaseReach is how many lines below "Validating" the evaluation's metrics may be.
const phaseReach = 6

// header handles a line with a position and no measurement as the header of a record:
// "Epoch 3/10", "[batch=1/100]:", "iteration 19/10000".
func (p *Parser) header(l *line, pt *point) {
	if len(l.text) > 200 || p.pairs.signs().quotedPosition() || pt.hasStep && pt.stepPrio == bareStep {
		return
	}
	s := l.stream
	if pt.hasStep && p.pairs.stepAt >= 0 { // a step that settle found has no field
		name := p.pairs.names.keep(p.pairs.stepName())
		counts := pt.stepFraction && pt.stepOf >= pt.step && pt.stepOf > 0
		if s.header > 0 && l.number-s.header <= blockReach && s.headerStep != "" && s.headerStep != name && (!counts || s.headerCounts) {
			return // "NumTimesteps: 32549" below "Iteration: 0"
		}
		s.headerStep, s.headerCounts = name, counts
	} else if s.header == 0 {
		s.headerStep = ""
	}
	s.bareHeader = pt.hasStep && !pt.hasEpoch && s.headerStep == ""
	if nested := s.header > 0 && s.hasEpoch && !s.hasStep && pt.hasStep && !pt.hasEpoch; !nested {
		s.pending = s.pending[:0] // those of "Learning rate: 1e-06" between "Epoch 1/500" and "Batch 1/218" stay
	}
	s.locate(pt)
	p.kinds.releaseAll(p)
	s.header, s.proven, s.trailing = l.number, false, false
	s.vits = vitsHeader(l.text)
	below := s.evaluating && l.number == s.phaseLine+1 && pt.hasStep && !pt.hasEpoch && !pt.stepFraction // "global_step = 20" below "***** Eval results *****"
	if s.evaluating = pt.eval && !pt.hasStep || below || pt.hasEpoch && !pt.hasStep && headsEval(l.text); s.evaluating {
		s.phaseLine = l.number
	}
}

// headsEval reports whether a line with the epoch is the heading of what an evaluation
// measured: "Epoch 1/25 validation results:".
func headsEval(text []byte) bool {
	text = bytes.TrimRight(text, " -=*")
	if !bytes.HasSuffix(text, []byte(":")) && !bytes.HasSuffix(text, []byte("：")) {
		return false
	}
	digit := len(text)
	for digit > 0 && !isDigit(text[digit-1]) {
		digit--
	}
	tail := text[digit:]
	if len(tail) > 48 || containsFold(tail, "train") || bytes.Contains(tail, []byte("训练")) {
		return false
	}
	return labelPhase(tail) == phaseEval || hasAny(tail, "验证", "测试", "评估")
}

// quotedPosition reports whether the position is a key of JSON or of a dict.
func (r signs) quotedPosition() bool {
	return r.stepAt >= 0 && r.fields[r.stepAt].quoted || r.epochAt >= 0 && r.fields[r.epochAt].quoted
}

func (r *pairs) stepName() []byte { return r.fields[r.stepAt].name.of(r.text) }

// judgeRecord decides whether a line without a position counts: it may belong to a
// header above it, or to the newest measurement, or be a setting or a summary.
func (p *Parser) judgeRecord(l *line, pt *point) {
	s := l.stream
	if s.finalOfEpoch(p, l, pt) {
		return
	}
	below := s.header > 0 && l.number-s.header <= headerReach
	located := s.hasStep || s.hasEpoch
	if pt.strength < loss && !below && !(pt.strength >= rateOnly && located) || summarizes(&p.pairs, l.text) || l.text[0] == '"' || l.text[0] == '\'' {
		return
	}
	if pt.strength == loss && lossIsShare(&p.pairs) {
		return
	}
	if pt.strength == loss && p.kinds.takeCounted(p, l, pt) {
		return
	}
	if p.pairs.signs().saysTrain() {
		s.evaluating = false
	}
	if s.evaluating && l.number-s.phaseLine <= phaseReach || p.pairs.signs().opensWithEval() {
		pt.evaluate()
	}
	if located && p.pairs.signs().inBrackets() && s.repeats(pt) {
		return
	}
	if below && s.bareHeader && s.nextLoss == 0 && pt.has(train.MetricEvalLoss) && !pt.has(train.MetricLoss) {
		return // the result of a test below the bar that counted its samples
	}
	switch {
	case pt.strength == loss && below && s.trailing && p.kinds.leads(l):
		p.kinds.holdLoss(p, l, pt)
	case pt.strength == loss && below:
		p.emitPending(s)
		p.accept(l, pt)
	case pt.strength == loss && located && pt.has(train.MetricEvalLoss):
		p.emitHeld(l, pt)
		p.accept(l, pt)
	case pt.part && pt.strength == metric && below: // "loss_disc: 2.4" below "GLOBAL_STEP: 370050"
		p.emitPending(s)
		p.accept(l, pt)
	case pt.strength >= rateOnly && below && s.proven:
		p.accept(l, pt)
	case pt.strength == rateOnly && below && len(s.pending) < maxPending:
		s.pending = append(s.pending, p.sample(l, pt))
	case pt.strength == rateOnly && located && !below && pt.separated && l.number-s.locatedAt <= phaseReach: // "current lr: 0.1" below each epoch
		p.holdBack(l, pt)
	case pt.strength >= metric, pt.strength == unknown && pt.separated && below && !s.bareHeader && !p.pairs.signs().onlyDurations():
		p.holdBack(l, pt)
	}
}

// lossIsShare reports whether the loss of a line is a percentage: what loses a share of something is
// a network, unless a position goes with it.
func lossIsShare(r *pairs) bool { return r.lossAt >= 0 && r.fields[r.lossAt].unit == unitPercent }

// onlyDurations reports whether a line has durations and nothing else: "weights updated,
// time cost: 2.26s" is about an action, not of training.
func (r signs) onlyDurations() bool {
	for i := range r.fields {
		if u := r.fields[i].unit; u < unitSeconds || u > unitDays {
			return false
		}
	}
	return true
}

// saysTrain reports whether the loss of the line is marked as one of training.
func (r signs) saysTrain() bool { return r.lossAt >= 0 && r.kinds[r.lossAt].train }

// opensWithEval reports whether a line begins with a metric of evaluation and its loss
// is not marked: "END valid top1: 0.01 top5: 0.06 loss: 8.77".
func (r signs) opensWithEval() bool {
	return r.lossAt > 0 && r.kinds[0].eval && r.kinds[0].class.meter() && !r.kinds[r.lossAt].train
}

// inBrackets reports whether the only value of a line is a remark in brackets: "saved
// (val_loss=0.3424)".
func (r signs) inBrackets() bool {
	if len(r.fields) != 1 {
		return false
	}
	before := bytes.TrimRight(r.text[:r.fields[0].name.lo], " ")
	return len(before) > 0 && before[len(before)-1] == '('
}

// emitPending emits the samples that waited for a loss below the same header.
func (p *Parser) emitPending(s *stream) {
	for _, sample := range s.pending {
		p.emit(sample)
	}
	s.pending = s.pending[:0]
}

// holdBack keeps a point back until its layout occurs again with new content: at a new
// position or, without positions, with other values. Names that no table has need both
// below a header: "Training samples: 536" below each step of a script is a setting.
func (p *Parser) holdBack(l *line, pt *point) {
	if pt.strength == loss && !pt.positioned() {
		p.kinds.holdLoss(p, l, pt)
		return
	}
	p.holdUntilProven(l, pt)
}

func (p *Parser) holdUntilProven(l *line, pt *point) {
	s := l.stream
	positioned := pt.positioned()
	if positioned {
		s.locate(pt)
	}
	known, seen := p.layouts.at(pt.key(l.prefix.stream))
	sum := pt.sum()
	if known.proven {
		p.accept(l, pt)
		return
	}
	changed := known.sum != sum
	moved := known.serial != s.serial && (positioned || pt.strength >= metric || changed || pt.strength == rateOnly)
	if seen && (moved || !positioned && s.header == 0 && changed && pt.strength != rateOnly) {
		p.emitHeld(l, pt)
		p.accept(l, pt)
		return
	}
	if !seen {
		known.held, known.has = p.sample(l, pt), true
	}
	known.serial, known.sum = s.serial, sum
}

// emitHeld emits the point that was held back for this layout.
func (p *Parser) emitHeld(l *line, pt *point) {
	known, seen := p.layouts.at(pt.key(l.prefix.stream))
	known.proven = true
	if seen && known.has {
		p.emit(known.held)
		known.held, known.has = train.Sample{}, false
	}
}

// setting reports whether a line prints settings: a dump of arguments has a step, an
// epoch and a learning rate too.
func setting(text []byte, pt *point) bool {
	if pt.strength == weak {
		return false
	}
	if pt.strength == rateOnly && pt.batch { // "creating a trainer: batch=10 LR=0.005" shows its size
		return true
	}
	if options(text) || headedSettings(text) || pt.strength == metric && manyLiterals(text) {
		return true
	}
	if bytes.IndexByte(text, '(') < 0 && bytes.IndexByte(text, 'w') < 0 && pt.strength > rateOnly {
		return false
	}
	for _, mark := range [...]string{"Namespace(", "Config(", "Arguments(", "dict(", "wandb:", "main("} {
		if at := bytes.Index(text, []byte(mark)); at >= 0 && (at == 0 || !isLetter(text[at-1]) || !isLetter(mark[0]) || isUpper(mark[0])) { // not "defaultdict("
			return true
		}
	}
	if pt.strength > rateOnly || pt.recorded {
		return false
	}
	for _, literal := range [...]string{"True", "False", "None", "null", "true", "false"} {
		if bytes.Contains(text, []byte(literal)) {
			return true
		}
	}
	return false
}

// headedSettings reports whether a line is a dict that its first words call settings: "Training
// parameters: {'iterations': 30000, 'lr': 0.1}". The text behind the dict may be a result.
func headedSettings(text []byte) bool {
	const longest = 48
	open := bytes.IndexByte(text[:min(len(text), longest)], '{')
	if open <= 0 || hasNumber(text[:open]) {
		return false
	}
	if end := bytes.LastIndexByte(text, '}'); end >= 0 && len(bytes.TrimRight(text[end+1:], " )]=-*")) > 0 {
		return false
	}
	head := bytes.TrimRight(text[:open], " :=->(")
	last := head[bytes.LastIndexAny(head, " -_/")+1:]
	for _, word := range [...]string{"parameters", "hyperparameters", "params", "hparams", "hyperparams", "args", "arguments", "config", "configuration", "settings", "options"} {
		if len(last) == len(word) && hasFold(last, word) {
			return true
		}
	}
	return false
}

// hasNumber reports whether a text has a digit that is in no word: "trial_36" has none.
func hasNumber(text []byte) bool {
	for i, c := range text {
		if isDigit(c) && (i == 0 || !isWordByte(text[i-1])) {
			return true
		}
	}
	return false
}

// manyLiterals reports whether several values of a line are flags or nothing, as in a dump
// of arguments that names what is measured too: "time=None, save=True, iou=0.7, amp=True".
// A result written as JSON may have flags.
func manyLiterals(text []byte) bool {
	const many = 3
	found := 0
	if text[0] == '{' && len(text) > 1 && text[1] == '"' {
		return false
	}
	for i := 1; i < len(text) && found < many; i++ {
		if text[i-1] != '=' && (text[i-1] != ' ' || i < 2 || text[i-2] != ':') {
			continue
		}
		end := i
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		switch string(text[i:end]) {
		case "True", "False", "None", "true", "false", "null":
			found++
		}
	}
	return found == many
}

// options reports whether a line is a command line: "--lr 0.1 --epoch 3".
func options(text []byte) bool {
	for i := 0; ; {
		at := bytes.Index(text[i:], []byte("--"))
		if at < 0 {
			return false
		}
		i += at + 2
		if i < len(text) && isLetter(text[i]) && (i == 2 || isBlank(text[i-3])) {
			return true
		}
	}
}

// summary reports whether a line summarizes a run or an epoch: it would add a false
// last point to a curve.
func summary(text []byte) bool { return summaryAt(text) >= 0 }

// summaryAt is the place of the first word of a summary in a line, -1 for none.
func summaryAt(text []byte) int {
	first := -1
	for _, word := range [...]string{"best", "final", averagedStats, "summary", "average over", "overall", "across"} {
		if at := indexFold(text, word); at >= 0 && (at == 0 || !isWordByte(text[at-1])) && (first < 0 || at < first) && !ofGeneration(text[at+len(word):]) {
			first = at
		}
	}
	return first
}

// ofGeneration reports whether the words behind "best" state that it is the best of a generation,
// which is what an evolution measures: "Best fitness: 0.34".
func ofGeneration(rest []byte) bool {
	const measured = " fitness"
	return len(rest) > len(measured) && (rest[0] == ' ' || rest[0] == '_') && hasFold(rest[1:], measured[1:])
}

// averagedStats is how torchvision's loop, and its many copies, begin what sums up an epoch.
const averagedStats = "averaged stats"

// summarizes reports whether a line is a summary. One that prints a loss and then
// the best one so far is none: "loss=2.61 ppl=13.6 best_loss=2.65".
func summarizes(r *pairs, text []byte) bool {
	at := summaryAt(text)
	if at < 0 {
		return false
	}
	if remarksBest(r, at) {
		return false
	}
	loss := max(r.lossAt, r.evalAt)
	if loss < 0 {
		return true
	}
	if r.evalAt >= 0 && r.lossAt < 0 && containsFold(text[at:min(len(text), at+len(averagedStats))], averagedStats) {
		return false // of an evaluation nothing else is whole
	}
	for i := loss + 1; i < len(r.fields); i++ {
		if f := &r.fields[i]; f.separated && f.name.lo <= at && at < f.name.hi {
			return false
		}
	}
	return true
}

// remarksBest reports whether the word of a summary is a remark in brackets behind a
// measured value: "val_loss: 0.5 (new best!)".
func remarksBest(r *pairs, at int) bool {
	for i := range r.fields {
		f := &r.fields[i]
		if f.hi > at || i+1 < len(r.fields) && r.fields[i+1].lo < at || !f.separated || !r.kinds[i].class.meter() {
			continue
		}
		rest := r.text[f.hi:at]
		open := bytes.IndexByte(rest, '(')
		return open >= 0 && open <= 2 && bytes.IndexByte(rest, ')') < 0
	}
	return false
}

// notePhase records a line without numbers that announces an evaluation or training.
func (s *stream) notePhase(number int64, text []byte) {
	if len(text) > 60 {
		return
	}
	switch labelPhase(text) {
	case phaseEval:
		s.evaluating, s.phaseLine = true, number
	case phaseTrain:
		s.evaluating = false
	}
}
