package formats

import (
	"bytes"
	"slices"

	"github.com/traintop/traintop/train"
)

var catBoost = format{
	name:   `CatBoost`,
	source: `CatBoost 0.6 to 1.2`,
	about:  `the number of the tree, then values and times`,
	read:   (*Parser).readCatBoost,
	examples: []example{
		{lines: []string{
			"9:\tlearn: 56.5655942\ttotal: 5.7ms\tremaining: 51.3ms",
		}, want: `step=9 learn=56.5655942`},
		{lines: []string{
			"100:\tlearn: 0.1697219\ttest: 0.1530068\tbest: 0.1530068 (100)\ttotal: 3.7s\tremaining: 33s",
		}, want: `step=100 learn=0.1697219 test=0.1530068`},
		{lines: []string{
			"2:      learn 0.5421632176passed: 17 sec        total: 3m 47s   remaining: 1h 24m 42s",
		}, want: `step=2 learn=0.5421632176`},
	},
}

// readCatBoost parses "100:	learn: 0.169	test: 0.153	best: 0.153 (100)
// total: 3.7s	remaining: 33s" (CatBoost 0.6 to 1.2): the number of the tree,
// then values and times.
func (p *Parser) readCatBoost(l *line) bool {
	text := bytes.TrimLeft(l.whole, " ")
	end := 0
	for end < len(text) && end < 9 && isDigit(text[end]) {
		end++
	}
	if end == 0 || end+1 >= len(text) || text[end] != ':' || !isBlank(text[end+1]) {
		return false
	}
	rest := trimBlanks(text[end+1:])
	if passed := bytes.Index(rest, []byte("passed: ")); passed > 0 && bytes.HasPrefix(rest, []byte("learn ")) {
		rest = rest[:passed] // of CatBoost 0.6
	} else if !bytes.HasPrefix(rest, []byte("learn:")) && !bytes.HasPrefix(rest, []byte("test:")) {
		return false
	}
	step := float64(atoi(text[:end]))
	l.prefix = prefix{rank: -1, stream: -1}
	l.stream = p.streamOf(-1)
	pt := p.pairs.read(rest)
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown = true, step, train.ScopeRun, true
	pt.metrics = slices.DeleteFunc(pt.metrics, func(m train.Metric) bool { return m.Name == "total" || m.Name == "passed" || m.Name == "best" })
	p.accept(l, pt)
	return true
}
