package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var belowHeadings = format{
	name:   `Losses below a heading`,
	source: `scripts written by hand`,
	about:  `a position and its loss on each line, where only the line above all of them says of what they are`,
	read:   readBelowHeading,
	examples: []example{
		{lines: []string{
			`Training loss per epoch:`,
			`1: 0.9312`,
			`2: 0.8121`,
			`3: 0.7014`,
		}, want: `epoch=3 loss=0.7014`},
		{lines: []string{
			`step : val loss`,
			`100 : 2.31`,
			`200 : 2.11`,
			`300 : 1.97`,
		}, want: `step=300 eval_loss=1.97`},
		{lines: []string{
			`### Training Loss (por época)`,
			`Época  0: +29.87  (baseline)`,
			`Época 10: -56.86`,
			`Época 20: -90.63`,
		}, want: `epoch=20 loss=-90.63`},
		{lines: []string{
			`Loss trajectory:`,
			`- Iter 0: 4.4195 (8 bands)`,
			`- Iter 100: 3.1300 (24 bands)`,
			`- Iter 250: 2.5464 (96 bands)`,
		}, want: `step=250 loss=2.5464`},
	},
}

// leastBelow is after how many rows, whose positions grow by steady steps, it is proven that
// they are measurements: a list of percentiles or of classes has other numbers, or fewer.
const leastBelow = 3

// belowHeading is a heading, and the rows below it.
type belowHeading struct {
	open   bool
	epochs bool // the positions are epochs
	eval   bool
	rows   int
	last   float64 // position
	step   float64 // between positions
	held   [leastBelow - 1]positionedLoss
}

// positionedLoss is a row below a heading.
type positionedLoss struct {
	line            line
	position, value float64
}

// headingLinks are words of a heading that state how its rows are ordered.
var headingLinks = map[string]bool{
	"per": true, "por": true, "par": true, "pro": true, "je": true, "за": true, "по": true, "by": true, "at": true, "each": true, "every": true, "for": true, "of": true, "the": true, "in": true,
	"over": true, "vs": true, "and": true, "history": true, "curve": true, "trajectory": true, "progression": true, "progress": true, "values": true, "log": true, "after": true,
}

// head recognises a heading: words that name a loss and nothing else that is measured,
// with a colon or the name of a position.
func (b *belowHeading) head(l *line, words *wordList) {
	const longest, most = 60, 7
	text := l.text
	b.open = false
	if len(text) > longest || l.prefix.numbered || !containsFold(text, "loss") { // srun writes its numbers before all lines
		return
	}
	positioned, epochs := false, false
	name, count := make([]byte, 0, longest), 0
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && !isLetter(byte(r)) && r != '_' }) {
		if count++; count > most {
			return
		}
		if headingLinks[string(bytes.ToLower(word))] {
			continue
		}
		if class := classifyList(word, words).class; class == classStep || class == classEpoch {
			positioned, epochs = true, epochs || class == classEpoch
			continue
		}
		name = append(append(name, ' '), word...)
	}
	colon := bytes.IndexByte(text, ':') >= 0
	k := classify(bytes.TrimSpace(name), words)
	if k.class != classLoss && k.class != classEvalLoss || !colon && !positioned || bytes.ContainsAny(text, "{}[]\"'") || bytes.IndexByte(text, '(') >= 0 && !positioned {
		return
	}
	*b = belowHeading{open: true, epochs: epochs, eval: k.class == classEvalLoss}
}

// readBelowHeading parses "17: 0.3421" below a heading. The first rows wait for the one that
// proves them.
func readBelowHeading(p *Parser, l *line) bool {
	b := &p.below
	if !b.open {
		return false
	}
	position, value, ok := headedRow(l)
	rest, word := behindPosition(withoutBullet(l.text))
	named := word != 0
	if !ok && b.rows > 0 && named && isDigit(rest[0]) {
		return false // a row of something else: "Iter 300: val_loss 2.71"
	}
	if !ok {
		b.open = !bytes.ContainsFunc(l.text, func(r rune) bool { return r >= '0' && r <= '9' || r >= 0x80 || isLetter(byte(r)) })
		return false
	}
	grown := position - b.last
	switch {
	case b.rows > 0 && grown <= 0, b.rows == leastBelow-1 && grown != b.step && !named:
		b.open = false
		return false
	}
	if b.rows > 0 {
		b.step = grown
	}
	b.last, b.epochs = position, b.epochs || word&isEpochWord != 0
	l.prefix.stream, l.prefix.rank = -1, -1
	l.stream = p.streamOf(-1)
	if b.rows < leastBelow-1 {
		held := &b.held[b.rows]
		held.line, held.position, held.value = *l, position, value
		held.line.text, held.line.whole = nil, nil // they change with the next line
		b.rows++
		return true
	}
	if b.rows == leastBelow-1 {
		for i := range b.held {
			acceptHeaded(p, &b.held[i].line, b.held[i].position, b.held[i].value)
		}
		b.rows++
	}
	acceptHeaded(p, l, position, value)
	return true
}

func acceptHeaded(p *Parser, l *line, position, value float64) {
	pt := &p.pairs.point
	pt.reset()
	pt.strength, pt.separated, pt.eval = loss, true, p.below.eval
	if p.below.epochs {
		pt.hasEpoch, pt.epoch = true, position
	} else {
		pt.hasStep, pt.step = true, position
	}
	name := train.MetricLoss
	if p.below.eval {
		name = train.MetricEvalLoss
	}
	pt.add(name, value)
	p.accept(l, pt)
}

// withoutBullet removes the mark of a list from the beginning of a row.
func withoutBullet(text []byte) []byte {
	for _, bullet := range [...]string{"- ", "* ", "• "} {
		if rest, found := bytes.CutPrefix(text, []byte(bullet)); found {
			return rest
		}
	}
	return text
}

// behindPosition removes the word for an epoch or a step from the beginning of a row, and returns what
// the word means, 0 for none.
func behindPosition(text []byte) (rest []byte, said traits) {
	const longest = 20
	word := 0
	for word < len(text) && word < longest && (isLetter(text[word]) || text[word] >= 0x80) {
		word++
	}
	if word == 0 || word == len(text) || text[word] != ' ' {
		return text, 0
	}
	rest = bytes.TrimLeft(text[word:], " ")
	said = words[string(bytes.ToLower(text[:word]))] & (isPosition | isEpochWord)
	if said == 0 || len(rest) == 0 {
		return text, 0
	}
	return rest, said
}

// headedRow parses a whole number and a number with decimals: "17: 0.3421", whose first part
// is taken for the number of a task, and "17 : 0.3421".
func headedRow(l *line) (position, value float64, ok bool) {
	rest, _ := behindPosition(withoutBullet(l.text))
	if l.prefix.numbered {
		position = float64(l.prefix.stream)
	} else {
		end := 0
		for end < len(rest) && end < 9 && isDigit(rest[end]) {
			end++
		}
		if end == 0 {
			return 0, 0, false
		}
		position = float64(atoi(rest[:end]))
		joint := bytes.TrimLeft(rest[end:], " \t")
		rest = bytes.TrimPrefix(bytes.TrimPrefix(bytes.TrimPrefix(joint, []byte(":")), []byte("->")), []byte("=>"))
		if len(rest) == len(joint) {
			return 0, 0, false
		}
	}
	rest = bytes.TrimSpace(rest)
	if open := bytes.IndexByte(rest, '('); open > 1 && rest[open-1] == ' ' && rest[len(rest)-1] == ')' { // "0.31 (best)"
		rest = bytes.TrimSpace(rest[:open])
	}
	rest = bytes.TrimPrefix(rest, []byte("+"))
	v, end, numeric := readValue(rest, 0)
	if !numeric || end != len(rest) || v.fraction || v.clock || v.unit != unitNone || isDigit(rest[0]) && !bytes.ContainsAny(rest, ".eE") {
		return 0, 0, false
	}
	return position, v.number, true
}
