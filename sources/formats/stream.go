package formats

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// maxStreams bounds how many processes of one log are distinguished.
const maxStreams = 4096

// headerReach is how many lines below a header a record may be.
const headerReach = 400

// stream is the state of one process that writes to the log.
type stream struct {
	step, epoch       float64
	hasStep, hasEpoch bool
	scope             train.StepScope
	stepOf, epochOf   float64 // of the newest position, until a point commits them
	stepFraction      bool

	// header is the line with the newest position if it had nothing else, 0 if it
	// had a measurement; proven: a loss followed it.
	header int64
	// locatedAt is the line of the newest position with a measurement.
	locatedAt int64
	vits      bool // header is VITS's
	// pendingRate is a learning rate printed before the losses, 0 for none.
	pendingRate float64
	headerStep  string // the name of the step in the header, or in the header right above it
	// headerCounts: that step was n/N, as "Learning iteration 10/101".
	headerCounts bool
	proven       bool
	// trailing: the header is a record that ends with its position, which a loss above may
	// have too.
	trailing bool
	// bareHeader: the header is n/N without a name, as "1 of 6 steps done" of a
	// workflow: names that no table has do not count below it.
	bareHeader bool
	// pending are learning rates below the header: they count as settings until
	// a loss follows.
	pending []train.Sample
	// serial grows with every new position.
	serial uint64
	// listed is the serial behind the newest list of the losses of all epochs: nothing else of
	// the log has a position where it is still the same.
	listed uint64

	evaluating bool  // a line announced an evaluation
	phaseLine  int64 // the number of that line

	// bars that may be the training's: barTotal is the N of the training's bar, 0
	// while unknown.
	barTotal         float64
	recent, recentOf float64
	recentFresh      bool
	epochBars        float64 // N of the bar that restarts with each epoch
	runBars          float64 // N of the bar that does not
	lastBar          float64
	lastBarOf        float64
	lastBarEpoch     float64

	sourceNext bool // the next line is the source of a traceback's frame
	finalBlock bool // inside Hugging Face's summary of a whole run

	// steps is the newest "steps: 235" beside an epoch; counting: it has grown
	// with the epoch, so that it is a position.
	steps    float64
	counting bool

	// losses are the newest losses, with the position that they had.
	losses   [8]printedLoss
	nextLoss int
	final    epochFinal
	// total is the newest loss whose name marks it as the whole one.
	total printedLoss

	// whether steps restart or continue with a new epoch
	restarts, continues bool

	// index is the newest position that was the index of a loss; indexed: there is one;
	// unindexed: such indexes are no positions.
	// countedByName: its step has a name that no table has.
	countedByName      bool
	index              float64
	indexed, unindexed bool

	// trained is the epoch of the newest line with a loss and an accuracy of
	// training and no step.
	trained    float64
	hasTrained bool
	// lostIn is the epoch of the newest line with a loss and no step.
	lostIn    float64
	hasLostIn bool
	// twinPhase is the line that announced the evaluation of the newest such line.
	twinPhase int64
	first     firstTwin
	sized     epochSize
	stepped   firstSteps
	// trainedOf is the N of the newest n/N beside a loss of training, 0 for none.
	trainedOf float64
	// drawnOf is the N of the first bar in brackets below the epoch drawnEpoch, 0 for
	// none.
	drawnOf, drawnEpoch float64
	bracketEpochs       bool // the n/N in front of its lines are epochs
}

// pairPhases decides what a loss beside an accuracy of evaluation measures:
// "Epoch 1 | Test Acc. 97.4% | Loss 0.08" is the evaluation's if the same epoch has a line
// with an accuracy and the loss of training.
func (s *stream) pairPhases(pt *point) {
	if pt.hasStep || !pt.hasEpoch || !pt.has(train.MetricLoss) {
		return
	}
	ofTraining, ofEvaluation := pt.has(train.MetricAccuracy), pt.has(evalAccuracy)
	switch {
	case ofTraining && !ofEvaluation:
		s.trained, s.hasTrained = pt.epoch, true
	case ofEvaluation && !ofTraining && s.hasTrained && s.trained == pt.epoch:
		pt.evaluate()
	}
}

// pairTwins decides what a loss without a step measures below the line that announced an
// evaluation: the epoch's second one is the evaluation's. "epoch: 0,  loss is: 0.62",
// "testing in eval mode", "epoch: 0,  loss is: 0.48".
func (s *stream) pairTwins(number int64, pt *point) {
	if pt.hasStep || !pt.hasEpoch || pt.eval || !pt.has(train.MetricLoss) || pt.has(train.MetricEvalLoss) {
		return
	}
	if s.evaluating && s.phaseLine != s.twinPhase && number-s.phaseLine <= phaseReach {
		s.twinPhase = s.phaseLine
		if s.hasLostIn && s.lostIn == pt.epoch {
			pt.evaluate()
			return
		}
	}
	s.lostIn, s.hasLostIn = pt.epoch, true
}

// epochOfBoth takes the n/N in brackets in front of a line for the epoch where no word of the log names a
// position, and the line has the losses of training and of evaluation: "[3/20] train_loss=0.5 val_loss=0.6".
func (s *stream) epochOfBoth(r *pairs, pt *point) {
	const most = 1000 // epochs; more of them are steps
	if r.stepAt != 0 || pt.hasEpoch || !pt.stepFraction || pt.stepOf > most || !pt.has(train.MetricLoss) || !pt.has(train.MetricEvalLoss) {
		return
	}
	if f := &r.fields[0]; f.bracket != '[' || !f.name.empty() || !r.startsLine(0) || (s.hasEpoch || s.hasStep) && !s.bracketEpochs {
		return
	}
	s.bracketEpochs = true
	pt.hasEpoch, pt.epoch, pt.epochFraction, pt.epochOf = true, pt.step, true, pt.stepOf
	pt.hasStep, pt.step, pt.stepFraction, pt.stepOf, pt.stepPrio = false, 0, false, 0, 0
	pt.scope, pt.scopeKnown = 0, false
	r.epochAt, r.stepAt = 0, -1
}

// epochSize learns what the number behind the epoch is: "Epoch 1 300: loss 0.5". It is a step
// where the next record has another one, and else the size of the epoch.
type epochSize struct {
	waits, counts bool
	number        float64 // of the newest record, 0 for none
	step, size    train.Sample
}

// hold holds the first such record back, and takes the step from those whose number is the
// size. It reports whether the record waits.
func (e *epochSize) hold(p *Parser, l *line, pt *point) bool {
	if !pt.hasStep || !pt.hasEpoch || pt.stepPrio != behindEpoch || e.counts {
		return false
	}
	if e.number == 0 {
		l.stream.locate(pt)
		l.stream.header, l.stream.locatedAt = 0, l.number
		e.waits, e.number, e.step = true, pt.step, p.sample(l, pt)
		pt.hasStep, l.stream.hasStep = false, false
		e.size = p.sample(l, pt)
		return true
	}
	if pt.step == e.number {
		pt.hasStep = false
	} else {
		e.counts = true
	}
	e.release(p)
	return false
}

// release emits the record that hold held back.
func (e *epochSize) release(p *Parser) {
	switch {
	case !e.waits:
		return
	case !e.counts:
		p.emit(e.size)
	default:
		p.emit(e.step)
	}
	e.waits = false
}

// firstSteps is the first record with "steps: 1797" beside its epoch that has the losses of training and of
// evaluation, or calls them steps of training. The next one decides whether that is the step, or how
// many steps an epoch has.
type firstSteps struct {
	waits, decided bool
	plain, counted train.Sample
}

// hold holds that record back. It reports whether the record waits.
func (f *firstSteps) hold(p *Parser, l *line, pt *point) bool {
	s := l.stream
	whole := pt.trainSteps || pt.has(train.MetricLoss) && pt.has(train.MetricEvalLoss)
	if f.decided || f.waits || pt.steps == 0 || !whole || pt.hasStep || !pt.hasEpoch || s.nextLoss > 0 {
		f.release(p, s)
		return false
	}
	s.locate(pt)
	s.header, s.locatedAt = 0, l.number
	f.waits, f.plain = true, p.sample(l, pt)
	f.counted = f.plain
	f.counted.Step, f.counted.HasStep, f.counted.Scope = pt.steps, true, train.ScopeRun
	return true
}

// release emits the record that hold held back.
func (f *firstSteps) release(p *Parser, s *stream) {
	if !f.waits {
		return
	}
	f.waits, f.decided = false, true
	if s.counting {
		p.emit(f.counted)
		return
	}
	p.emit(f.plain)
}

// firstTwin is the first loss of a log below the line that announced an
// evaluation. The next one decides whether it is the evaluation's or the epoch's.
type firstTwin struct {
	waits            bool
	plain, evaluated train.Sample
	epoch            float64
}

// holdFirst holds the first loss of a log back where it may be of an evaluation before
// training: "testing in eval mode", "epoch: 0,  loss is: 2.50", "epoch: 0,  loss is: 0.62".
func holdFirst(p *Parser, l *line, pt *point) bool {
	s := l.stream
	if s.nextLoss > 0 || s.first.waits || !s.evaluating || l.number-s.phaseLine > phaseReach ||
		pt.hasStep || !pt.hasEpoch || pt.eval || !pt.has(train.MetricLoss) || pt.has(train.MetricEvalLoss) {
		return false
	}
	s.locate(pt)
	s.header, s.locatedAt, s.twinPhase = 0, l.number, s.phaseLine
	s.first = firstTwin{waits: true, plain: p.sample(l, pt), epoch: pt.epoch}
	pt.evaluate()
	s.first.evaluated = p.sample(l, pt)
	return true
}

// releaseFirst emits the loss that holdFirst held back. It is the evaluation's if the next
// one is the epoch's, without another announcement.
func releaseFirst(p *Parser, s *stream, next *point) {
	first := s.first
	s.first = firstTwin{}
	if next != nil && next.hasEpoch && !next.hasStep && !next.eval && next.epoch == first.epoch && next.has(train.MetricLoss) && s.phaseLine == s.twinPhase {
		p.emit(first.evaluated)
		return
	}
	p.emit(first.plain)
}

// releaseFirsts emits what holdFirst, epochSize and firstSteps held back at the end of a log.
func releaseFirsts(p *Parser) {
	var waiting []*stream
	for _, s := range p.streams {
		if s.first.waits || s.sized.waits || s.stepped.waits {
			waiting = append(waiting, s)
		}
	}
	slices.SortFunc(waiting, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(a.first.plain.Line, b.first.plain.Line), cmp.Compare(a.sized.step.Line, b.sized.step.Line), cmp.Compare(a.stepped.plain.Line, b.stepped.plain.Line))
	})
	for _, s := range waiting {
		if s.first.waits {
			releaseFirst(p, s, nil)
		}
		s.sized.counts = true // one record alone
		s.sized.release(p)
		s.stepped.release(p, s)
	}
}

// pairTotals decides what a loss measures below the line that announced an evaluation:
// another N in its n/N than training's shows that it counts the batches of the
// evaluation, as Paddle's high-level API prints them below "Eval begin...".
func (s *stream) pairTotals(pt *point) {
	if !pt.hasStep || !pt.stepFraction || pt.stepOf <= 0 || pt.eval || !pt.has(train.MetricLoss) || pt.has(train.MetricEvalLoss) {
		return
	}
	switch {
	case !s.evaluating:
		s.trainedOf = pt.stepOf
	case s.trainedOf == pt.stepOf:
		s.evaluating = false
	case s.trainedOf > 0:
		pt.evaluate()
	}
}

// pairBars decides what a loss measures behind a bar which its program draws at
// the beginning of the line: of two bars below one epoch, the second N is the
// evaluation's. pytorch-cifar and its copies print "[==== 391/391 ===>]  Step: 75ms |
// Loss: 1.806", then "[==== 100/100 ===>]" of the test.
func (s *stream) pairBars(text []byte, pt *point) {
	if !pt.stepFraction || pt.stepOf <= 0 || pt.hasEpoch || !s.hasEpoch || pt.eval || !bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("[==")) {
		return
	}
	if s.drawnOf == 0 || s.drawnEpoch != s.epoch {
		s.drawnOf, s.drawnEpoch = pt.stepOf, s.epoch
	}
	if s.drawnOf != pt.stepOf {
		pt.evaluate()
	}
}

// printedLoss is a loss that was read, and the stream's serial at it.
type printedLoss struct {
	name   string
	value  float64
	serial uint64
}

// hasTotal reports whether a loss that is no objective was read at the position of a
// point: the objectives below it are its parts.
func (s *stream) hasTotal(pt *point) bool {
	if s.total.serial != s.serial || s.total.name == "" || pt.hasStep && (!s.hasStep || pt.step != s.step) || pt.hasEpoch && (!s.hasEpoch || pt.epoch != s.epoch) {
		return false
	}
	return pt.has(s.total.name)
}

// remember keeps the losses of a point for repeats.
func (s *stream) remember(pt *point) {
	for _, m := range pt.metrics {
		if m.Name == train.MetricLoss || m.Name == train.MetricEvalLoss {
			s.losses[s.nextLoss%len(s.losses)] = printedLoss{m.Name, m.Value, s.serial}
			s.nextLoss++
		}
	}
}

// repeats reports whether all metrics of a point are losses that were read at the
// stream's position before.
func (s *stream) repeats(pt *point) bool {
	for _, m := range pt.metrics {
		if !slices.Contains(s.losses[:], printedLoss{m.Name, m.Value, s.serial}) {
			return false
		}
	}
	return len(pt.metrics) > 0
}

// namePart gives an objective its own name where the whole loss of the same position was
// read on a line before: "whole_loss = 0.64", then "L1_loss = 0.18".
func (s *stream) namePart(r *pairs, pt *point) {
	if !pt.objective || !pt.hasStep || !s.hasTotal(pt) {
		return
	}
	at := max(r.lossAt, r.evalAt)
	pt.rename(s.total.name, r.names.keep(r.fields[at].name.of(r.text)))
	pt.strength = metric
}

// maxPending bounds how many samples wait for a loss.
const maxPending = 8

// training reports whether a bar without metrics is the training's.
func (s *stream) training(b *bar) bool {
	return b.of > 0 && b.of == s.barTotal && len(b.description) < 24
}

// seeBar remembers a bar without metrics: a record without a step may belong to it.
func (s *stream) seeBar(b *bar) {
	if b.n <= 0 || b.of <= 0 || !b.hasRate || len(b.description) > 24 {
		return
	}
	s.recent, s.recentOf, s.recentFresh = b.n, b.of, true
}

// epochBar reports whether a bar restarts with each epoch, if only a line above it names
// the epoch. Before the end of the first epoch that is a guess, unless the bar shows
// that it counts steps.
func (s *stream) epochBar(b *bar) bool {
	if !s.hasEpoch || containsFold(b.description, "step") {
		return false
	}
	if b.of == s.lastBarOf && s.epoch > s.lastBarEpoch {
		if b.n < s.lastBar {
			s.epochBars = b.of
		} else {
			s.runBars = b.of
		}
	}
	s.lastBar, s.lastBarOf, s.lastBarEpoch = b.n, b.of, s.epoch
	return s.epochBars == b.of || s.runBars != b.of
}

// locate sets the stream's position to that of a point.
func (s *stream) locate(pt *point) {
	if pt.hasEpoch {
		if pt.hasStep && s.hasStep && s.hasEpoch && pt.epoch > s.epoch {
			s.compare(pt)
		}
		if pt.epoch != s.epoch || !s.hasEpoch {
			s.serial++
			if s.scope != train.ScopeRun {
				s.hasStep = false
			}
		}
		s.epoch, s.hasEpoch, s.epochOf = pt.epoch, true, pt.epochOf
	}
	if pt.hasStep {
		if pt.step != s.step || !s.hasStep {
			s.serial++
		}
		s.step, s.hasStep, s.stepOf, s.stepFraction, s.scope = pt.step, true, pt.stepOf, pt.stepFraction, pt.scope
	}
}

// compare detects at a change of epoch whether steps restart with each epoch.
func (s *stream) compare(pt *point) {
	if pt.step < s.step {
		s.restarts = true
	} else if pt.step > s.step && (pt.stepOf == 0 || s.step < pt.stepOf/2) {
		s.continues = true
	}
}

// settle decides the scope of a step if the line alone does not.
func (s *stream) settle(pt *point) {
	s.countSteps(pt)
	if pt.scopeKnown || !pt.hasStep {
		return
	}
	epoch := pt.hasEpoch || s.hasEpoch && s.epochOf > 0
	switch {
	case pt.stepPrio >= 95:
		pt.scope = train.ScopeRun
	case s.continues && !s.restarts:
		pt.scope = train.ScopeRun
	case s.restarts && epoch:
		pt.scope = train.ScopeEpoch
	case pt.stepFraction && pt.stepFirst && pt.stepPrio >= 70:
		pt.scope = train.ScopeRun
	case pt.stepFraction && epoch:
		pt.scope = train.ScopeEpoch
	}
}

// countSteps takes the "steps: 3594" beside an epoch for the position once it has
// grown with the epoch. SpeechBrain prints it so; others print how many there are. One that
// is marked as of training may grow in an epoch too.
func (s *stream) countSteps(pt *point) {
	if pt.steps == 0 || !pt.hasEpoch || pt.hasStep {
		return
	}
	s.counting = s.counting || s.steps > 0 && s.hasEpoch && (pt.epoch > s.epoch || pt.trainSteps && pt.epoch == s.epoch) && pt.steps > s.steps
	s.steps = pt.steps
	if s.counting {
		pt.hasStep, pt.step, pt.scope, pt.scopeKnown = true, pt.steps, train.ScopeRun, true
	}
}
