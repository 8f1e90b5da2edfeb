package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var weNet = format{
	name:   `WeNet`,
	source: `wenet 1.0 to 2.2, wenet/utils/executor.py`,
	about:  `epoch/batch where others print n/N`,
	read:   (*Parser).readWeNet,
	examples: []example{
		{lines: []string{
			`2023-01-30 18:49:20,301 DEBUG TRAIN Batch 4/203800 loss 23.600426 loss_att 18.615641 loss_ctc 35.231586 lr 0.00032619 rank 2`,
		}, want: `step=203800 epoch=4 loss=23.600426 lr=0.00032619`},
		{lines: []string{
			`2023-01-30 18:49:55,773 DEBUG CV Batch 4/0 loss 28.517015 loss_att 24.142754 loss_ctc 38.723625 history loss 27.957858 rank 2`,
		}, want: `step=0 epoch=4 eval_loss=28.517015`},
		{lines: []string{
			`2021-12-20 10:14:02,118 INFO Epoch 74 CV info cv_loss 7.6275`,
		}, want: `epoch=74 eval_loss=7.6275`},
	},
}

// readWeNet parses "TRAIN Batch 4/203800 loss 23.6 loss_att 18.6 lr 0.0003 rank 2" and
// "CV Batch 4/100 loss 30.8" (wenet 1.0 to 2.2, wenet/utils/executor.py): epoch/batch,
// not n/N as in other formats.
func (p *Parser) readWeNet(l *line) bool {
	if bytes.HasPrefix(l.text, []byte("Epoch ")) {
		return p.readWeNetEpoch(l)
	}
	rest, trained := bytes.CutPrefix(l.text, []byte("TRAIN Batch "))
	if !trained {
		var validated bool
		if rest, validated = bytes.CutPrefix(l.text, []byte("CV Batch ")); !validated {
			return false
		}
	}
	v, end, ok := readValue(rest, 0)
	if !ok || !v.fraction || !bytes.HasPrefix(rest[end:], []byte(" loss ")) { // "TRAIN Batch 0100/1314, Loss 6.5" counts
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

// readWeNetEpoch parses "Epoch 74 CV info cv_loss 7.6275", the mean over the held-out data behind
// an epoch; later versions name what else they measured behind it.
func (p *Parser) readWeNetEpoch(l *line) bool {
	rest := l.text[len("Epoch "):]
	v, end, ok := readValue(rest, 0)
	if !ok || v.fraction {
		return false
	}
	rest, ok = bytes.CutPrefix(rest[end:], []byte(" CV info cv_"))
	if !ok || !bytes.HasPrefix(rest, []byte("loss ")) {
		return false
	}
	pt := p.pairs.read(rest)
	if pt.strength < loss {
		return false
	}
	pt.hasEpoch, pt.epoch = true, v.number
	pt.evaluate()
	p.accept(l, pt)
	return true
}
