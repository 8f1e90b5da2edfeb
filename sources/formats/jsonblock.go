package formats

import "bytes"

var jsonBlocks = format{
	name:   `JSON over several lines`,
	source: `facebookresearch/Detectron, json.dumps(indent=2)`,
	about:  `a flat object with a key on each line`,
	read:   (*Parser).readBlock,
	examples: []example{
		{lines: []string{
			`{"accuracy_cls": 0.923639,`,
			`  "eta": "1 day, 13:30:44",`,
			`  "iter": 120000,`,
			`  "loss": 0.562384,`,
			`  "lr": 0.010000,`,
			`  "time": 0.562685}`,
		}, want: `step=120000 loss=0.562384 lr=0.01`},
		{lines: []string{
			`{`,
			`  "level": "info",`,
			`  "step": 7,`,
			`  "loss": 2.5,`,
			`  "lr": 0.001`,
			`}`,
		}, want: `step=7 loss=2.5 lr=0.001`},
	},
}

// maxBlock bounds a record of JSON that is printed over several lines.
const maxBlock = 8 << 10

// jsonBlock collects a flat object with one key on each line, as the first Detectron
// and scripts with json.dumps(indent=2) print a record. Nested objects are settings,
// not records.
type jsonBlock struct {
	text []byte
	at   int64 // the line of the position
	open bool
}

// readBlock claims the line that begins an object, and the lines of an open object.
func (p *Parser) readBlock(l *line) bool {
	b := &p.block
	text := bytes.TrimSpace(l.text)
	if len(text) == 0 {
		return b.open
	}
	if !b.open {
		if text[0] != '{' || bytes.IndexByte(text, '}') >= 0 || len(text) > 1 && (!isQuote(text[1]) || text[len(text)-1] != ',') {
			return false
		}
		if len(text) > 1 && text[1] == '\'' && !p.wrappedDict(text) {
			return false
		}
		b.text, b.at, b.open = b.text[:0], l.number, true
		text = text[1:]
	}
	end := bytes.IndexByte(text, '}')
	if end >= 0 {
		text = text[:end]
	}
	if !b.add(text, l.number) {
		b.open = false
		return false
	}
	if end >= 0 {
		b.open = false
		p.closeBlock(l)
	}
	return true
}

// add adds one line, and returns false if the object is no record.
func (b *jsonBlock) add(text []byte, number int64) bool {
	if len(text) == 0 {
		return true
	}
	if !isQuote(text[0]) || len(b.text)+len(text) > maxBlock || bytes.ContainsAny(text, "{[") || hasAny(text, ": true", ": false", ": null") {
		return false
	}
	for _, key := range [...]string{`"iter`, `"step`, `"global_step`, `"epoch`, `"current_step`} {
		if bytes.HasPrefix(text, []byte(key)) {
			b.at = number
			break
		}
	}
	b.text = append(append(b.text, text...), ' ')
	return true
}

// wrappedDict reports whether a line begins a Python dict that was wrapped: it has
// several keys and no position, which comes on a later line.
func (p *Parser) wrappedDict(text []byte) bool {
	pt := p.pairs.read(text)
	return len(p.pairs.fields) > 2 && !pt.positioned() && pt.strength >= rateOnly
}

// isBrace reports whether a line is the one that begins an object.
func isBrace(text []byte) bool { return len(text) == 1 && text[0] == '{' }

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// closeBlock parses the whole object as one line.
func (p *Parser) closeBlock(l *line) {
	pt := p.pairs.read(p.block.text)
	finishDict(pt)
	if pt.strength < metric || !pt.positioned() || summary(p.block.text) {
		return
	}
	record := *l
	record.number = p.block.at
	if pt.strength == metric {
		p.holdBack(&record, pt)
		return
	}
	p.accept(&record, pt)
}
