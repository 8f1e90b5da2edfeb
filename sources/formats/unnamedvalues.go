package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var unnamedValues = format{
	name:   `Values without names`,
	source: `DARTS and what began with it (train_search.py), PyTorch's tutorials on names and translation`,
	about:  `the place of a value tells what it is`,
	read:   readUnnamedValues,
	examples: []example{
		{lines: []string{
			`2019-03-01 02:10:11,123 epoch 3 lr 2.466e-02`,
			`2019-03-01 02:12:11,123 train 050 1.201e+00 57.031250 94.921875`,
			`2019-03-01 02:14:11,123 valid 000 1.001e+00 62.500000 95.312500`,
		}, want: `step=0 epoch=3 eval_loss=1.001 eval_accuracy=62.5`},
		{lines: []string{
			`1m 5s (- 15m 17s) (5000 6%) 2.8529`,
		}, want: `step=5000 loss=2.8529`},
		{lines: []string{
			`5000 5% (0m 7s) 2.7792 Verma / Scottish ✗ (Japanese)`,
		}, want: `step=5000 loss=2.7792`},
	},
}

// readUnnamedValues parses the lines of some widely copied loops that print values alone.
func readUnnamedValues(p *Parser, l *line) bool {
	const longest = 160
	text := l.text
	if len(text) < len("0m 0s (1 1%) 0.1") || len(text) > longest {
		return false
	}
	switch c := text[0]; {
	case c == 't' && bytes.HasPrefix(text, []byte("train ")), c == 'v' && bytes.HasPrefix(text, []byte("valid ")):
		return readDARTS(p, l)
	case isDigit(c):
		return readTutorial(p, l)
	}
	return false
}

// readDARTS parses "train 050 1.201e+00 57.03 94.92": the batch, the loss and two accuracies.
func readDARTS(p *Parser, l *line) bool {
	const least = 2 // decimals of each value
	cells := bytes.Fields(l.text[len("train "):])
	if len(cells) != 4 || len(cells[0]) < 3 || !digits(cells[0], 0, len(cells[0])) || bytes.IndexByte(cells[1], 'e') < 0 || !numericCells(cells[1:]) {
		return false
	}
	for _, cell := range cells[1:] {
		if point := bytes.IndexByte(cell, '.'); point < 0 || len(cell)-point <= least {
			return false
		}
	}
	pt := &p.pairs.point
	pt.reset()
	pt.strength, pt.separated, pt.hasStep, pt.step = loss, true, true, float64(atoi(cells[0]))
	pt.scope, pt.scopeKnown = train.ScopeEpoch, true
	value, _, _ := readFloat(cells[1], 0)
	share, _, _ := readFloat(cells[2], 0)
	pt.add(train.MetricLoss, value)
	pt.add(train.MetricAccuracy, share)
	if pt.eval = l.text[0] == 'v'; pt.eval {
		pt.evaluate()
	}
	p.accept(l, pt)
	return true
}

// readTutorial parses "1m 5s (- 15m 17s) (5000 6%) 2.8529" and "5000 5% (0m 7s) 2.7792 Verma / Scottish":
// the time, the step with its share, the loss.
func readTutorial(p *Parser, l *line) bool {
	share := bytes.IndexByte(l.text, '%')
	if share < 3 || share+2 >= len(l.text) {
		return false
	}
	blank := bytes.LastIndexByte(l.text[:share], ' ')
	if blank < 1 || !digits(l.text, blank+1, share-blank-1) {
		return false
	}
	first := blank
	for first > 0 && isDigit(l.text[first-1]) {
		first--
	}
	rest := l.text[share+1:]
	switch {
	case first == blank:
		return false
	case first == 0:
		since, after, closed := bytes.Cut(rest, []byte(") "))
		if !closed || !bytes.HasPrefix(since, []byte(" (")) || !minutesAndSeconds(since[2:]) {
			return false
		}
		rest = after
	case l.text[first-1] == '(' && rest[0] == ')' && rest[1] == ' ':
		since, left, estimated := bytes.Cut(bytes.TrimRight(l.text[:first-1], " "), []byte(" (- "))
		if !minutesAndSeconds(since) || estimated && !minutesAndSeconds(bytes.TrimSuffix(left, []byte(")"))) {
			return false
		}
		rest = rest[2:]
	default:
		return false
	}
	value, end, ok := readFloat(rest, 0)
	if !ok || bytes.IndexByte(rest[:end], '.') < 0 || end < len(rest) && rest[end] != ' ' {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.strength, pt.separated, pt.hasStep, pt.step = loss, true, true, float64(atoi(l.text[first:blank]))
	pt.scope, pt.scopeKnown = train.ScopeRun, true
	pt.add(train.MetricLoss, value)
	p.accept(l, pt)
	return true
}

// minutesAndSeconds reports whether a text is a time as "15m 17s".
func minutesAndSeconds(text []byte) bool {
	minutes, seconds, found := bytes.Cut(text, []byte("m "))
	seconds, ends := bytes.CutSuffix(seconds, []byte("s"))
	return found && ends && len(minutes) > 0 && digits(minutes, 0, len(minutes)) && len(seconds) > 0 && len(bytes.Trim(seconds, "0123456789.")) == 0
}
