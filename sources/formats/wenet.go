package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

// readWeNet reads "TRAIN Batch 4/203800 loss 23.6 loss_att 18.6 lr 0.0003
// rank 2" and "CV Batch 4/100 loss 30.8" (wenet 1.0 to 2.2,
// wenet/utils/executor.py): epoch/batch, where others print n/N.
func (p *Parser) readWeNet(l *line) bool {
	rest, trained := bytes.CutPrefix(l.text, []byte("TRAIN Batch "))
	if !trained {
		var validated bool
		if rest, validated = bytes.CutPrefix(l.text, []byte("CV Batch ")); !validated {
			return false
		}
	}
	v, end, ok := readValue(rest, 0)
	if !ok || !v.fraction {
		return false
	}
	pt := p.pairs.read(rest[end:])
	if pt.strength < loss {
		return false
	}
	pt.hasEpoch, pt.epoch = true, v.number
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown = true, v.of, train.ScopeEpoch, true
	if !trained {
		pt.evaluate()
	}
	p.accept(l, pt)
	return true
}
