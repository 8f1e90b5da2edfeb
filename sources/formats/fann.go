package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var fann = format{
	name:   `FANN`,
	source: `libfann/fann 2.x, src/fann_train_data.c`,
	about:  `the number of epochs so far ends with a full stop; the mean squared error is the loss`,
	read:   readFANN,
	examples: []example{
		{lines: []string{
			`Max epochs       50. Desired error: 0.0049999999.`,
			`Epochs           10. Current error: 0.2792019081. Bit fail 60.`,
		}, want: `epoch=10 loss=0.2792019081`},
	},
}

// readFANN parses "Epochs           10. Current error: 0.2792019081. Bit fail 60."
func readFANN(p *Parser, l *line) bool {
	rest, named := bytes.CutPrefix(bytes.TrimLeft(l.text, " "), []byte("Epochs "))
	if !named {
		return false
	}
	rest = bytes.TrimLeft(rest, " ")
	count, behind, found := bytes.Cut(rest, []byte(". Current error: "))
	const longest = 12
	if !found || len(count) == 0 || len(count) > longest || !digits(count, 0, len(count)) {
		return false
	}
	value, _, ok := readFloat(behind, 0)
	if !ok {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.hasEpoch, pt.epoch, pt.strength = true, float64(atoi(count)), loss
	pt.add(train.MetricLoss, value)
	p.accept(l, pt)
	return true
}
