package formats

import "bytes"

var boxes = format{
	name:   `Boxes`,
	source: `OpenAI baselines, Stable-Baselines3 1.x and 2.x, Spinning Up`,
	about:  `a row for each value; the step stands among them`,
	read:   (*Parser).readBox,
	examples: []example{
		{lines: []string{
			`| rollout/                |             |`,
			`|    ep_rew_mean          | -227        |`,
			`| time/                   |             |`,
			`|    fps                  | 972         |`,
			`|    total_timesteps      | 77824       |`,
			`| train/                  |             |`,
			`|    learning_rate        | 0.001       |`,
			`|    loss                 | 0.245       |`,
			`-----------------------------------------`,
		}, want: `step=77824 loss=0.245 lr=0.001 fps=972`},
	},
}

// maxRows bounds the rows of a box.
const maxRows = 256

// box is one record printed as a table of names and values, as OpenAI's baselines and
// their descendants do. Its step may be in the middle, so it is parsed when it closes.
type box struct {
	rows    []boxRow
	section string
	atLine  line
}

type boxRow struct {
	number int64
	name   string
	value  string
}

// readBox collects rows "| name | value |".
func (p *Parser) readBox(l *line) bool {
	name, value, ok := boxCells(bytes.TrimSpace(l.text))
	b := &p.box
	if !ok || len(b.rows) == 0 && isHead([][]byte{name, value}, &p.pairs.words) {
		p.closeBox()
		return false
	}
	if len(b.rows) == 0 {
		b.atLine = *l
		b.atLine.text, b.atLine.whole = nil, nil
	}
	switch {
	case len(b.rows) >= maxRows || len(name) > 80 || len(value) > 40:
	case len(value) == 0 && len(name) > 1 && name[len(name)-1] == '/':
		b.section = string(name)
	default:
		b.rows = append(b.rows, boxRow{l.number, b.qualified(string(name)), string(value)})
	}
	return true
}

// boxCells returns the cells of the row "| name | value |", or of one between drawn lines,
// whose value has to be a number.
func boxCells(text []byte) (name, value []byte, ok bool) {
	if len(text) < 5 {
		return nil, nil, false
	}
	edge := text[:1]
	if text[0] != '|' {
		if edge = text[:3]; string(edge) != "│" && string(edge) != "┃" && string(edge) != "║" {
			return nil, nil, false
		}
	}
	if !bytes.HasSuffix(text, edge) || bytes.Count(text, edge) != 3 {
		return nil, nil, false
	}
	name, value, _ = bytes.Cut(text[len(edge):len(text)-len(edge)], edge)
	name, value = bytes.TrimSpace(name), bytes.TrimSpace(value)
	if len(name) > 0 && isDigit(name[0]) || recordInCells(name, value) {
		return nil, nil, false // the row of a table, or a record
	}
	if len(edge) > 1 {
		point := withPoint(value)
		if _, end, number := readValue(point, 0); !number || end != len(point) {
			return nil, nil, false
		}
	}
	return name, value, true
}

// recordInCells reports whether two cells are a record of their own: "| Epoch 2 | loss=2.257 |".
func recordInCells(name, value []byte) bool {
	n := len(name)
	return n > 2 && isDigit(name[n-1]) && bytes.IndexByte(name, ' ') > 0 && bytes.ContainsAny(value, "=:") && bytes.ContainsAny(value, "0123456789") && isLetter(value[0])
}

// qualified prefixes a name with its section, as Stable-Baselines3 does in its other
// outputs. Names of its section time/ need no prefix.
func (b *box) qualified(name string) string {
	if b.section == "time/" {
		return name
	}
	return b.section + name
}

// closeBox parses the collected rows.
func (p *Parser) closeBox() {
	b := &p.box
	if len(b.rows) == 0 {
		b.section = ""
		return
	}
	p.scratch = p.scratch[:0]
	for _, row := range b.rows {
		value := withPoint([]byte(row.value))
		if _, end, ok := readValue(value, 0); ok && end == len(value) {
			p.scratch = append(append(append(append(p.scratch, row.name...), " = "...), value...), " | "...)
		}
	}
	pt := p.pairs.read(p.scratch)
	l := b.atLine
	if pt.positioned() && pt.strength >= metric {
		l.number = b.positionLine(p)
		p.accept(&l, pt)
	}
	b.rows, b.section = b.rows[:0], ""
}

// positionLine is the line of the row with the position.
func (b *box) positionLine(p *Parser) int64 {
	at := p.pairs.stepAt
	if at < 0 {
		at = p.pairs.epochAt
	}
	name := p.pairs.fields[at].name.of(p.pairs.text)
	for _, row := range b.rows {
		if row.name == string(name) {
			return row.number
		}
	}
	return b.rows[0].number
}
