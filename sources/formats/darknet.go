package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var darknet = format{
	name:   `Darknet`,
	source: `pjreddie/darknet and AlexeyAB/darknet, examples/detector.c`,
	about:  `values first, their names behind them`,
	read:   (*Parser).readDarknet,
	examples: []example{
		{lines: []string{
			`15: 825.548706, 680.210022 avg, 0.000000 rate, 10.086429 seconds, 960 images`,
		}, want: `step=15 loss=825.548706 lr=0 step_time_s=10.086429`},
		{lines: []string{
			` 11650: 48.986256, 48.644478 avg loss, 0.005220 rate, 11.557267 seconds, 1491200 images, 978.636895 hours left`,
		}, want: `step=11650 loss=48.986256 lr=0.00522`},
	},
}

// readDarknet parses "15: 825.548706, 680.210022 avg, 0.000000 rate, 10.086429
// seconds, 960 images" (pjreddie/darknet and AlexeyAB/darknet, examples/detector.c):
// each value precedes its name.
func (p *Parser) readDarknet(l *line) bool {
	text := l.whole
	if bytes.HasPrefix(l.text, []byte("v3 (")) || bytes.HasPrefix(l.text, []byte("Region ")) && bytes.Contains(l.text, []byte(" Avg ")) {
		return true // one layer of one part of a batch
	}
	rate := indexBy(text, " rate, ", len(" rate"))
	if rate < 0 || !bytes.Contains(text[rate:], []byte(" seconds, ")) || !bytes.Contains(text[:rate], []byte(" avg")) {
		return false
	}
	colon := bytes.IndexByte(text[:rate], ':')
	for next := colon; next >= 0; colon += next { // the last one: other text may precede it
		next = bytes.IndexByte(text[colon+1:rate], ':') + 1
		if next == 0 {
			break
		}
	}
	if colon < 1 || !isDigit(text[colon-1]) {
		return false
	}
	start := colon
	for start > 0 && isDigit(text[start-1]) {
		start--
	}
	fields := readFields(text[colon+1:], p.pairs.fields[:0], false)
	p.pairs.fields = fields
	if len(fields) < 4 {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown, pt.strength = true, float64(atoi(text[start:colon])), train.ScopeRun, true, loss
	pt.add(train.MetricLoss, fields[0].number)
	pt.add("loss_avg", fields[1].number)
	pt.add(train.MetricLR, fields[2].number)
	pt.add(train.MetricStepTime, fields[3].number)
	l.prefix = prefix{rank: -1, stream: -1}
	l.stream = p.streamOf(-1)
	p.accept(l, pt)
	return true
}
