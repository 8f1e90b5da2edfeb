package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var flower = format{
	name:   `Flower`,
	source: `flwrlabs/flower 0.17 to 1.x, server.py`,
	about:  `round, loss of the evaluation on the server, and its metrics in a tuple`,
	read:   (*Parser).readFlower,
	examples: []example{
		{lines: []string{
			`INFO flower 2022-01-06 09:21:15,045 | server.py:148 | fit progress: (4, 2.347806453704834, {'accuracy': 0.14}, 307.96)`,
		}, want: `step=4 eval_loss=2.347806453704834`},
		{lines: []string{
			`INFO :      fit progress: (1, 0.0512, {}, 12.5)`,
		}, want: `step=1 eval_loss=0.0512`},
	},
}

// readFlower parses "fit progress: (ROUND, LOSS, {METRICS}, SECONDS)".
func (p *Parser) readFlower(l *line) bool {
	_, tuple, found := bytes.Cut(l.text, []byte("fit progress: ("))
	if !found {
		return false
	}
	round, at, numeric := readFloat(tuple, 0)
	if !numeric || !bytes.HasPrefix(tuple[at:], []byte(", ")) {
		return false
	}
	lost, end, numeric := readValue(tuple, at+2)
	metrics := tuple[end:]
	if closing := bytes.IndexByte(metrics, '}'); closing >= 0 {
		metrics = metrics[:closing]
	}
	if !numeric || !bytes.HasPrefix(metrics, []byte(", {")) {
		return false
	}
	pt := p.pairs.read(metrics[len(", {"):])
	pt.evaluate()
	pt.add(train.MetricEvalLoss, lost.number)
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown, pt.hasEpoch = true, round, train.ScopeRun, true, false
	pt.strength = loss
	p.accept(l, pt)
	return true
}
