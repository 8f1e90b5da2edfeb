package formats

import "bytes"

var namedLists = format{
	name:   `Lists behind their names`,
	source: `scripts written by hand, kGCN, @show of Julia`,
	about:  `names between commas, an arrow or a colon, as many values`,
	read:   (*Parser).readNamedList,
	examples: []example{
		{lines: []string{
			`val, round, loss, acc, auc ===> 002, 0.88136, 0.54241, 0.55131`,
		}, want: `step=2 eval_loss=0.88136`},
		{lines: []string{
			`(i, loss(dataset[1]...)) = (2, 0.29602579662457984 (tracked))`,
		}, want: `step=2 loss=0.29602579662457984`},
	},
}

// readNamedList parses "epoch, loss, acc ===> 3, 0.71, 0.53": as many names as
// values. A name more in front shows where it was measured.
func (p *Parser) readNamedList(l *line) bool {
	if bytes.HasPrefix(l.text, []byte("(:")) {
		return p.readSymbols(l)
	}
	names, values, found := splitNamedList(l.text)
	if !found {
		return false
	}
	p.scratch = p.scratch[:0]
	if extra := len(names) - len(values); extra > 0 {
		p.scratch = append(append(p.scratch, names[0]...), ": "...)
		names = names[extra:]
	}
	for i, name := range names {
		p.scratch = append(append(append(append(p.scratch, name...), " = "...), values[i]...), " | "...)
	}
	pt := p.pairs.read(p.scratch)
	if !pt.positioned() || pt.strength < loss {
		return false
	}
	p.accept(l, pt)
	return true
}

var symbolTuples = format{
	name:   `Tuples of symbols`,
	source: `Julia: the examples of Knet 1`,
	about:  `each name is a symbol, and the next item its value`,
	examples: []example{
		{lines: []string{
			`(:epoch, 1, :loss, 0.5937f0, :acc, 0.8125)`,
		}, want: `epoch=1 loss=0.5937`},
	},
}

// readSymbols parses "(:epoch, 1, :loss, 0.5f0)" as names with their values.
func (p *Parser) readSymbols(l *line) bool {
	const longest = 400
	if len(l.text) > longest || l.text[len(l.text)-1] != ')' {
		return false
	}
	cells := commaCells(l.text[1 : len(l.text)-1])
	if len(cells) == 0 || len(cells)%2 != 0 {
		return false
	}
	p.scratch = p.scratch[:0]
	for i := 0; i < len(cells); i += 2 {
		name := cells[i]
		if len(name) < 2 || name[0] != ':' || !isLetter(name[1]) || !numericCells(cells[i+1:i+2]) {
			return false
		}
		p.scratch = append(append(append(append(p.scratch, name[1:]...), " = "...), cells[i+1]...), ", "...)
	}
	l.text = p.scratch
	p.general(l)
	return true
}

// splitTuples separates "(i, loss(x, y)) = (3, 0.71)", which @show of Julia prints: as many names as
// values. Of a call the name counts, and of a value the number.
func splitTuples(text []byte) (names, values [][]byte, found bool) {
	if len(text) == 0 || text[0] != '(' || text[len(text)-1] != ')' {
		return nil, nil, false
	}
	at := bytes.Index(text, []byte(") = ("))
	if at < 0 {
		return nil, nil, false
	}
	names, values = topCells(text[1:at]), topCells(text[at+len(") = ("):len(text)-1])
	if len(names) != len(values) || len(names) < 2 {
		return nil, nil, false
	}
	for i := range names {
		if open := bytes.IndexByte(names[i], '('); open > 0 && names[i][len(names[i])-1] == ')' {
			names[i] = names[i][:open]
		}
		if blank := bytes.IndexByte(values[i], ' '); blank > 0 {
			values[i] = values[i][:blank] // "0.29 (tracked)"
		}
		if len(names[i]) == 0 || len(names[i]) > 40 || !isLetter(names[i][0]) {
			return nil, nil, false
		}
	}
	return names, values, numericCells(values)
}

// topCells splits a text at the commas that are in no brackets.
func topCells(text []byte) (cells [][]byte) {
	for depth, from, i := 0, 0, 0; i <= len(text); i++ {
		switch {
		case i == len(text), text[i] == ',' && depth == 0:
			cells = append(cells, bytes.TrimSpace(text[from:i]))
			from = i + 1
		case text[i] == '(', text[i] == '[', text[i] == '{':
			depth++
		case text[i] == ')', text[i] == ']', text[i] == '}':
			depth--
		}
	}
	return cells
}

// splitNamedList separates the names of a line from the values behind the arrow.
func splitNamedList(text []byte) (names, values [][]byte, found bool) {
	const longest, least = 400, 3
	if len(text) > longest {
		return nil, nil, false
	}
	if names, values, found = splitTuples(text); found {
		return names, values, true
	}
	arrow := indexBy(text, "=> ", len("="))
	if arrow < 0 {
		arrow = indexBy(text, "-> ", len("-"))
	}
	if arrow < 0 {
		return nil, nil, false
	}
	names = commaCells(bytes.TrimRight(text[:arrow], "=- "))
	values = commaCells(bytes.TrimRight(text[arrow+len("=> "):], ", "))
	if len(values) < least || len(names) != len(values) && len(names) != len(values)+1 || !numericCells(values) {
		return nil, nil, false
	}
	for _, name := range names {
		if len(name) == 0 || len(name) > 40 || bytes.ContainsAny(name, "0123456789=:") {
			return nil, nil, false
		}
	}
	return names, values, true
}
