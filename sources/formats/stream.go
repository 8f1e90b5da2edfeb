package formats

import (
	"github.com/traintop/traintop/train"
)

// maxStreams bounds how many processes of one log are told apart.
const maxStreams = 4096

// headerReach is how many lines below a header a record may stand.
const headerReach = 400

// stream is what is known of one process that writes to the log.
type stream struct {
	step, epoch       float64
	hasStep, hasEpoch bool
	scope             train.StepScope
	stepOf, epochOf   float64 // of the newest position, until a point commits them
	stepFraction      bool

	// header is the line that told the newest position and nothing else, 0
	// when a measurement told it; proven: a loss was read below it.
	header int64
	vits   bool // it is VITS's
	// owedRate is a learning rate told above the losses, 0 for none.
	owedRate   float64
	headerStep string // what the header, or one right above it, calls its step
	proven     bool
	// pending are learning rates below the header: settings until a loss
	// stands there too.
	pending []train.Sample
	// serial grows with every new position.
	serial uint64

	evaluating bool  // a line said that an evaluation begins
	heard      int64 // that line

	// bars that may be the training's: barTotal is the N of the one that is,
	// 0 until it is known.
	barTotal         float64
	recent, recentOf float64
	recentFresh      bool
	epochBars        float64 // N of the bar that starts anew with each epoch
	runBars          float64 // N of the bar that does not
	lastBar          float64
	lastBarOf        float64
	lastBarEpoch     float64

	sourceNext bool // the next line is the source of a traceback's place
	finalBlock bool // inside the block that Hugging Face prints about a whole run

	// how steps and epochs go together
	restarts, continues bool
}

// maxPending bounds what waits for a loss.
const maxPending = 8

// training reports that a bar without metrics is the one of the training.
func (s *stream) training(b *bar) bool {
	return b.of > 0 && b.of == s.barTotal && len(b.description) < 24
}

// seeBar remembers a bar without metrics: a record without a step may belong
// to it.
func (s *stream) seeBar(b *bar) {
	if b.n <= 0 || b.of <= 0 || !b.hasRate || len(b.description) > 24 {
		return
	}
	s.recent, s.recentOf, s.recentFresh = b.n, b.of, true
}

// epochBar reports a bar that starts anew with each epoch, though only a line
// above it names the epoch. Until one epoch is over that is a guess, unless
// the bar says that it counts steps.
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

// locate moves the stream to the position of a point.
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

// compare learns from a change of epoch whether steps count from its
// beginning.
func (s *stream) compare(pt *point) {
	if pt.step < s.step {
		s.restarts = true
	} else if pt.step > s.step && (pt.stepOf == 0 || s.step < pt.stepOf/2) {
		s.continues = true
	}
}

// settle decides the scope of a step that the line alone leaves open.
func (s *stream) settle(pt *point) {
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
