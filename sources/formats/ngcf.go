package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var ngcf = format{
	name:   `NGCF`,
	source: `xiangwang1223/neural_graph_collaborative_filtering NGCF.py, and the recommenders that began with it: KGAT, LightGCN's TensorFlow version`,
	about:  `the loss is written as the sum of its parts`,
	read:   readNGCF,
	examples: []example{
		{lines: []string{
			`Epoch 2 [24.6s]: train==[0.23611=0.23562 + 0.00050]`,
		}, want: `epoch=2 loss=0.23611`},
		{lines: []string{
			`Epoch 19 [30.1s + 22.4s]: train==[16.32731=16.31208 + 0.01523], recall=[0.13821, 0.28137], precision=[0.04241, 0.01849], hit=[0.49120, 0.71403], ndcg=[0.19912, 0.27610]`,
		}, want: `epoch=19 loss=16.32731`},
	},
}

// readNGCF parses "Epoch 2 [24.6s]: train==[0.23611=0.23562 + 0.00050]": the times of
// training and evaluation, then the loss and the parts that it is the sum of.
func readNGCF(p *Parser, l *line) bool {
	rest, named := bytes.CutPrefix(bytes.TrimLeft(l.text, " "), []byte("Epoch "))
	if !named {
		return false
	}
	at := bytes.Index(rest, []byte("train==["))
	if at < 0 {
		return false
	}
	epoch, end, counted := readFloat(rest, 0)
	value, after, ok := readFloat(rest, at+len("train==["))
	if !counted || end >= at || !ok || after >= len(rest) || rest[after] != '=' && rest[after] != ']' {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.hasEpoch, pt.epoch, pt.strength = true, epoch, loss
	pt.add(train.MetricLoss, value)
	p.accept(l, pt)
	return true
}
