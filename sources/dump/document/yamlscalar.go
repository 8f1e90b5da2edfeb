package document

import (
	"bytes"
	"strconv"
	"strings"
)

// scalar parses the value that starts with text, on the current line, and
// moves to the line after it. outer is the indentation of the key or dash that
// the value belongs to; deeper lines may continue it.
func (p *yamlParser) scalar(text []byte, outer int) (any, error) {
	switch text[0] {
	case '"', '\'':
		return p.quoted(text, outer)
	case '|':
		return p.literal(text, outer)
	case '{', '[':
		return p.flow(text, outer)
	case '>', '&', '*', '!', '%', '@', '`', '?', ':', ',', ']', '}', '#':
		return nil, errUnsure
	}
	return p.plainScalar(text, outer)
}

// plainScalar parses an unquoted value, which may be folded over several
// lines.
func (p *yamlParser) plainScalar(text []byte, outer int) (any, error) {
	if IsDash(text) || hasMark(text) {
		return nil, errUnsure
	}
	folded, lines, err := p.fold(text, outer, func([]byte) bool { return false })
	if err != nil {
		return nil, err
	}
	if lines > 1 {
		if !isLetter(text[0]) {
			return nil, errUnsure
		}
		return string(folded), nil
	}
	return resolve(text)
}

// hasMark reports whether plain text contains a delimiter: the colon of a key
// or a comment.
func hasMark(text []byte) bool {
	return bytes.Contains(text, []byte(": ")) || bytes.Contains(text, []byte(" #")) || text[len(text)-1] == ':'
}

// fold joins the lines that continue a value: a line break becomes a space, an
// empty line a line break. ended reports whether a line completes a quoted
// value; a plain one continues as long as the lines are indented enough.
func (p *yamlParser) fold(first []byte, outer int, ended func([]byte) bool) (text []byte, lines int, err error) {
	quoted := first[0] == '"' || first[0] == '\''
	text, lines = first, 1
	breaks := 0
	for done := quoted && ended(first[1:]); !done; {
		if p.next >= len(p.text) {
			if quoted {
				return nil, 0, errUnsure
			}
			break
		}
		before := p.next
		line := p.takeLine()
		content := bytes.TrimLeft(line, " ")
		if len(content) == 0 {
			breaks++
			continue
		}
		deeper := len(line)-len(content) > outer
		if !deeper && !quoted {
			p.next = before
			break
		}
		if !deeper || !quoted && (hasMark(content) || content[0] == '#') {
			return nil, 0, errUnsure
		}
		if lines == 1 {
			text = bytes.Clone(text)
		}
		if breaks == 0 {
			text = append(text, ' ')
		}
		for ; breaks > 0; breaks-- {
			text = append(text, '\n')
		}
		text = append(text, content...)
		lines++
		done = quoted && ended(content)
	}
	p.nextLine()
	return text, lines, nil
}

// quoted parses a value in quotes.
func (p *yamlParser) quoted(text []byte, outer int) (any, error) {
	quote := text[0]
	ended := func(line []byte) bool { return closing(line, quote) >= 0 }
	folded, lines, err := p.fold(text, outer, ended)
	if err != nil {
		return nil, err
	}
	inner := folded[1:]
	end := closing(inner, quote)
	if end < 0 || len(inner) > end+1 && !bytes.HasPrefix(bytes.TrimLeft(inner[end+1:], " "), []byte("#")) {
		return nil, errUnsure // text after the closing quote
	}
	if len(inner) > end+1 && inner[end+1] != ' ' {
		return nil, errUnsure
	}
	inner = inner[:end]
	if quote == '\'' {
		return string(bytes.ReplaceAll(inner, []byte("''"), []byte("'"))), nil
	}
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), nil
	}
	if lines > 1 {
		return nil, errUnsure // a backslash may end a line
	}
	return unescape(inner)
}

// closing returns the position of the quote that ends a quoted text, or -1.
func closing(text []byte, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == quote:
			return i
		}
	}
	return -1
}

// unescape decodes the escapes that kubectl writes.
func unescape(text []byte) (any, error) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		i++
		if i == len(text) {
			return nil, errUnsure
		}
		switch text[i] {
		case '"', '\\':
			out = append(out, text[i])
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		default:
			return nil, errUnsure
		}
	}
	return string(out), nil
}

// literal reads the lines after "|", "|-" or "|+" unchanged.
func (p *yamlParser) literal(header []byte, outer int) (any, error) {
	chomp := byte(0)
	switch {
	case len(header) == 2 && (header[1] == '-' || header[1] == '+'):
		chomp = header[1]
	case len(header) != 1:
		return nil, errUnsure
	}
	var out []byte
	blanks, indent := 0, -1
	for p.next < len(p.text) {
		before := p.next
		raw := p.text[before:]
		end := bytes.IndexByte(raw, '\n')
		if end < 0 {
			return nil, errUnsure // the value ends with the text, in the middle of a line
		}
		raw = raw[:end]
		p.takeLine()
		spaces := Indentation(raw)
		if spaces == len(raw) {
			if spaces > max(indent, outer) {
				return nil, errUnsure // an empty line with spaces
			}
			blanks++
			continue
		}
		if indent < 0 {
			indent = spaces
		}
		if spaces <= outer || spaces < indent {
			if spaces > outer {
				return nil, errUnsure
			}
			p.next = before
			break
		}
		for ; blanks > 0; blanks-- {
			out = append(out, '\n')
		}
		out = append(append(out, raw[indent:]...), '\n')
	}
	p.nextLine()
	if len(out) == 0 || chomp == '+' {
		return nil, errUnsure
	}
	if chomp == '-' {
		out = out[:len(out)-1]
	}
	return string(out), nil
}

// flow parses "{}" and "[]", and leaves others on one line to the library.
func (p *yamlParser) flow(text []byte, outer int) (value any, err error) {
	switch string(text) {
	case "{}":
		value = map[string]any{}
	case "[]":
		value = []any{}
	default:
		if value, err = libraryScalar(text); err != nil {
			return nil, err
		}
		switch value.(type) {
		case map[string]any, []any:
		default:
			return nil, errUnsure
		}
	}
	if p.nextLine() && p.indent > outer {
		return nil, errUnsure
	}
	return value, nil
}

// resolve determines the type of a plain scalar. Only text and small integers
// are decided here; the library decides about anything else.
func resolve(text []byte) (any, error) {
	switch string(text) { // as kubectl writes them
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	}
	first := text[0]
	switch {
	case isLetter(first) && !mayBeWord(text), first == '/', first >= 0x80:
		return string(text), nil
	case first == '-' && len(text) > 1 && (text[1] == '-' || isLetter(text[1])): // a flag
		return string(text), nil
	case first >= '0' && first <= '9':
		if number, isNumber := wholeNumber(text); isNumber {
			return number, nil
		}
		if !mayBeNumber(text) {
			return string(text), nil
		}
	}
	value, err := libraryScalar(text)
	if err != nil {
		return nil, err
	}
	switch value.(type) {
	case map[string]any, []any:
		return nil, errUnsure
	}
	return value, nil
}

// libraryScalar parses a single-line value with the library. It parses it as
// the value of a key, since the library ignores text after a whole document.
func libraryScalar(text []byte) (any, error) {
	value, repeated, err := strictYAML(append([]byte("x: "), text...))
	if err != nil || len(repeated) > 0 {
		return nil, errUnsure
	}
	pair, _ := value.(map[string]any)
	return pair["x"], nil
}

// mayBeWord reports whether text is one of the words that YAML 1.1 reads as a
// boolean or null.
func mayBeWord(text []byte) bool {
	if len(text) > len("false") {
		return false
	}
	switch strings.ToLower(string(text)) {
	case "y", "yes", "on", "true", "n", "no", "off", "false", "null", "~":
		return true
	}
	return false
}

func wholeNumber(text []byte) (int64, bool) {
	if len(text) > 18 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for _, b := range text {
		if b < '0' || b > '9' {
			return 0, false
		}
	}
	number, err := strconv.ParseInt(string(text), 10, 64)
	return number, err == nil
}

// mayBeNumber is false for text that is no number or time in any notation: two
// decimal points (an address), four dashes (a UID), or a letter outside
// hexadecimals, exponents and times (64Gi, 500m).
func mayBeNumber(text []byte) bool {
	points, dashes := 0, 0
	for _, b := range text {
		switch {
		case b == '-':
			if dashes++; dashes > 3 {
				return false
			}
		case b == '.':
			if points++; points > 1 {
				return false
			}
		case isLetter(b) && bytes.IndexByte([]byte("abcdefxotz"), b|0x20) < 0, b == '/':
			return false
		}
	}
	return true
}
