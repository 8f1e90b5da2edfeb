package redact

import "strings"

// Values between delimiters: cells of tables, elements of XML, cookies.

// bars are the characters that programs print between the cells of a table.
var bars = [...]string{"|", "│", "┃", "║"}

// barAt returns the bar at an offset, "" if there is none.
func barAt(text string, at int) string {
	if at < len(text) && (text[at] == '|' || text[at] == bars[1][0]) {
		for _, bar := range bars {
			if hasPrefix(text[at:], bar) {
				return bar
			}
		}
	}
	return ""
}

// enclosed returns the value of a name that is in a cell of a table or that names
// an XML element.
func (f *finder) enclosed(text string, from, to int) (start, end int, found bool) {
	if to >= len(text) || from == 0 {
		return 0, 0, false
	}
	closes, start := tag(text, from, to)
	if closes == "" {
		return cell(text, to)
	}
	if below := elementBelow(text, start); below > start {
		start, end = trimmed(text, below, lineEnd(text, below))
		return start, end, text[start] != '<' && strings.IndexByte(text[start:end], ' ') < 0 // prose explains <password>
	}
	end = lineEnd(text, start)
	close := strings.Index(text[start:min(end, start+maxElement)], closes)
	if close >= 0 {
		end = start + close
	}
	start, end = trimmed(text, start, end)
	return start, end, close >= 0 || f.open
}

// maxElement is how many bytes an element's text with its closing tag may have.
const maxElement = 8 << 10

// elementBelow returns where the text of an element begins whose tag ends its line and
// has nothing but tags before it: on the line below, further in, or as far in if that is
// one word that a person or a machine made up; 0 if it does not.
func elementBelow(text string, at int) int {
	newline := newlineAt(text, at)
	begin := at - lineBefore(text, at)
	tags := strings.TrimLeft(text[begin:at], " \t")
	if newline == "" || tags == "" || tags[0] != '<' || strings.IndexByte(tags, ' ') >= 0 {
		return 0
	}
	below := at + len(newline)
	start := below
	for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	deeper := start - below - (at - len(tags) - begin)
	if start == len(text) || deeper < 0 || strings.IndexByte("\r\n", text[start]) >= 0 {
		return 0
	}
	if deeper == 0 {
		word := strings.TrimRight(text[start:lineEnd(text, start)], " ")
		if !drawnOrMixed(word) || strings.ContainsAny(word, " <>=:") {
			return 0
		}
	}
	return start
}

// tag returns what closes the element that a name opens, and where its text begins.
func tag(text string, from, to int) (closes string, next int) {
	switch {
	case text[to] == '>' && text[from-1] == '<':
		return "</", to + 1
	case hasPrefix(text[to:], "</name>"): // of Hadoop's files
		value := to + len("</name>")
		for value < len(text) && isSpace(text[value]) && value-to < maxName {
			value++
		}
		if hasPrefix(text[value:], "<value>") {
			return "</", value + len("<value>")
		}
	case hasPrefix(text[to:], "&gt;") && strings.HasSuffix(text[:from], "&lt;"):
		return "&lt;/", to + len("&gt;")
	}
	return "", 0
}

// cell returns the cell after the one that ends with a name: "| name | value |".
func cell(text string, at int) (start, end int, found bool) {
	at, _ = closing(text, at)
	next := blanks(text, at)
	bar := barAt(text, next)
	if bar == "" || next == at {
		return 0, 0, false
	}
	line := text[strings.LastIndexByte(text[:next], '\n')+1 : next]
	if !strings.Contains(line, bar) {
		return 0, 0, false
	}
	start = next + len(bar)
	end = lineEnd(text, start)
	if close := strings.Index(text[start:end], bar); close >= 0 {
		end = start + close
	}
	start, end = trimmed(text, start, end)
	return start, end, true
}

// lineEnd returns where the line ends, or where the search for its end stops.
func lineEnd(text string, at int) int {
	most := min(len(text), at+maxValue)
	for _, end := range [...]byte{'\n', '\r'} { // IndexByte is many times faster than IndexAny
		if line := strings.IndexByte(text[at:most], end); line >= 0 {
			most = at + line
		}
	}
	return most
}

// cellEnd returns where the line ends, or the cell of a table with drawn lines.
func cellEnd(text string, at int) int {
	end := lineEnd(text, at)
	for _, bar := range bars[1:] {
		if cut := strings.Index(text[at:end], bar); cut >= 0 {
			end = at + cut
		}
	}
	return end
}

func trimmed(text string, start, end int) (int, int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for end > start && isSpace(text[end-1]) {
		end--
	}
	return start, end
}

// cookies masks the values of a Cookie header, up to the quote around it or the
// end of the line.
func (f *finder) cookies(text string, value int, s setting) bool {
	if !hasSuffixFold(s.name, "cookie") && !hasSuffixFold(s.name, "cookies") {
		return false
	}
	from, to, quoted := valueAt(text, value)
	if !quoted {
		to = lineEnd(text, from)
		for i := from; i < to; i++ {
			if quoteAt(text, i) > 0 {
				to = i
			}
		}
	}
	if sign := strings.IndexByte(text[from:to], '='); sign <= 0 || !f.spend(to-from) || strings.ContainsAny(text[from:from+sign], " <({[") || isPlaceholder(text[from+sign+1:to]) {
		return false
	}
	f.add(from, to, s.kind)
	return true
}
