package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

// updateHints derives hints about the length of the run from an accepted point.
func (p *Parser) updateHints(l *line, pt *point) {
	s := l.stream
	o := p.hints
	switch {
	case pt.hasStep && pt.stepOf > 0:
		foreseeSteps(&o, pt.scope, pt.stepOf)
	case !pt.hasStep && s.hasStep && s.stepOf > 0:
		foreseeSteps(&o, s.scope, s.stepOf)
	}
	if pt.hasStep && pt.totals.TotalSteps >= pt.step && pt.totals.TotalSteps > 0 {
		o.TotalSteps = pt.totals.TotalSteps // "current_steps": 10, "total_steps": 1000
	}
	if s.barTotal > 0 {
		o.TotalSteps = s.barTotal
	}
	if pt.hasEpoch && pt.epochOf > 0 {
		o.TotalEpochs = pt.epochOf
	} else if s.hasEpoch && s.epochOf > 0 {
		o.TotalEpochs = s.epochOf
	}
	if pt.hasRemaining && !s.ofEpoch(pt) {
		o.Remaining, o.Line = pt.remaining, l.number
	}
	p.look(o)
}

// ofEpoch reports whether a remaining time is only the epoch's: a bar of the epoch shows
// it, or it is no longer than the steps left in the epoch take.
func (s *stream) ofEpoch(pt *point) bool {
	if pt.scope != train.ScopeEpoch || s.epochOf > 0 && s.epochOf <= 1 {
		return false
	}
	seconds := 0.0
	for _, m := range pt.metrics {
		if m.Name == train.MetricStepTime {
			seconds = m.Value
		}
	}
	left := (pt.stepOf - pt.step) * seconds
	return pt.fromBar || seconds > 0 && pt.stepOf > 0 && pt.remaining.Seconds() <= 1.3*left+1
}

func foreseeSteps(o *train.ProgressHints, scope train.StepScope, of float64) {
	if scope == train.ScopeRun {
		o.TotalSteps = of
	} else {
		o.StepsPerEpoch = of
	}
}

// look adds progress hints to the reading if they are new.
func (p *Parser) look(o train.ProgressHints) {
	if o == p.hints {
		return
	}
	p.hints = o
	kept := o
	p.reading.Hints = &kept
}

// announce parses the length of the run in a start-up line: "Total optimization steps =
// 97", "training for 10000 steps".
func (p *Parser) announce(l *line, pt *point) {
	o := p.hints
	if pt.strength <= unknown && !pt.positioned() && len(p.pairs.fields) <= 4 && !p.pairs.fields[0].quoted {
		if pt.totals.TotalSteps > 0 {
			o.TotalSteps = pt.totals.TotalSteps
		}
		if pt.totals.TotalEpochs > 0 {
			o.TotalEpochs = pt.totals.TotalEpochs
		}
		if pt.totals.StepsPerEpoch > 0 {
			o.StepsPerEpoch = pt.totals.StepsPerEpoch
		}
		p.announceProse(&o)
	} else if pt.strength <= unknown {
		p.announceAmongSettings(&o)
	}
	if p.announcesTotals(pt) {
		o.TotalEpochs, o.TotalSteps = pt.totals.TotalEpochs, pt.step
		pt.hasStep = false
	}
	if pt.strength <= unknown && announceStart(&p.pairs, pt) {
		o.TotalSteps = pt.step
		pt.hasStep = false
	}
	p.announceProgress(l, pt, &o)
	p.look(o)
}

// announcesTotals recognises "Total epochs: 14; iters: 500000." of BasicSR.
func (p *Parser) announcesTotals(pt *point) bool {
	return pt.strength <= unknown && pt.hasStep && !pt.hasEpoch && !pt.stepFraction && pt.totals.TotalEpochs > 0 && containsFold(p.pairs.text, "total epochs")
}

// announceProgress parses "2.5 steps/s, 10.0% (100/1000), ETA: 6m" of the ReportProgress
// of google/CommonLoopUtils (clu 0.0.12).
func (p *Parser) announceProgress(l *line, pt *point, o *train.ProgressHints) {
	fields := p.pairs.fields
	if len(fields) < 3 || fields[0].unit != unitItsSecond || fields[1].unit != unitPercent || !fields[2].fraction {
		return
	}
	o.TotalSteps = fields[2].of
	if pt.hasRemaining {
		o.Remaining, o.Line = pt.remaining, l.number
	}
}

// announceAmongSettings parses "Training starts at step 1, with local batch size 8,
// sequence length 8192, total steps 16000 (warmup 200)" (torchtitan).
func (p *Parser) announceAmongSettings(o *train.ProgressHints) {
	if !containsFold(p.pairs.text, "train") {
		return
	}
	for i := range p.pairs.fields {
		f := &p.pairs.fields[i]
		if name := f.name.of(p.pairs.text); f.number > 0 && !f.fraction && len(name) == len("total steps") && hasFold(name, "total steps") {
			o.TotalSteps = f.number
		}
	}
}

// announceStart parses "Starting training..., iters: 400" of mlx-lm: the number of steps that
// begin is the whole of them.
func announceStart(r *pairs, pt *point) bool {
	if len(r.fields) != 1 || r.stepAt != 0 || pt.stepPrio != r.kinds[0].prio || pt.step <= 0 || !r.fields[0].separated || pt.stepFraction {
		return false
	}
	return countedWords[string(r.fields[0].name.of(r.text))] && hasFold(r.text, "starting training") && r.fields[0].hi == len(bytes.TrimRight(r.text, " ."))
}

// announceProse parses "Starting training for 5 epochs".
func (p *Parser) announceProse(o *train.ProgressHints) {
	for i := range p.pairs.fields {
		f := &p.pairs.fields[i]
		name, behind := f.name.of(p.pairs.text), p.pairs.text[f.hi:]
		if f.number <= 0 || f.fraction || !endsWithFor(name) || !containsFold(name, "train") {
			continue
		}
		switch {
		case hasFold(behind, " step"), hasFold(behind, " iter"):
			o.TotalSteps = f.number
		case hasFold(behind, " epoch"):
			o.TotalEpochs = f.number
		}
	}
}

func endsWithFor(name []byte) bool {
	return len(name) >= 3 && hasFold(name[len(name)-3:], "for")
}
