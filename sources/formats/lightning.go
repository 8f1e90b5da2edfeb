package formats

import "bytes"

var lightning = format{
	name:   `Lightning`,
	source: `pytorch-lightning 1.x and 2.x, callbacks/progress`,
	about:  `the loss is smoothed; a state may carry the loss of the step before`,
	examples: []example{
		{lines: []string{
			`Epoch 0:  22%|██▏       | 4/18 [00:17<01:02,  4.47s/it, loss=9.926, v_num=193315]`,
		}, want: `step=4 epoch=0 loss=9.926`},
	},
}

var lightningCheckpoints = format{
	name:   `Lightning's checkpoints`,
	source: `pytorch-lightning 1.x and 2.x, callbacks/model_checkpoint.py`,
	about:  `what is monitored, where it became better`,
	read:   readCheckpointed,
	examples: []example{
		{lines: []string{
			`Epoch 3, global step 336: 'val_loss' reached 1.95000 (best 1.95000), saving model to '/ckpt/epoch=3-step=336.ckpt' as top 1`,
		}, want: `step=336 epoch=3 eval_loss=1.95`},
	},
}

// readCheckpointed parses what ModelCheckpoint prints about a better model: "Epoch 3, global
// step 336: 'val_loss' reached 1.95000 (best 1.95000), saving model to ...".
func readCheckpointed(p *Parser, l *line) bool {
	text := bytes.TrimLeft(l.text, " ")
	if !bytes.HasPrefix(text, []byte("Epoch ")) {
		return false
	}
	position, rest, _ := bytes.Cut(text, []byte(": "))
	name, value, reached := bytes.Cut(rest, []byte(" reached "))
	if !reached || len(position) > maxName || len(name) > maxName {
		return false
	}
	_, end, ok := readFloat(value, 0)
	if !ok || !bytes.HasPrefix(value[end:], []byte(" (best ")) {
		return false
	}
	p.scratch = append(append(p.scratch[:0], position...), " | "...)
	p.scratch = append(append(p.scratch, bytes.Trim(name, "'")...), " = "...)
	p.scratch = append(p.scratch, value[:end]...)
	pt := p.pairs.read(p.scratch)
	if pt.strength < metric || !pt.positioned() {
		return false
	}
	l.stream.settle(pt)
	p.accept(l, pt)
	return true
}
