package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var neon = format{
	name:   `neon`,
	source: `NervanaSystems/neon 1.x and 2.x, callbacks ProgressBarCallback and LossCallback`,
	about:  `a bar in brackets; the value stands before its name`,
	read:   readNeon,
	examples: []example{
		{lines: []string{
			`Epoch 1   [Train |████████████████████|    5/5    batches, 0.51 cost, 0.33s]`,
		}, want: `epoch=1 loss=0.51`},
		{lines: []string{
			`Epoch 4   [Train |██████████          |  234/469  batches, 0.31 cost, 1.52s] [CrossEntropyMulti Loss 0.28, 0.11s]`,
		}, want: `step=234 epoch=4 loss=0.31 eval_loss=0.28`},
	},
}

// readNeon parses "Epoch 1 [Train |███| 5/5 batches, 0.51 cost, 0.33s]", and the loss of
// the evaluation that neon appends in brackets of its own.
func readNeon(p *Parser, l *line) bool {
	rest, named := bytes.CutPrefix(bytes.TrimLeft(l.text, " "), []byte("Epoch "))
	if !named {
		return false
	}
	epoch, end, counted := readFloat(rest, 0)
	bar, drawn := bytes.CutPrefix(bytes.TrimLeft(rest[end:], " "), []byte("[Train |"))
	if !counted || !drawn {
		return false
	}
	closed := bytes.IndexByte(bar, '|')
	batches := bytes.Index(bar, []byte("batches, "))
	if closed < 0 || batches < closed {
		return false
	}
	count, _, ok := readValue(bytes.TrimLeft(bar[closed+1:], " "), 0)
	cost, after, valued := readFloat(bar, batches+len("batches, "))
	if !ok || !count.fraction || !valued || !bytes.HasPrefix(bar[after:], []byte(" cost")) {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.hasEpoch, pt.epoch, pt.strength = true, epoch, loss
	pt.hasStep, pt.step, pt.stepOf, pt.stepFraction = true, count.number, count.of, true
	pt.scope, pt.scopeKnown = train.ScopeEpoch, true
	pt.add(train.MetricLoss, cost)
	if _, behind, appended := bytes.Cut(bar[after:], []byte(" Loss ")); appended {
		if evaluated, _, numeric := readFloat(behind, 0); numeric {
			pt.add(train.MetricEvalLoss, evaluated)
		}
	}
	p.accept(l, pt)
	return true
}
