package formats

import "bytes"

// decimalComma detects whether a log writes decimals with a comma, as programs do under
// such a locale: "loss: 2,49". It checks losses, since they have decimals in every log.
// If a line's comma is ambiguous, the loss is left out rather than misread.
type decimalComma struct {
	commas, points bool // losses were written this way
	left           bool // the loss of the newest line was left out
	line           []byte
}

// unreadable replaces each character of an ambiguous loss, so that no part of it is
// read as a number, or as a part of the next name.
const unreadable = '?'

// apply returns a line with its decimal commas replaced by points. It returns text
// itself if nothing changes.
func (d *decimalComma) apply(text []byte) []byte {
	d.left = false
	if d.points && !gluedComma(text) {
		return text
	}
	n, found := lossNumber(text)
	switch {
	case !found && !d.points && gluedComma(text) && !hasPoint(text) && writesLongDecimal(text):
		d.commas = true
	case !found:
		return text
	case n.grouped > 0:
		return d.applyGrouped(text, n)
	case n.group && n.comma && !d.points && !hasPoint(text) && writesDecimalComma(text):
		d.commas = true
	case !n.comma, n.group && d.points && !d.commas:
		d.points = d.points || n.point
		return text
	}
	if open := n.group && !d.commas; open || d.points || hasPoint(text) {
		return d.leaveOut(text, n.at)
	}
	d.commas = true
	d.rewrite(text)
	return d.line
}

// applyGrouped handles a loss whose thousands are separated by points: "1.234,5". A log
// that writes decimals with a point has a list there, and 5 is its next item; where
// nothing shows how the log writes them, the loss is left out. Two groups show it.
func (d *decimalComma) applyGrouped(text []byte, n written) []byte {
	switch d.commas = d.commas || n.grouped > 1 && !d.points; {
	case d.commas && !d.points:
		d.rewrite(text)
	case d.points && !d.commas:
		return text
	default:
		return d.leaveOut(text, n.at)
	}
	return d.line
}

// leaveOut returns a line without the number that has a comma at an offset.
func (d *decimalComma) leaveOut(text []byte, comma int) []byte {
	d.left, d.line = true, append(d.line[:0], text...)
	isPart := func(i int) bool { return isDigit(text[i]) || text[i] == '.' || text[i] == ',' }
	first, last := comma, comma
	for first > 0 && isPart(first-1) {
		first--
	}
	for last+1 < len(text) && isPart(last+1) {
		last++
	}
	for ; !isDigit(text[last]); last-- { // the end of a sentence, or of an item
	}
	for i := first; i <= last; i++ {
		d.line[i] = unreadable
	}
	return d.line
}

// rewrite copies a line with its decimal commas replaced by points, and without the
// points between thousands in front of them.
func (d *decimalComma) rewrite(text []byte) {
	d.line = d.line[:0]
	for i, c := range text {
		switch {
		case c == ',' && isDecimalComma(text, i) && !groupsCount(text, i):
			c = '.'
		case c == ',' && pointGroups(text, i) > 0:
			start := len(d.line)
			for start > 0 && (isDigit(d.line[start-1]) || d.line[start-1] == '.') {
				start--
			}
			kept := start
			for _, digit := range d.line[start:] {
				if digit != '.' {
					d.line[kept] = digit
					kept++
				}
			}
			d.line, c = d.line[:kept], '.'
		}
		d.line = append(d.line, c)
	}
}

// pointGroups counts the groups of three digits, each behind a point, that end at a comma
// with digits behind it: "1.234,5". It is 0 where that may be a list.
func pointGroups(text []byte, comma int) (groups int) {
	last := comma + 1
	for last < len(text) && isDigit(text[last]) {
		last++
	}
	if last == comma+1 || last+1 < len(text) && (text[last] == ',' || text[last] == '.') && isDigit(text[last+1]) {
		return 0
	}
	const size = 4 // of a group with its point
	i := comma
	for i > size && text[i-size] == '.' && digits(text, i-size+1, size-1) && isDigit(text[i-size-1]) {
		i -= size
		groups++
	}
	first := i
	for first > 0 && isDigit(text[first-1]) {
		first--
	}
	if i-first > 3 || text[first] == '0' || first > 0 && (isWordByte(text[first-1]) || text[first-1] == '.' || text[first-1] == ',' || text[first-1] == ':' && first > 1 && isDigit(text[first-2])) {
		return 0
	}
	return groups
}

var lossWord, lossCapital = []byte("oss"), []byte("OSS")

// written describes how a line writes its first loss.
type written struct {
	at    int  // the offset of its comma
	comma bool // it has a comma and digits
	point bool // it has a point and digits
	group bool // the comma may also separate thousands
	// grouped is how many points separate thousands in front of the comma.
	grouped int
}

// lossNumber finds the first number of a line after the word loss.
func lossNumber(text []byte) (n written, found bool) {
	for from := 0; ; {
		at := bytes.Index(text[from:], lossWord)
		if capital := bytes.Index(text[from:], lossCapital); at < 0 || capital >= 0 && capital < at {
			at = capital
		}
		if at < 0 {
			return n, false
		}
		from += at + len(lossWord)
		i := from
		for i < len(text) && (bytes.IndexByte([]byte(" \t:=\"'+->[(<~*`"), text[i]) >= 0 || text[i] >= 0x80) { // an arrow too
			i++
		}
		if i > from && i < len(text) && isDigit(text[i]) {
			return writtenAs(text, i), true
		}
	}
}

// writtenAs analyses the number that begins at text[start].
func writtenAs(text []byte, start int) (n written) {
	i := start
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	if i+1 >= len(text) || !isDigit(text[i+1]) {
		return n
	}
	switch text[i] {
	case '.':
		comma := i
		for comma < len(text) && (isDigit(text[comma]) || text[comma] == '.') {
			comma++
		}
		if comma < len(text) && text[comma] == ',' {
			n.grouped = pointGroups(text, comma)
		}
		n.at, n.comma, n.point = comma, n.grouped > 0, n.grouped == 0
	case ',':
		n.at, n.comma = i, isDecimalComma(text, i)
		n.group = groupFollows(text, i) && i-start <= 3 && text[start] != '0'
		if end := i + 4; n.group && end+1 < len(text) && text[end] == '.' && isDigit(text[end+1]) {
			n.comma, n.point = false, true // 1,234.5
		}
	}
	return n
}

// writesDecimalComma reports whether a value of a line has a comma that cannot
// separate thousands: "lr: 1,5e-4", "acc=0,25".
func writesDecimalComma(text []byte) bool {
	for i := 1; i+1 < len(text); i++ {
		if !isDecimalComma(text, i) {
			continue
		}
		first := i
		for first > 0 && isDigit(text[first-1]) {
			first--
		}
		before := bytes.TrimRight(text[:first], " -+")
		value := len(before) > 0 && (before[len(before)-1] == ':' || before[len(before)-1] == '=')
		if value && (!groupFollows(text, i) || text[first] == '0') {
			return true
		}
	}
	return false
}

// writesLongDecimal reports whether a value of a line has a comma and so many
// digits behind it that it separates neither thousands nor a list: "Accuracy:
// 0,8027785" of ML.NET.
func writesLongDecimal(text []byte) bool {
	const least = 4
	for i := 1; i+least < len(text); i++ {
		if isDecimalComma(text, i) && digits(text, i+1, least) && writesDecimalComma(text) {
			return true
		}
	}
	return false
}

// groupsCount reports whether a comma separates the thousands of a count that
// its name shows to be whole: "Step 1,000".
func groupsCount(text []byte, comma int) bool {
	first := comma
	for first > 0 && (isDigit(text[first-1]) || text[first-1] == ',') {
		first--
	}
	name := bytes.TrimRight(text[:first], " :=#[(")
	from := len(name)
	for from > 0 && isWordByte(name[from-1]) {
		from--
	}
	return groupFollows(text, comma) && namesCount(name[from:])
}

// gluedComma reports whether text has a comma between digits.
func gluedComma(text []byte) bool {
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], ',')
		if at < 0 {
			return false
		}
		if from += at + 1; from > 1 && from < len(text) && isDigit(text[from]) && isDigit(text[from-2]) {
			return true
		}
	}
}

// isDecimalComma reports whether a comma is between digits and neither separates a list
// or several groups of thousands, nor precedes the fraction of a clock's second.
func isDecimalComma(text []byte, i int) bool {
	if text[i] != ',' || i == 0 || i+1 == len(text) || !isDigit(text[i-1]) || !isDigit(text[i+1]) {
		return false
	}
	first, last := i-1, i+1
	for first > 0 && isDigit(text[first-1]) {
		first--
	}
	for last+1 < len(text) && isDigit(text[last+1]) {
		last++
	}
	if last+2 < len(text) && (text[last+1] == ',' || text[last+1] == '.') && isDigit(text[last+2]) {
		return false
	}
	return first < 2 || text[first-1] != ':' && text[first-1] != ',' && text[first-1] != '.' || !isDigit(text[first-2])
}

// hasPoint reports whether a line has a number with a point in front of its decimals.
func hasPoint(text []byte) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == '.' && isDigit(text[i-1]) && isDigit(text[i+1]) {
			comma := i + 1
			for comma < len(text) && (isDigit(text[comma]) || text[comma] == '.') {
				comma++
			}
			if comma == len(text) || text[comma] != ',' || pointGroups(text, comma) == 0 {
				return true
			}
			i = comma
		}
	}
	return false
}
