package formats

import (
	"bytes"
	"math"

	"github.com/traintop/traintop/train"
)

var vits = format{
	name:   `VITS and RVC`,
	source: `jaywalnut310/vits and RVC-Project/Retrieval-based-Voice-Conversion-WebUI, train.py`,
	about:  `below the epoch stands a list that ends with the step of the run and the learning rate`,
	examples: []example{
		{lines: []string{
			`INFO:ljs_base:Train Epoch: 2 [39%]`,
			`INFO:ljs_base:[3200, 9.976276699833672e-05]`,
			`INFO:ljs_base:loss_disc=3.519, loss_gen=3.646, loss_fm=11.745,loss_mel=26.872, loss_kl=1.892`,
		}, want: `step=3200 epoch=2 loss_mel=26.872 lr=9.976276699833672e-05`},
		{lines: []string{
			`INFO:ljs_base:Train Epoch: 2 [39%]`,
			`INFO:ljs_base:[2.5536, 2.1034, 4.6911, 18.9024, 200, 0.0002]`,
		}, want: `step=200 epoch=2 lr=0.0002`},
	},
}

// vitsHeader recognises "Train Epoch: 2 [39%]", the line above the list.
func vitsHeader(text []byte) bool {
	return bytes.HasPrefix(text, []byte("Train Epoch: ")) && bytes.HasSuffix(text, []byte("%]"))
}

// vitsPosition claims "[2.55, 2.1, 18.0, 200, 0.0002]" right below it: losses without
// names, then the step and the learning rate.
func (p *Parser) vitsPosition(l *line, pt *point) bool {
	fields, s := p.pairs.fields, l.stream
	n := len(fields)
	if n < 2 || !s.vits || l.number != s.header+1 || l.text[0] != '[' || l.text[len(l.text)-1] != ']' {
		return false
	}
	step, rate := fields[n-2].number, fields[n-1].number
	if step < 0 || step != math.Trunc(step) || rate <= 0 || rate >= 1 {
		return false
	}
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown, pt.hasEpoch = true, step, train.ScopeRun, true, false
	pt.metrics, pt.strength = append(pt.metrics[:0], train.Metric{Name: train.MetricLR, Value: rate}), rateOnly
	if n > 2 {
		p.accept(l, pt)
		return true
	}
	s.locate(pt)
	s.header, s.pendingRate = l.number, rate // RVC prints the losses with names on the next line
	return true
}
