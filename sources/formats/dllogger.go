package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var dlLogger = format{
	name:   `DLLogger`,
	source: `NVIDIA/dllogger 1.0`,
	about:  `a tuple of epoch and iteration; an empty one sums up the run`,
	read:   (*Parser).readDLLogger,
	examples: []example{
		{lines: []string{
			`DLL 2021-05-17 08:14:09.125371 - (0, 100) train_loss : 2.3 learning_rate : 0.001`,
		}, want: `step=100 epoch=0 loss=2.3 lr=0.001`},
	},
}

// readDLLogger parses the tuple of a position with which NVIDIA's DLLogger 1.0 begins:
// "DLL 2020-... - (0, 100) train_loss : 2.3" is epoch 0, step 100. An empty tuple is the
// summary of the run.
func (p *Parser) readDLLogger(l *line) bool {
	if !l.prefix.dll {
		return false
	}
	text := l.text
	if bytes.HasPrefix(text, []byte("()")) {
		return true
	}
	if len(text) < 3 || text[0] != '(' || !isDigit(text[1]) {
		return false
	}
	end := bytes.IndexByte(text[:min(len(text), 40)], ')')
	if end < 0 {
		return false
	}
	var numbers []float64
	for _, f := range readFields(text[1:end], nil, false) {
		numbers = append(numbers, f.number)
	}
	pt := p.pairs.read(text[end+1:])
	if len(numbers) == 0 || pt.strength < metric {
		return true
	}
	pt.hasEpoch, pt.epoch = true, numbers[0]
	if len(numbers) > 1 {
		pt.hasStep, pt.step, pt.scope = true, numbers[1], train.ScopeEpoch
	}
	p.accept(l, pt)
	return true
}
