package formats

import "bytes"

var jsonBlocks = format{
	name:   `JSON over several lines`,
	source: `facebookresearch/Detectron, json.dumps(indent=2)`,
	about:  `an object with a key on each line`,
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
		{lines: []string{
			`{`,
			`  "epoch": 2,`,
			`  "train": {`,
			`    "loss": 2.14`,
			`  },`,
			`  "val": {`,
			`    "loss": 2.4`,
			`  }`,
			`}`,
		}, want: `epoch=2 loss=2.14 eval_loss=2.4`},
		{lines: []string{
			`{'epoch': 2.0,`,
			` 'eval_accuracy': 0.93,`,
			` 'eval_loss': 0.29}`,
		}, want: `epoch=2 eval_loss=0.29`},
	},
}

// maxBlock bounds a record of JSON that is printed over several lines.
const maxBlock = 8 << 10

// jsonBlock collects an object with one key on each line, as the first Detectron and
// scripts with json.dumps(indent=2) or pprint print a record. Nested objects are settings,
// unless their keys show that they hold measurements.
type jsonBlock struct {
	text  []byte
	first line  // that begins it, without its text
	at    int64 // the line of the position
	depth int   // of open braces, 0 for no object
}

func (b *jsonBlock) open() bool { return b.depth > 0 }

// readBlock claims the line that begins an object, and the lines of an open object.
func (p *Parser) readBlock(l *line) bool {
	b := &p.block
	text := bytes.TrimSpace(l.text)
	if len(text) == 0 {
		return b.open()
	}
	if !b.open() {
		if text[0] != '{' || bytes.IndexByte(text, '}') >= 0 || len(text) > 1 && (!isQuote(text[1]) || text[len(text)-1] != ',') {
			return false
		}
		if len(text) > 1 && text[1] == '\'' && !wrappedDict(p, text) {
			return false
		}
		b.text, b.first, b.at = b.text[:0], *l, l.number
		b.first.text, b.first.whole = nil, nil // they change with the next line
	}
	if !b.add(text, l.number) {
		dropBlock(p)
		return false
	}
	if !b.open() {
		p.closeBlock(l)
	}
	return true
}

// add adds one line up to the end of the object, and returns false if it is no record.
func (b *jsonBlock) add(text []byte, number int64) bool {
	if !isQuote(text[0]) && (b.open() || text[0] != '{') && text[0] != '}' || len(b.text)+len(text) > maxBlock || bytes.IndexByte(text, '[') >= 0 || hasAny(text, ": true", ": false", ": null", ": True", ": False", ": None") {
		return false
	}
	for _, key := range [...]string{`"iter`, `"step`, `"global_step`, `"epoch`, `"current_step`} {
		if bytes.HasPrefix(text, []byte(key)) {
			b.at = number
			break
		}
	}
	for i, c := range text {
		switch c {
		case '{':
			if b.depth > 0 && !measuredKey(text[:i]) {
				return false
			}
			b.depth++
		case '}':
			if b.depth--; b.depth == 0 {
				text = text[:i+1]
			}
		}
		if b.depth == 0 {
			break
		}
	}
	b.text = append(append(b.text, text...), ' ')
	return true
}

// measuredKey reports whether the key before a nested object states that it holds
// measurements: `"train": {`, `"val_metrics": {`.
func measuredKey(before []byte) bool {
	before, colon := bytes.CutSuffix(bytes.TrimRight(before, " "), []byte(":"))
	if n := len(before); !colon || n < 2 || !isQuote(before[n-1]) {
		return false
	} else {
		before = before[:n-1]
	}
	key := before[bytes.LastIndexAny(before, `"'`)+1:]
	for len(key) > 0 {
		end := bytes.IndexAny(key, "_-/ ")
		if end < 0 {
			end = len(key)
		}
		if !measuredWords[string(bytes.ToLower(key[:end]))] {
			return false
		}
		key = key[min(end+1, len(key)):]
	}
	return true
}

var measuredWords = map[string]bool{
	"train": true, "training": true, "val": true, "valid": true, "validation": true, "eval": true, "evaluation": true,
	"test": true, "testing": true, "dev": true, "metrics": true, "losses": true, "results": true, "scores": true, "stats": true,
}

// wrappedDict reports whether a line begins a Python dict that was wrapped: it has
// several keys and no position, which comes on a later line, or one key alone, as pprint
// writes it.
func wrappedDict(p *Parser, text []byte) bool {
	pt := p.pairs.read(text)
	if n := len(p.pairs.fields); n <= 2 {
		return n == 1 && bytes.Count(text, []byte{','}) == 1
	}
	return !pt.positioned() && pt.strength >= rateOnly
}

// dropBlock reads what was taken of a dict that another line or the end of the log cuts off,
// if it measures.
func dropBlock(p *Parser) {
	b := &p.block
	taken := b.open() && len(b.text) > 1 && b.text[1] == '\''
	b.depth = 0
	if !taken || p.pairs.read(b.text).strength < metric {
		return
	}
	l := b.first
	l.text, l.whole = b.text, b.text
	p.general(&l)
}

// isBrace reports whether a line is the one that begins an object.
func isBrace(text []byte) bool { return len(text) == 1 && text[0] == '{' }

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// closeBlock parses the whole object as one line.
func (p *Parser) closeBlock(l *line) {
	pt := p.pairs.read(p.block.text)
	finishDict(pt)
	if pt.strength < metric || summary(p.block.text) {
		return
	}
	record := *l
	record.number = p.block.at
	if !pt.positioned() {
		placeBlock(p, &record, pt)
		return
	}
	if pt.strength == metric {
		p.holdBack(&record, pt)
		return
	}
	p.accept(&record, pt)
}

// placeBlock gives an object the position of the line above it, "Epoch 3:". Other objects
// without a position are settings.
func placeBlock(p *Parser, l *line, pt *point) {
	const reach = 2
	if p.block.first.number-max(l.stream.header, l.stream.locatedAt) > reach {
		return
	}
	l.text = p.block.text
	p.judgeRecord(l, pt)
}
