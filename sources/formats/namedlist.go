package formats

import "bytes"

var namedLists = format{
	name:   `Lists behind their names`,
	source: `scripts written by hand, kGCN`,
	about:  `names between commas, an arrow or a colon, as many values`,
	read:   (*Parser).readNamedList,
	examples: []example{
		{lines: []string{
			`val, round, loss, acc, auc ===> 002, 0.88136, 0.54241, 0.55131`,
		}, want: `step=2 eval_loss=0.88136`},
	},
}

// readNamedList parses "epoch, loss, acc ===> 3, 0.71, 0.53": as many names as
// values. A name more in front says where it was measured.
func (p *Parser) readNamedList(l *line) bool {
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

// splitNamedList separates the names of a line from the values behind the arrow.
func splitNamedList(text []byte) (names, values [][]byte, found bool) {
	const longest, least = 400, 3
	if len(text) > longest {
		return nil, nil, false
	}
	arrow := bytes.Index(text, []byte("=> "))
	if arrow < 0 {
		arrow = bytes.Index(text, []byte("-> "))
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
